// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an ONNX node says besides the tensors that it reads: its attributes in our types, and the
// tensor of a Constant node.

#include <map>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace onnx {
class NodeProto;
}

namespace dovetail {

// A tensor of one element (ConstantOfShape's) becomes a number of its kind; tensors and graphs
// otherwise stand as the name of their type.
Result<std::map<std::string, Attribute>> convert_attributes(const onnx::NodeProto& node);

// What a Constant node gives, by the name of its output; none of another node, or of one whose
// value is text or sparse.
Result<std::optional<GraphTensor>> constant_of(const onnx::NodeProto& node);

}  // namespace dovetail
