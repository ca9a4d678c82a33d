// SPDX-License-Identifier: Apache-2.0
#pragma once

// NDArray: the arrays that networks read and make.
//
//   const dt::NDArray x(dt::ElementType::f32, {1, 3, 8, 8}, std::vector<float>(192, 0.5F));
//   y.as<float>()                                                     a span of y's elements
//   dt::NDArray::over(type, shape, pixels, owner)                     your memory, without a copy
//   DOVETAIL_TRY(dt::from_dlpack(tensor))                             torch's or numpy's, likewise

#include "core/ir/value/ndarray.h"
#include "core/runtime/dlpack.h"

namespace dovetail::api {

using dovetail::ElementType;
using dovetail::from_dlpack;
using dovetail::NDArray;
using dovetail::to_dlpack;

}  // namespace dovetail::api
