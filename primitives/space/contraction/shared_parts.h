// SPDX-License-Identifier: Apache-2.0
//
// shared_parts: splits the loop over rounds of a product, which keeps transformed weights or bands
// in workspace, into few parallel parts.
//
//   for h.0 in 0..28      ->      for h.0.0 in 0..2 parallel
//     …                             for h.0.1 in 0..14
//                                     …
//
// Each iteration of a parallel loop has its own workspace, and many of those stay in no cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"

namespace dovetail {

struct SharedParts {
  std::optional<loop::Split> split;  // nullopt: the first loop is parallel as it is
  std::vector<std::string> loops;    // outermost first; the first is parallel
};

// Splits the first of these loops, which has `rounds` iterations.
SharedParts shared_parts(std::vector<std::string> loops, int64_t rounds, int64_t threads);

}  // namespace dovetail
