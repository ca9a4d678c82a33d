// SPDX-License-Identifier: Apache-2.0
#pragma once

// The inputs of a run: input_0.npy, input_1.npy, … of a folder.
//
//   read_inputs("in", tensors_given(region, text))      values by tensor, row-major
//
// An array fits when its shape is the tensor's, leading extents of one apart (a matrix product has
// a batch of one that nobody writes), and when the tensor's type holds each of its values exactly.
// So float64 arrays of small integers are taken, and those of thirds refused: rounding is the
// user's to decide, with astype.

#include <string>
#include <vector>

#include "campaign/run/region_tensors.h"
#include "core/base/result.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

// The error names the file, what it has and what the tensor needs.
Result<RegionInputs> read_inputs(const std::string& folder, const std::vector<OuterTensor>& given);

}  // namespace dovetail
