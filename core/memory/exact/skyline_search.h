// SPDX-License-Identifier: Apache-2.0
#pragma once

// skyline_search: whether buffers with lifetimes fit below a capacity, and where.
//
// Time is cut into sections, at every begin and end of a lifetime. What is placed grows from the
// bottom and from the top, so that a section is three numbers: how deep it is filled from either
// side, and the bytes still to come. What it can waste is what is left:
//
//   capacity |AAAA....|  depth from the top     slack(section) = capacity - below - above - rest
//            |    ....|
//            |..BB....|  depth from the bottom    less than 0: there is no such plan
//            |CCCCCC..|
//
// A node takes the section and side with the fewest buffers that can lie next to what is there,
// and tries each; then, if the section has slack, none of them. Where nothing can be wasted that
// is a puzzle in which most pieces are forced: without slack a section whose edge no buffer
// continues ends the branch at once. Where no lifetime crosses a time, what is left and right of
// it are two problems (MiniMalloc's "decomposition"); a failure in one is never answered by
// trying the other.
//
// Literature: Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated
// Machine Learning", ASPLOS 2023 (canonical solutions, inference over sections, decomposition);
// Maas et al., "TelaMalloc", ASPLOS 2023; Huang and Korf, "Optimal Rectangle Packing: An Absolute
// Placement Approach", JAIR 46, 2013 (branching on what lies in an empty place of a perfect
// packing). The two sides and the choice of the section are ours.

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
  std::vector<int64_t> offsets{};  // of each buffer, where found
  int64_t nodes = 0;               // that it took
};

// Where branches ended, by side and section: the next run of a search begins where the last
// failed.
using SkylineWeights = std::array<std::vector<double>, 2>;

struct SkylineOptions {
  int64_t most_nodes = 0;  // after which it gives up
  uint64_t seed = 0;       // of ties among buffers; 0: by size and length alone
  std::function<bool()> is_stopped{};
};

SkylineOutcome skyline_search(std::span<const SkylineBuffer> buffers, int sections,
                              int64_t capacity, const SkylineOptions& options,
                              SkylineWeights& weights);

}  // namespace dovetail
