// SPDX-License-Identifier: Apache-2.0
#pragma once

// hold_inputs: turns inputs of a model into constants, for --constant.
//
//   hold_inputs({{"sr", "16000"}}, model)      input int64 sr   becomes   initializer sr = 16000
//
// A number is text until the type of its input determines how to parse it: a float would not hold
// every i64. Why before shapes are inferred: values that depend on such an input then fold like
// other constants, above all the condition of an If, whose other branch may have invalid shapes.

#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace onnx {
class GraphProto;
class ModelProto;
}  // namespace onnx

namespace dovetail {

using NumbersByInput = std::map<std::string, std::string>;

// Precondition: the shapes of the model's inputs are known. Fails for a name that no input has, or
// a number that the input's type cannot hold.
Result<void> hold_inputs(const NumbersByInput& numbers, onnx::ModelProto& model);
// The same constants as tensors; the graph is not changed.
Result<std::vector<GraphTensor>> held_tensors(const NumbersByInput& numbers,
                                              const onnx::GraphProto& graph);

}  // namespace dovetail
