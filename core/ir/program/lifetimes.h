// SPDX-License-Identifier: Apache-2.0
//
// Lifetimes of buffers, from which memory is planned.
//
//     kernel pad_X          X.pad   lives in kernels 0 to 1        X, W       given: to 0, to 1
//     kernel c2d            Y       lives in kernels 1 to 2        Y.wanted   asked for: from 2
//     kernel unpack_Y
#pragma once

#include <optional>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

// A closed interval of kernel numbers.
struct Lifetime {
  size_t first = 0;
  size_t last = 0;
  friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

// One for each buffer, in order; nullopt for a buffer that no kernel uses. Inputs and constants
// live from kernel 0 on; outputs and prepared buffers live to the last kernel.
std::vector<std::optional<Lifetime>> lifetimes_of(const Program& program);

// Peak bytes of simultaneously live temporaries: a lower bound for every memory plan.
int64_t live_workspace_bytes(const Program& program);

}  // namespace dovetail
