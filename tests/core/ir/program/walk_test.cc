// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/walk.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

Value load(const std::string& buffer) { return Load{buffer, {IndexExpr::variable("w")}}; }

// max((0 <= w < 4) ? X[w] * W[w] : tanh(X[w]), 0)
Value sample() {
  const Bound inside{IndexExpr::variable("w"), 0, 4};
  const Value product = binary(BinaryOp::mul, load("X"), load("W"));
  return binary(BinaryOp::max, select({inside}, product, unary(UnaryOp::tanh, load("X"))), 0.0);
}

TEST(ForEachNode, ComesToANodeAfterItsOperands) {
  std::vector<std::string> seen;
  for_each_node(sample(), [&](const Value& node) { seen.push_back(print(node)); });
  const std::vector<std::string> expected = {
      "X[w]", "W[w]",          "X[w] * W[w]",
      "X[w]", "tanh(X[w])",    "(0 <= w < 4) ? X[w] * W[w] : tanh(X[w])",
      "0",    print(sample()),
  };
  EXPECT_EQ(seen, expected);
}

TEST(ForEachLoad, ComesToLoadsFromTheLeft) {
  std::string seen;
  for_each_load(sample(), [&](const Load& load) { seen += load.buffer; });
  EXPECT_EQ(seen, "XWX");
}

TEST(Rebuilt, ReplacesNodesAndKeepsTheOthers) {
  const Value result = rebuilt(sample(), [](const Value& node) -> std::optional<Value> {
    const auto* read = node.as<Load>();
    if (read == nullptr || read->buffer != "W") return std::nullopt;
    return Value(2.0);
  });
  EXPECT_EQ(print(result), "max((0 <= w < 4) ? X[w] * 2 : tanh(X[w]), 0)");
  EXPECT_EQ(rebuilt(sample(), [](const Value& node) { return node; }), sample());
}

TEST(Rebuilt, SharesWhatNobodyChanges) {
  const Value value = sample();
  const auto operands_of = [](const Value& v) { return v.as<Binary>(); };
  const Value same = rebuilt(value, [](const Value&) { return std::nullopt; });
  EXPECT_EQ(operands_of(same), operands_of(value));
  const Value other = rebuilt(value, [](const Value& node) -> std::optional<Value> {
    if (node.as<Constant>() == nullptr) return std::nullopt;
    return Value(1.0);
  });
  EXPECT_EQ(operands_of(other)->left.as<Select>(), operands_of(value)->left.as<Select>());
  EXPECT_EQ(print(other), "max((0 <= w < 4) ? X[w] * W[w] : tanh(X[w]), 1)");
}

TEST(IsZero, IsTrueOfZeroAndOfProductsWithIt) {
  EXPECT_TRUE(is_zero(0.0));
  EXPECT_TRUE(is_zero(binary(BinaryOp::mul, load("X"), 0.0)));
  EXPECT_FALSE(is_zero(binary(BinaryOp::add, load("X"), 0.0)));
  EXPECT_FALSE(is_zero(load("X")));
}

TEST(IsOverWorkItems, IsFalseOfGroupsAndOfThreadsOfACpu) {
  const auto bound_to = [](ThreadAxis axis) {
    return Loop{.variable = "w", .extent = 4, .kind = LoopKind::bound, .thread = axis, .body = {}};
  };
  EXPECT_TRUE(is_over_work_items(bound_to(ThreadAxis::thread_0)));
  EXPECT_TRUE(is_over_work_items(bound_to(ThreadAxis::thread_2)));
  EXPECT_FALSE(is_over_work_items(bound_to(ThreadAxis::group_2)));
  Loop parallel = bound_to(ThreadAxis::thread_0);
  parallel.kind = LoopKind::parallel;
  EXPECT_FALSE(is_over_work_items(parallel));
}

}  // namespace
}  // namespace dovetail
