// SPDX-License-Identifier: Apache-2.0
//
// Work: what a region computes and moves at the least, whatever its program does.
//
//     Y[i,j]=exp(S[i,j]-M[i]):i=128,j=64     2 operations an element: 16384 flops
//
// An operator counts by its kind's definition (core/ir/operator/operator.h); a written region
// counts every operation of its values as one, a maximum and an exponential alike, and those of
// padding, too: a convention to compare runs of one region by, not a count of instructions.
#pragma once

#include <cstdint>

#include "core/ir/region/region.h"

namespace dovetail {

double nominal_flops(const Region& region);
// Without what falls on padding, where a kind says how much that is.
double real_tap_flops(const Region& region);
// All tensors that cross the border count, each once, and of one that is read in part no more
// elements than there are iterations that read it: of a table of 30522 rows those that 128 words
// name.
int64_t operand_bytes(const Region& region);
int64_t written_bytes(const Region& region);  // those of them that it makes

}  // namespace dovetail
