// SPDX-License-Identifier: Apache-2.0
// Changes in ONNX's operators after operator set 17. Expected numbers: onnxruntime 1.32 on inputs
// 1, 2, 3, …; for "Resize from the middle", ONNX's own reference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "campaign/run/npy.h"
#include "campaign/run/run.h"
#include "core/ir/graph/graph.h"
#include "tests/core/frontend/model_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;
using Floats = std::vector<float>;

struct NewerCase {
  const char* name;
  int opset;
  std::vector<int64_t> x, y;  // shapes
  std::string nodes;
  Floats expected;
};

std::vector<NewerCase> newer_cases() {
  return {
      {"ReduceMeanOfAxesThatAreAnInput",
       18,
       {2, 3},
       {2},
       "axes = Constant <value = int64[1] {1}> () y = ReduceMean <keepdims = 0> (x, axes)",
       {2, 5}},
      {"ReduceL2OfAll", 18, {2, 3}, {1, 1}, "y = ReduceL2 (x)", {9.53939F}},
      {"ReduceMaxOfNoAxes",
       18,
       {2, 3},
       {2, 3},
       "axes = Constant <value = int64[0] {}> () "
       "y = ReduceMax <noop_with_empty_axes = 1> (x, axes)",
       {1, 2, 3, 4, 5, 6}},
      {"SplitInPartsOfWhichTheLastIsShorter",
       18,
       {5},
       {1},
       "a, b, y = Split <num_outputs = 3> (x)",
       {5}},
      {"PadOfOneAxis",
       18,
       {2, 3},
       {2, 5},
       "p = Constant <value = int64[2] {1, 1}> () n = Constant <value = float {9.0}> () "
       "a = Constant <value = int64[1] {-1}> () y = Pad (x, p, n, a)",
       {9, 1, 2, 3, 9, 9, 4, 5, 6, 9}},
      {"PadThatWraps",
       19,
       {4},
       {9},
       "p = Constant <value = int64[2] {2, 3}> () y = Pad <mode = \"wrap\"> (x, p)",
       {3, 4, 1, 2, 3, 4, 1, 2, 3}},
      {"ResizeOfOneAxis",
       18,
       {2, 3},
       {2, 6},
       "s = Constant <value = float[1] {2.0}> () "
       "y = Resize <axes = [1], mode = \"linear\"> (x, , s)",
       {1, 1.25, 1.75, 2.25, 2.75, 3, 4, 4.25, 4.75, 5.25, 5.75, 6}},
      {"ResizeThatKeepsProportions",
       18,
       {1, 1, 2, 4},
       {1, 1, 3, 6},
       "s = Constant <value = int64[2] {3, 7}> () "
       "y = Resize <axes = [2, 3], keep_aspect_ratio_policy = \"not_larger\"> (x, , , s)",
       {1, 1, 2, 3, 3, 4, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8}},
      {"ResizeFromTheMiddle",
       19,
       {5},
       {3},
       "s = Constant <value = float[1] {0.7}> () "
       "y = Resize <coordinate_transformation_mode = \"half_pixel_symmetric\", "
       "mode = \"linear\"> (x, , s)",
       {1.57143F, 3, 4.42857F}},
      {"Gelu", 20, {3}, {3}, "y = Gelu (x)", {0.841345F, 1.9545F, 2.99595F}},
      {"GeluByTanh",
       20,
       {3},
       {3},
       "y = Gelu <approximate = \"tanh\"> (x)",
       {0.841192F, 1.9546F, 2.99636F}},
      {"Mish", 18, {3}, {3}, "y = Mish (x)", {0.865098F, 1.94396F, 2.98654F}},
      {"GroupNormalization",
       21,
       {1, 4, 2},
       {1, 4, 2},
       "s = Constant <value = float[4] {1.0, 2.0, 3.0, 4.0}> () "
       "b = Constant <value = float[4] {0.0, 0.0, 1.0, 0.0}> () "
       "y = GroupNormalization <num_groups = 2> (x, s, b)",
       {-1.34164F, -0.447212F, 0.894424F, 2.68327F, -3.02491F, -0.341635F, 1.78885F, 5.36654F}},
      {"GroupNormalizationScaledByGroups",
       18,
       {1, 4, 2},
       {1, 4, 2},
       "s = Constant <value = float[2] {1.0, 2.0}> () "
       "b = Constant <value = float[2] {0.0, 1.0}> () "
       "y = GroupNormalization <num_groups = 2> (x, s, b)",
       {-1.34164F, -0.447212F, 0.447212F, 1.34164F, -1.68327F, 0.105576F, 1.89442F, 3.68327F}},
      {"CenterCropPad",
       18,
       {3, 4},
       {5, 2},
       "s = Constant <value = int64[2] {5, 2}> () y = CenterCropPad (x, s)",
       {0, 0, 2, 3, 6, 7, 10, 11, 0, 0}},
      {"ScatterElementsOfTheLargest",
       18,
       {3},
       {3},
       "i = Constant <value = int64[2] {1, 1}> () u = Constant <value = float[2] {1.0, 7.0}> () "
       "y = ScatterElements <reduction = \"max\"> (x, i, u)",
       {1, 7, 3}},
      {"AveragePoolWithGaps",
       19,
       {1, 1, 6},
       {1, 1, 4},
       "y = AveragePool <kernel_shape = [3], dilations = [2], pads = [1, 1]> (x)",
       {3, 3, 4, 4}},
      {"MaxPoolWithoutAWindowBehindItsInput",
       18,
       {1, 1, 3},
       {1, 1, 1},
       "y = MaxPool <kernel_shape = [1], strides = [3], ceil_mode = 1> (x)",
       {1}},
      {"LpPoolWithGaps",
       18,
       {1, 1, 5},
       {1, 1, 3},
       "y = LpPool <kernel_shape = [2], dilations = [2]> (x)",
       {3.16228F, 4.47214F, 5.83095F}},
  };
}

std::string model_of(const NewerCase& one) {
  const std::string text =
      "g (float[" + fmt::format("{}", fmt::join(one.x, ",")) + "] x) => (y) { " + one.nodes + " }";
  return testing::write_file(std::string(one.name) + ".onnx",
                             testing::model_bytes(text, one.opset));
}

class NewerOpsets : public ::testing::TestWithParam<NewerCase> {};

TEST_P(NewerOpsets, ComputeWhatTheyMust) {
  const NewerCase& one = GetParam();
  const testing::TemporaryFolder folder;
  Floats x(static_cast<size_t>(num_elements(one.x)));
  std::iota(x.begin(), x.end(), 1.0F);
  ASSERT_TRUE(
      write_npy(folder.path("input_0.npy"), NDArray(ElementType::f32, one.x, std::move(x))));
  RunSpecOptions options;
  options.spec = model_of(one);
  options.inputs = folder.path("");
  options.outputs = folder.path("out");
  const auto run = right(run_spec(options, {}));
  EXPECT_EQ(run.rows[0].reason, "");
  const NDArray found = right(read_npy(folder.path("out/output_0.npy")));
  EXPECT_EQ(found.shape(), one.y);
  ASSERT_EQ(found.size(), one.expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found.real(i), one.expected[i], 1e-5 * (1 + std::abs(one.expected[i]))) << i;
}

INSTANTIATE_TEST_SUITE_P(Onnx, NewerOpsets, ::testing::ValuesIn(newer_cases()),
                         [](const auto& info) { return std::string(info.param.name); });

// An unknown attribute of a newer operator set may change the result, so the model is refused.
TEST(NewerOpsetsRefuse, AnAttributeThatTheyDoNotKnow) {
  const std::string text =
      "g (float[4] x, float[2] s) => (y) { y = DequantizeLinear <blocks = 2> (x, s) }";
  EXPECT_ERROR(testing::import_bytes(testing::model_bytes(text, 21)),
               "Unrecognized attribute: blocks for operator DequantizeLinear");
}

TEST(NewerOpsetsRefuse, OlderFormsOfAnOperator) {
  const std::string text =
      "g (float[2,3] x) => (y) { y = ReduceMean <axes = [1], keepdims = 0> (x) }";
  EXPECT_TRUE(testing::import_bytes(testing::model_bytes(text, 17)));
  EXPECT_ERROR(testing::import_bytes(testing::model_bytes(text, 18)),
               "Unrecognized attribute: axes for operator ReduceMean");
}

}  // namespace
}  // namespace dovetail
