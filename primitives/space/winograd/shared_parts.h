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
  std::optional<loop::Split> split;  // nothing: threads share the loop as it is
  std::vector<std::string> loops;    // instead of the one, outermost first; the first is shared
};

SharedParts shared_parts(const std::string& loop, int64_t rounds, int64_t threads);

}  // namespace dovetail
