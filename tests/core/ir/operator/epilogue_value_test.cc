// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/computation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/support/interpreter.h"

namespace dovetail {
namespace {

constexpr float kSums[] = {-100, -8.5f, -3, -1, -0.25f, 0, 0.1f, 1, 2.5f, 5.75f, 6, 7, 30, 100};
constexpr float kRead = 1.5f;  // what bias and add read

// The epilogues of a spec's tail (`+bias+relu`) applied to a sum, by the interpreter.
float applied(const std::string& tail, float sum) {
  const Operator op = *parse_operator("gmm:m=1,n=1,k=1" + tail);
  const Layout one = identity_layout({{"a", 1}});
  Program program;
  program.buffers = {{"sum", "sum", ElementType::f32, BufferRole::activation, one},
                     {"read", "read", ElementType::f32, BufferRole::constant, one},
                     {"Y", "Y", ElementType::f32, BufferRole::output, one}};
  const std::vector<Value> reads(2, Value(Load{"read", {IndexExpr(0)}}));
  const Value value = apply_epilogues(Load{"sum", {IndexExpr(0)}}, op.epilogues, reads);
  program.kernels.push_back({"k", {{Store{"Y", {IndexExpr(0)}, value}}}});
  Storage storage{{"sum", {sum}}, {"read", {kRead}}, {"Y", {0}}};
  const Result<void> ran = interpret(program, storage);
  EXPECT_TRUE(ran) << ran.error().message;
  return storage["Y"][0];
}

void expect_function(const std::string& tail, const std::function<double(double)>& expected) {
  for (float sum : kSums) {
    const double value = expected(sum);
    EXPECT_NEAR(applied(tail, sum), value, 1e-6 * (1 + std::abs(value))) << tail << " of " << sum;
  }
}

TEST(Epilogue, None) {
  expect_function("", [](double x) { return x; });
}
TEST(Epilogue, Bias) {
  expect_function("+bias", [](double x) { return x + kRead; });
}
TEST(Epilogue, Add) {
  expect_function("+add", [](double x) { return x + kRead; });
}
TEST(Epilogue, Relu) {
  expect_function("+relu", [](double x) { return std::max(x, 0.0); });
}
TEST(Epilogue, Relu6) {
  expect_function("+relu6", [](double x) { return std::clamp(x, 0.0, 6.0); });
}
TEST(Epilogue, Clip) {
  expect_function("+clip(-2.5,3)", [](double x) { return std::clamp(x, -2.5, 3.0); });
}
TEST(Epilogue, Gelu) {
  expect_function("+gelu", [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); });
}
TEST(Epilogue, Silu) {
  expect_function("+silu", [](double x) { return x / (1 + std::exp(-x)); });
}
TEST(Epilogue, Sigmoid) {
  expect_function("+sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); });
}
TEST(Epilogue, Tanh) {
  expect_function("+tanh", [](double x) { return std::tanh(x); });
}

TEST(Epilogue, SeveralApplyInOrder) {
  expect_function("+bias+relu+add", [](double x) { return std::max(x + kRead, 0.0) + kRead; });
  expect_function("+relu+bias", [](double x) { return std::max(x, 0.0) + kRead; });
}

}  // namespace
}  // namespace dovetail
