// SPDX-License-Identifier: Apache-2.0
#pragma once

// fitted: an array of the user's in the type and shape of a tensor.
//
//   fitted("in/input_0.npy", array, {"X", ElementType::f32, {1, 4, 6}})     of f64 4x6, say
//
// An array fits if its shape is the tensor's, up to leading extents of one (a matrix product has a
// batch of one that users omit), and if the tensor's type holds each of its values exactly. So
// float64 arrays of small integers are accepted, and those of thirds rejected: users round them,
// with astype.

#include <string>

#include "campaign/run/region_tensors.h"
#include "core/base/result.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

std::string described(const OuterTensor& tensor);  // "X: f32 1x4x6"

// The error has `name`, what the array is and what the tensor needs. `array`: dense, on the host.
Result<NDArray> fitted(const std::string& name, const NDArray& array, const OuterTensor& tensor);

}  // namespace dovetail
