// SPDX-License-Identifier: Apache-2.0
#pragma once

// convert_onnx: a loaded ONNX model as a Graph, node for node. Nothing after it knows ONNX's types.
// Complex operators have no spec yet; Constant nodes are constants already. A node whose body is a
// graph (If, Loop) reads what its body reads from outside.

#include <string>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace onnx {
class ModelProto;
}

namespace dovetail {

Result<Graph> convert_onnx(const onnx::ModelProto& model);

}  // namespace dovetail
