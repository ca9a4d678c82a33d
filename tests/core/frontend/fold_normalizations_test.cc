// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/core/frontend/model_file.h"
#include "tests/support/graph_evaluator.h"

namespace dovetail {
namespace {

using testing::constant;
using testing::import_text;
using testing::nodes_of;
using testing::numbers;

// Imports a model with and without normalisation; the result of the latter is normalised by hand.
void expect_normalised(const std::string& weights, const std::string& convolution,
                       int64_t channels) {
  std::vector<float> variance = numbers(channels, 4);
  for (float& value : variance) value = std::abs(value) + 0.5F;
  const std::vector<float> scale = numbers(channels, 1);
  const std::vector<float> shift = numbers(channels, 2);
  const std::vector<float> mean = numbers(channels, 3);
  const std::string head = "g (float[2,4,5,5] x) => (y) {" + weights;
  const auto plain = import_text(head + "y = " + convolution + "}");
  const auto folded =
      import_text(head + constant("sc", {channels}, scale) + constant("sh", {channels}, shift) +
                  constant("me", {channels}, mean) + constant("va", {channels}, variance) + "t = " +
                  convolution + " y = BatchNormalization<epsilon = 0.25>(t, sc, sh, me, va) }");
  ASSERT_TRUE(plain) << plain.error().message;
  ASSERT_TRUE(folded) << folded.error().message;
  ASSERT_EQ(folded->nodes.size(), 1u) << print(*folded);
  const std::vector<testing::Floats> input = {numbers(2 * 4 * 5 * 5, 5)};
  const testing::Floats before = (*testing::evaluate(*plain, input))[0];
  const testing::Floats after = (*testing::evaluate(*folded, input))[0];
  const std::vector<int64_t> shape = logical_shape(*folded->nodes[0].op, Operand::output);
  for (size_t i = 0; i < after.size(); ++i) {
    const auto o = static_cast<size_t>(static_cast<int64_t>(i) / (shape[2] * shape[3]) % channels);
    const double expected =
        scale[o] * (before[i] - mean[o]) / std::sqrt(variance[o] + 0.25) + shift[o];
    ASSERT_NEAR(after[i], expected, 1e-4) << "element " << i;
  }
}

TEST(BatchNormalization, FoldsIntoAConvolution) {
  expect_normalised(constant("w", {6, 4, 3, 3}, numbers(216, 6)), "Conv(x, w)", 6);
}
TEST(BatchNormalization, FoldsIntoABias) {
  expect_normalised(
      constant("w", {6, 4, 3, 3}, numbers(216, 6)) + constant("b", {6}, numbers(6, 7)),
      "Conv(x, w, b)", 6);
}
TEST(BatchNormalization, FoldsIntoGroups) {
  expect_normalised(constant("w", {6, 2, 3, 3}, numbers(108, 6)), "Conv<group = 2>(x, w)", 6);
}
TEST(BatchNormalization, FoldsIntoATransposedConvolutionWithGroups) {
  expect_normalised(constant("w", {4, 3, 2, 2}, numbers(48, 6)),
                    "ConvTranspose<group = 2, strides = [2,2]>(x, w)", 6);
}
TEST(FactorOfEachChannel, FoldsIntoAConvolutionWithTheShiftBehindIt) {
  const std::vector<float> factor = numbers(6, 1), shift = numbers(6, 2);
  for (const char* bias : {"", ", b"}) {
    const std::string head = "g (float[2,4,5,5] x) => (y) {" +
                             constant("w", {6, 4, 3, 3}, numbers(216, 6)) +
                             constant("b", {6}, numbers(6, 7));
    const std::string convolution = std::string("Conv(x, w") + bias + ")";
    const auto plain = import_text(head + "y = " + convolution + "}");
    const auto folded =
        import_text(head + constant("f", {6, 1, 1}, factor) + constant("s", {1, 6, 1, 1}, shift) +
                    "t = " + convolution + " u = Mul(f, t) v = Add(u, s) y = Relu(v) }");
    ASSERT_TRUE(plain && folded);
    ASSERT_EQ(folded->nodes.size(), 2u) << print(*folded);
    const std::vector<testing::Floats> input = {numbers(2 * 4 * 5 * 5, 5)};
    const testing::Floats before = (*testing::evaluate(*plain, input))[0];
    const testing::Floats after = (*testing::evaluate(*folded, input))[0];
    for (size_t i = 0; i < after.size(); ++i) {
      const size_t o = i / 9 % 6;
      ASSERT_NEAR(after[i], std::max(0.0F, factor[o] * before[i] + shift[o]), 1e-4) << i;
    }
  }
}

TEST(FactorOfEachChannel, StaysOnOtherAxes) {
  const std::string head = "g (float[2,4,5,5] x) => (y) {" +
                           constant("w", {3, 4, 3, 3}, numbers(108, 6)) +
                           constant("f", {3}, numbers(3, 1));  // along the last axis
  const auto graph = import_text(head + "t = Conv(x, w) y = Mul(t, f) }");
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->nodes.size(), 2u) << print(*graph);
}

TEST(BatchNormalization, IsATailWhenItsInputsAreNotConstant) {
  EXPECT_EQ(nodes_of("g (float[1,4,8,8] x, float[6,4,3,3] w, float[6] s) => (y) {"
                     "t = Conv(x, w) y = BatchNormalization(t, s, s, s, s) }"),
            "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3+tail((@-A[o])*rsqrt(A[o]+1e-05)*A[o]+A[o])"
            " (x, w, s) -> y: f32[1,6,6,6]\n");
}

}  // namespace
}  // namespace dovetail
