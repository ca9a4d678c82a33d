// SPDX-License-Identifier: Apache-2.0
//
// Work: the operations and the least memory traffic of a region, independent of its program.
//
//     Y[i,j]=exp(S[i,j]-M[i]):i=128,j=64     2 operations an element: 16384 flops
//
// An operator counts by its kind's definition (core/ir/operator/operator.h); a written region
// counts every operation of its values as one, a maximum and an exponential alike, including those
// on padding: a convention for comparing runs of one region, not a count of instructions.
#pragma once

#include <cstdint>

#include "core/ir/region/region.h"

namespace dovetail {

double nominal_flops(const Region& region);
// The same without taps on padding for an operator; nominal_flops for a written region.
double real_tap_flops(const Region& region);
// Bytes of all tensors that cross the border, each counted once, but of an input at most one
// element per iteration that reads it: of a table of 30522 rows, only the rows of 128 words.
int64_t operand_bytes(const Region& region);
int64_t written_bytes(const Region& region);  // the outputs' part of them

}  // namespace dovetail
