// SPDX-License-Identifier: Apache-2.0
#pragma once

// The types of ONNX's operators that an import knows, in one table: their class, and the rule that
// writes down what a node of the type computes.
//
//   find_operators("Softplus")    elementwise, by node_rules::unary
//   find_operators("Conv")        complex, without a rule: lowering/ gives it a spec
//   find_operators("Loop")        null

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/frontend/computations/node_rules.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// The inputs whose rank must be the output's because the rule indexes them by the output's axes. It
// is checked because a file may state a shape of any rank where inference knows none.
enum class SameRank : uint8_t { none, first, all };

struct OnnxOperators {
  OperatorClass operator_class;
  std::string_view types;            // separated by blanks
  node_rules::Rule* rule = nullptr;  // null: no region can express them, or only as a view
  Takes takes = Takes::reals;        // element types that the rule accepts
  SameRank same_rank = SameRank::none;
  size_t inputs = RegionWriter::kAll;  // number of first inputs that are tensors of the region
};

const OnnxOperators* find_operators(std::string_view type);

// True if the type is one of the names, which are separated by blanks.
bool is_one_of(std::string_view names, std::string_view type);

}  // namespace dovetail
