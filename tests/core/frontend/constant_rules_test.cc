// SPDX-License-Identifier: Apache-2.0
// Rules that fold constants during import, against ONNX's own cases: each one-node case whose
// operator has a rule is imported with its inputs as constants.
#include "core/frontend/constants/constant_rules.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/frontend/onnx/tensor.h"
#include "tests/core/frontend/model_file.h"
#include "tests/onnx/onnx_testdata.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;
using testing::import_bytes;
using testing::import_text;
using testing::nodes_of;

// The model of a case of one node that has a rule, with its inputs as constants; none of others.
std::optional<onnx::ModelProto> with_constant_inputs(const fs::path& folder) {
  onnx::ModelProto model;
  std::ifstream stream(folder / "model.onnx", std::ios::binary);
  if (!model.ParseFromIstream(&stream)) return std::nullopt;
  onnx::GraphProto& graph = *model.mutable_graph();
  if (graph.node_size() != 1 || !has_constant_rule(graph.node(0).op_type())) return std::nullopt;
  for (int i = 0; i < graph.input_size(); ++i) {
    const std::string file = "test_data_set_0/input_" + std::to_string(i) + ".pb";
    std::ifstream data(folder / file, std::ios::binary);
    onnx::TensorProto tensor;
    if (!graph.input(i).type().has_tensor_type() || !tensor.ParseFromIstream(&data))
      return std::nullopt;
    if (tensor.data_type() != graph.input(i).type().tensor_type().elem_type()) return std::nullopt;
    tensor.set_name(graph.input(i).name());
    *graph.add_initializer() = tensor;
  }
  return model;
}

void expect_equal(const GraphTensor& found, const GraphTensor& expected, double relative = 1e-5) {
  ASSERT_TRUE(found.data.has_value());
  if (found.type == ElementType::bf16 && expected.type == ElementType::u16)
    return expect_equal(found, with_bfloats(expected), kCutBfloat);
  EXPECT_EQ(found.type, expected.type);
  EXPECT_EQ(found.shape, expected.shape);
  ASSERT_EQ(found.data->size(), expected.data->size());
  if (found.data->empty()) return;
  ASSERT_EQ(found.data->type(), expected.data->type());
  if (found.data->type() == ElementType::i64) {
    EXPECT_EQ(integers_of(*found.data), integers_of(*expected.data));
    return;
  }
  const auto numbers = found.data->as<float>(), rights = expected.data->as<float>();
  for (size_t i = 0; i < rights.size(); ++i) {
    if (std::isnan(rights[i])) {
      EXPECT_TRUE(std::isnan(numbers[i])) << i;
      continue;
    }
    if (numbers[i] == rights[i]) continue;  // infinities
    EXPECT_NEAR(numbers[i], rights[i], relative + relative * std::abs(rights[i])) << i;
  }
}

TEST(ConstantRules, GiveWhatOnnxSays) {
  std::map<std::string, int> folded;
  const auto folders = list_onnx_cases(kOnnxTestDataFolder);
  ASSERT_TRUE(folders) << folders.error().message;
  for (const fs::path folder : *folders) {
    const auto model = with_constant_inputs(folder);
    if (!model) continue;
    SCOPED_TRACE(folder.filename().string());
    const auto graph = import_bytes(model->SerializeAsString());
    ASSERT_TRUE(graph) << graph.error().message;
    if (!graph->nodes.empty()) continue;  // double, half precision, u8, …
    ++folded[model->graph().node(0).op_type()];
    for (size_t i = 0; i < graph->outputs.size(); ++i) {
      const auto expected = read_onnx_tensor(
          (folder / ("test_data_set_0/output_" + std::to_string(i) + ".pb")).string());
      ASSERT_TRUE(expected) << expected.error().message;
      expect_equal(graph->tensors.at(static_cast<size_t>(graph->outputs[i])), *expected);
    }
  }
  for (const char* type : {"Abs",
                           "Add",
                           "And",
                           "Cast",
                           "Ceil",
                           "Concat",
                           "ConstantOfShape",
                           "Cos",
                           "Div",
                           "Equal",
                           "Exp",
                           "Expand",
                           "Flatten",
                           "Floor",
                           "Gather",
                           "GatherElements",
                           "GatherND",
                           "Greater",
                           "GreaterOrEqual",
                           "Identity",
                           "Less",
                           "LessOrEqual",
                           "Log",
                           "Max",
                           "Min",
                           "Mod",
                           "Mul",
                           "Neg",
                           "NonZero",
                           "Not",
                           "OneHot",
                           "Or",
                           "Pow",
                           "Range",
                           "Reciprocal",
                           "ReduceL1",
                           "ReduceL2",
                           "ReduceLogSum",
                           "ReduceLogSumExp",
                           "ReduceMax",
                           "ReduceMean",
                           "ReduceMin",
                           "ReduceProd",
                           "ReduceSum",
                           "ReduceSumSquare",
                           "Reshape",
                           "Sign",
                           "Sin",
                           "Slice",
                           "Split",
                           "Sqrt",
                           "Squeeze",
                           "Sub",
                           "Sum",
                           "Tile",
                           "Transpose",
                           "Unsqueeze",
                           "Where",
                           "Xor"})
    EXPECT_GT(folded[type], 0) << type;
  int cases = 0;
  for (const auto& [type, count] : folded) cases += count;
  EXPECT_GE(cases, 150);
}

// As torch writes them: the shape of a tensor that depends on the input's.
TEST(FoldConstants, ComputesShapesOfShapes) {
  EXPECT_EQ(nodes_of("g (float[2,3,8] x) => (y) {"
                     "s = Shape(x) zero = Constant<value = int64 {0}>() n = Gather(s, zero) "
                     "axes = Constant<value = int64[1] {0}>() one = Unsqueeze(n, axes) "
                     "rest = Constant<value = int64[2] {-1,4}>() "
                     "shape = Concat<axis = 0>(one, rest) "
                     "r = Reshape(x, shape) w = Constant<value = float[4,1] {1,2,3,4}>() "
                     "y = MatMul(r, w) }"),
            "Reshape_0 = data_movement Reshape (x, shape) -> r: f32[2,6,4]\n"
            "MatMul_1 = complex gmm:m=12,n=1,k=4 (r, w) -> y: f32[2,6,1]\n");
}

// BERT's mask without one: Expand to a shape in which -1 stands for 1.
TEST(FoldConstants, GoesOnWhereAShapeIsKnownOnlyNow) {
  EXPECT_EQ(
      nodes_of("g (float[1,4] x) => (y) {"
               "shape = Constant<value = int64[2] {3,-1}>() "
               "rank = Shape(shape) ones = ConstantOfShape<value = int64[1] {1}>(rank) "
               "minus = Constant<value = int64 {-1}>() unknown = Mul(ones, minus) "
               "is = Equal(shape, unknown) final = Where(is, ones, shape) "
               "e = Expand(x, final) s = Shape(e) v = ConstantOfShape<value = float[1] {0.5}>(s) "
               "y = Add(e, v) }"),
      "Expand_0 = data_movement Expand (x, final) -> e: f32[3,4]\n"
      "Add_1 = elementwise Add (e, v) -> y: f32[3,4]\n");
}

TEST(FoldConstants, LeavesWhatHasNoAnswer) {
  const auto constant_pair = [](const std::string& body) {
    return nodes_of(
        "g (int64[2] x) => (y) { a = Constant<value = int64[2] {7,-7}>() "
        "b = Constant<value = int64[2] {2,0}>() " +
        body + " }");
  };
  EXPECT_EQ(constant_pair("c = Div(a, b) y = Add(x, c)"),
            "Div_0 = elementwise Div (a, b) -> c: i64[2]\n"
            "Add_1 = elementwise Add (x, c) -> y: i64[2]\n");
}

TEST(FoldConstants, WholeNumbersAreOnesOwn) {
  const auto value = [](const std::string& body) {
    const auto graph = import_text("g (int64[1] x) => (y, z) { z = Identity(x) " + body + " }");
    EXPECT_TRUE(graph) << graph.error().message;
    const auto numbers =
        graph->tensors.at(static_cast<size_t>(graph->outputs[0])).data->as<int64_t>();
    return std::vector<int64_t>(numbers.begin(), numbers.end());
  };
  const std::string pair =
      "a = Constant<value = int64[4] {7,-7,7,-7}>() b = Constant<value = int64[4] {2,2,-2,-2}>() ";
  using Numbers = std::vector<int64_t>;
  EXPECT_EQ(value(pair + "y = Div(a, b)"), (Numbers{3, -3, -3, 3}));  // towards 0, as in C
  EXPECT_EQ(value(pair + "y = Mod(a, b)"), (Numbers{1, 1, -1, -1}));  // the divisor's sign
  EXPECT_EQ(value("a = Constant<value = int64[1] {9223372036854775807}>() y = Neg(a)"),
            (Numbers{-9223372036854775807}));
}

}  // namespace
}  // namespace dovetail
