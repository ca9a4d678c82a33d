// SPDX-License-Identifier: Apache-2.0
//
// From when to when a buffer holds something; a plan of memory is made of it.
//
//     kernel pad_X          X.pad   lives in kernels 0 to 1        X, W       given: to 0, to 1
//     kernel c2d            Y       lives in kernels 1 to 2        Y.wanted   asked for: from 2
//     kernel unpack_Y
#pragma once

#include <optional>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

// Kernels by number, the last one included.
struct Lifetime {
  size_t first = 0;
  size_t last = 0;
  friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

// One for each buffer, in order; nothing for a buffer that no kernel uses. What the caller gives
// lives from kernel 0 on; outputs, and what is made once for many runs, live to the last.
std::vector<std::optional<Lifetime>> lifetimes_of(const Program& program);

// The most bytes of temporaries that live at one time: no plan of memory needs less.
int64_t live_workspace_bytes(const Program& program);

}  // namespace dovetail
