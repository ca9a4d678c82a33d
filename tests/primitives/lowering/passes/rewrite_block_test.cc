// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/rewrite_block.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dovetail {
namespace {

// The body of `for h in 0..8` over buffers of 16 elements.
Block body_of(const std::string& lines) {
  const Result<Program> program = parse_program(
      "buffer X: f32 activation X[h=16] as [h@1:16]\n"
      "buffer Y: f32 output Y[h=16] as [h@1:16]\n"
      "kernel k\n  for h in 0..8\n" +
      lines);
  EXPECT_TRUE(program) << program.error().message;
  return std::get<Loop>(program->kernels[0].body[0].node).body;
}

TEST(WithVariable, ReplacesItInIndicesAndBounds) {
  const Block before = body_of(
      "    for k in 0..2\n"
      "      Y[h + k] += ((0 <= h - 1 < 6) ? max(X[h], X[k]) : X[2*h]) * 3\n");
  const Block expected = body_of(
      "    for k in 0..2\n"
      "      Y[h + k + 2] += ((0 <= h + 1 < 6) ? max(X[h + 2], X[k]) : X[2*h + 4]) * 3\n");
  EXPECT_EQ(with_variable(before, "h", IndexExpr::variable("h") + IndexExpr(2)), expected);
}

TEST(ForEachBound, VisitsNestedOnes) {
  std::vector<std::string> seen;
  for_each_bound(body_of("    for k in 0..2\n"
                         "      Y[h] = (0 <= h < 3) ? ((1 <= k < 2) ? X[h] : 0) : tanh((2 <= h < 9)"
                         " ? X[h] : 1)\n"),
                 [&](const Bound& bound) { seen.push_back(print(bound.expr)); });
  std::ranges::sort(seen);
  EXPECT_EQ(seen, (std::vector<std::string>{"h", "h", "k"}));
}

TEST(Rebuilt, GivesEachNodeAfterItsOperands) {
  const Value value =
      binary(BinaryOp::add, unary(UnaryOp::tanh, 1.0), binary(BinaryOp::mul, 2.0, 3.0));
  std::vector<std::string> order;
  const Value same = rebuilt(value, [&](const Value& node) {
    order.push_back(print(node));
    return node;
  });
  EXPECT_EQ(same, value);
  EXPECT_EQ(order.back(), print(value));
  EXPECT_EQ(order.size(), 6u);
}

TEST(Rebuilt, ReplacesNodes) {
  const Value value = binary(BinaryOp::add, 1.0, unary(UnaryOp::tanh, 1.0));
  const Value twos =
      rebuilt(value, [](const Value& node) { return node == Value(1.0) ? Value(2.0) : node; });
  EXPECT_EQ(print(twos), "2 + tanh(2)");
}

}  // namespace
}  // namespace dovetail
