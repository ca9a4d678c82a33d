// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/constants/constant_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/fail.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/onnx_operators.h"

namespace dovetail {
namespace {

struct Rule {
  std::string_view types;  // separated by blanks
  ConstantRule rule;
};

namespace rules = constant_rules;
constexpr Rule kRules[] = {
    {"Reshape", rules::reshape},
    {"Flatten", rules::flatten},
    {"Squeeze", rules::squeeze},
    {"Unsqueeze", rules::unsqueeze},
    {"Identity", rules::identity},
    {"Transpose", rules::transpose},
    {"Expand", rules::expand},
    {"Tile", rules::tile},
    {"ConstantOfShape", rules::constant_of_shape},
    {"Range", rules::range},
    {"Slice", rules::slice},
    {"Gather", rules::gather},
    {"GatherElements", rules::gather_elements},
    {"GatherND", rules::gather_nd},
    {"Concat", rules::concat},
    {"Split", rules::split},
    {"OneHot", rules::one_hot},
    {"NonZero", rules::non_zero},
    {"Cast", rules::cast},
    {"Where", rules::where},
    {"Abs Add And Ceil Cos Div Equal Exp Floor Greater GreaterOrEqual Less LessOrEqual Log Max "
     "Min Mod Mul Neg Not Or Pow Reciprocal Sign Sin Sqrt Sub Sum Xor",
     rules::elementwise},
    {"ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd "
     "ReduceSum ReduceSumSquare",
     rules::reduce},
};

const Rule* find_rule(std::string_view type) {
  for (const Rule& rule : kRules)
    if (is_one_of(rule.types, type)) return &rule;
  return nullptr;
}

}  // namespace

bool has_constant_rule(std::string_view type) { return find_rule(type) != nullptr; }

Result<ConstantOutputs> compute_constants(const ConstantCall& call) {
  const Rule* const rule = find_rule(call.node.type);
  if (rule == nullptr || call.inputs.empty() || call.inputs[0] == nullptr) return ConstantOutputs();
  for (const GraphTensor* input : call.inputs)
    if (input != nullptr && !has_floats(*input) && !has_integers(*input)) return ConstantOutputs();
  return rule->rule(call);
}

Result<std::optional<std::vector<int64_t>>> numbers_of(const ConstantCall& call,
                                                       const std::string& attribute,
                                                       size_t position) {
  return numbers_of(call.node, attribute, call.input(position));
}

Result<void> check_size(const ConstantCall& call, const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) {
    if (extent < 0 || extent > call.most_elements / std::max<int64_t>(count, 1))
      return fail(
          "node {} ({}) makes [{}]; expected at most {} elements from all nodes that make "
          "constants",
          call.node.name, call.node.type, fmt::join(shape, ","),
          std::max<int64_t>(0, call.most_elements));
    count *= extent;
  }
  return {};
}

}  // namespace dovetail
