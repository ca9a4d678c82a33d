// SPDX-License-Identifier: Apache-2.0
#pragma once

// hold_inputs: inputs of a model become constants of it, as --constant asks.
//
//   hold_inputs({{"sr", "16000"}}, model)      input int64 sr   becomes   initializer sr = 16000
//
// A number is text until the type of its input says how to read it: a float would not hold every
// i64. Why before shapes are inferred: what depends on such an input folds like anything else that
// depends on constants, above all the condition of an If, of which one branch may not even fit.

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

// The shapes of the model's inputs are known. The error is a name that no input has, or a number
// that the input's type does not hold.
Result<void> hold_inputs(const NumbersByInput& numbers, onnx::ModelProto& model);
// The same as tensors; the graph stays as it is.
Result<std::vector<GraphTensor>> held_tensors(const NumbersByInput& numbers,
                                              const onnx::GraphProto& graph);

}  // namespace dovetail
