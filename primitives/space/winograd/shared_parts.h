// SPDX-License-Identifier: Apache-2.0
//
// shared_parts: the loop over rounds of a product that holds transformed weights or bands in
// workspace, cut so that threads share few parts of it.
//
//   for h.0 in 0..28      ->      for h.0.0 in 0..2 parallel
//     …                             for h.0.1 in 0..14
//                                     …
//
// Each iteration of a shared loop has a workspace of its own, and many of them stay in no cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"

namespace dovetail {

struct SharedParts {
  std::optional<loop::Split> split;  // nothing: threads share the first loop as it is
  std::vector<std::string> loops;    // outermost first; the first is shared
};

// The first of these loops, of so many rounds, is cut.
SharedParts shared_parts(std::vector<std::string> loops, int64_t rounds, int64_t threads);

}  // namespace dovetail
