// SPDX-License-Identifier: Apache-2.0
#pragma once

// Converts between ONNX's TensorProto and a constant of a Graph with data.

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace onnx {
class TensorProto;
}

namespace dovetail {

// Takes a TensorProto::DataType; `unknown` for complex numbers and types after ONNX 1.12.
ElementType element_type_of(int onnx_type);

// True for INT4 and UINT4, which only constants may have; their numbers are converted to i8 and u8.
bool is_int4(int onnx_type);

// The error names the tensor. Strings and unknown types have no data.
Result<GraphTensor> convert_tensor(const onnx::TensorProto& tensor);

// The constant as a TensorProto.
onnx::TensorProto to_onnx(const GraphTensor& tensor);

// The double that prints like the float: 0.1 for 0.1f, so that specs and attributes stay readable.
// Cast back it is the same float.
double decimal_of(float value);

}  // namespace dovetail
