// SPDX-License-Identifier: Apache-2.0
#pragma once

// skyline_search: whether buffers with lifetimes fit within a capacity, and at which offsets.
//
// Time is cut into sections at every begin and end of a lifetime. Placed buffers stack up from the
// bottom and from the top, so that a section has three numbers: its depth from either side, and the
// bytes of the buffers still to be placed. The remainder is the slack that it can waste:
//
//   capacity |AAAA....|  depth from the top     slack(section) = capacity - below - above - rest
//            |    ....|
//            |..BB....|  depth from the bottom    less than 0: there is no such plan
//            |CCCCCC..|
//
// A node branches on the section and side with the fewest buffers that can be placed at its edge:
// it tries each of them; then, if the section has slack, none of them. Without slack most
// placements are forced: a section whose edge no buffer fits ends the branch at once. A time that
// no lifetime crosses splits the problem into two independent ones (MiniMalloc's "decomposition");
// a failure in one is never answered by backtracking into the other.
//
// Literature: Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine
// Learning", ASPLOS 2023 (canonical solutions, inference over sections, decomposition); Maas et
// al., "TelaMalloc", ASPLOS 2023; Huang and Korf, "Optimal Rectangle Packing: An Absolute Placement
// Approach", JAIR 46, 2013 (branching on the content of an empty place of a perfect packing). The
// two sides and the choice of the section are original.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace dovetail {

struct SkylineBuffer {
  int64_t bytes;
  int first_section;
  int end_section;  // half-open
};

enum class SkylineEnd { found, none_exists, gave_up };

struct SkylineOutcome {
  SkylineEnd end = SkylineEnd::gave_up;
  std::vector<int64_t> offsets{};  // one per buffer; empty unless found
  int64_t nodes = 0;               // visited
};

// Failure weights by side and section, kept between runs: the next run starts where the last one
// failed.
using SkylineWeights = std::array<std::vector<double>, 2>;

struct SkylineOptions {
  int64_t most_nodes = 0;  // node limit
  uint64_t seed = 0;       // selects the candidate ranking and seeds its ties; 0: no random ties
  std::function<bool()> is_stopped{};
};

SkylineOutcome skyline_search(std::span<const SkylineBuffer> buffers, int sections,
                              int64_t capacity, const SkylineOptions& options,
                              SkylineWeights& weights);

}  // namespace dovetail
