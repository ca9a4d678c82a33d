// SPDX-License-Identifier: Apache-2.0
#pragma once

// ONNX's TensorProto as a constant of a Graph, with its numbers.

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace onnx {
class TensorProto;
}

namespace dovetail {

// Takes a TensorProto::DataType; gives `unknown` for complex numbers and types after ONNX 1.12.
ElementType element_type_of(int onnx_type);

// INT4 and UINT4, which constants may be of: their numbers are i8 and u8 here. No tensor that is
// computed has them.
bool is_int4(int onnx_type);

// The error names the tensor. Strings and unknown types have no data.
Result<GraphTensor> convert_tensor(const onnx::TensorProto& tensor);

// The same, as ONNX has it.
onnx::TensorProto to_onnx(const GraphTensor& tensor);

// The double that reads like the float: 0.1 for 0.1f, so that specs and attributes stay readable.
// Cast back it is the same float.
double decimal_of(float value);

}  // namespace dovetail
