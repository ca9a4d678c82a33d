// SPDX-License-Identifier: Apache-2.0
//
// normalised: the region that parsing the region's text gives, without a text.
//
//   Y[i] = select(0<=i<8, add(read(1), read(0)), 0)   i<8, reads {B[i], A[i]}
//     ->
//   Y[i] = select(0<=i<8, add(read(0), read(1)), 0)   i<8, reads {A[i], B[i]}, no anchor
//
// Reads and axes are in the order of their first use, operands have one type, dimensions the names
// of their axes, computations those of their tensors; the anchor is found, and a single operator.
// Passes that rewrite computations end with it.
#pragma once

#include "core/base/result.h"
#include "core/ir/region/region.h"

namespace dovetail {

// The error is that of parse_region (core/ir/region/region_text.h), without a position.
Result<Region> normalised(const Region& region);

}  // namespace dovetail
