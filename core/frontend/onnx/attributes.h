// SPDX-License-Identifier: Apache-2.0
#pragma once

// Converts the attributes of an ONNX node to a Graph's, and the tensor of a Constant node.

#include <map>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace onnx {
class NodeProto;
}

namespace dovetail {

// A tensor of one element (ConstantOfShape's) becomes a number of its kind; other tensors and
// graphs become the name of their type.
Result<std::map<std::string, Attribute>> convert_attributes(const onnx::NodeProto& node);

// The tensor of a Constant node, named like its output; nullopt for another node, or one whose
// value is text or sparse.
Result<std::optional<GraphTensor>> constant_of(const onnx::NodeProto& node);

}  // namespace dovetail
