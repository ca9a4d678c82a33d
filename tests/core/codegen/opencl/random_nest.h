// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random programs  Y[a, b, c] = max(Σ_{k, r} X[k, a + r - p, b] · W[k, r, c], 0)  with every choice
// that the emitter has to follow: layouts cut at places of their own (so that div and mod survive),
// scopes, loop orders, kinds, register tiles with constant and with running indices.

#include <cstdint>

#include "core/ir/program/program.h"

namespace dovetail::testing {

Program random_nest(uint64_t seed);

}  // namespace dovetail::testing
