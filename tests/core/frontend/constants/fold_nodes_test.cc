// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/constants/fold_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <cmath>
#include <functional>
#include <string>

#include "tests/core/frontend/model_file.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::constant;
using testing::import_bytes;
using testing::import_text;
using testing::model_bytes;
using testing::nodes_of;

// The second operand of the only operator with a spec.
std::vector<float> weights_of(const Result<Graph>& graph) {
  EXPECT_TRUE(graph) << graph.error().message;
  if (!graph) return {};
  for (const GraphNode& node : graph->nodes) {
    if (!node.op) continue;
    const GraphTensor& weights = graph->tensors.at(static_cast<size_t>(node.inputs[1]));
    EXPECT_TRUE(weights.data.has_value()) << weights.name;
    return weights.data ? floats_of(*weights.data) : std::vector<float>();
  }
  ADD_FAILURE() << print(*graph);
  return {};
}

const std::string kPointwise = "g (float[1,2,4,4] x) => (y) { ";

TEST(FoldNodes, DequantizesWeights) {
  EXPECT_EQ(weights_of(import_text(kPointwise +
                                   "q = Constant<value = int8[2,2,1,1] {-8, 3, 127, -128}>() " +
                                   constant("s", {2}, {0.5, 0.25}) +
                                   "z = Constant<value = int8[2] {2, -1}>() "
                                   "w = DequantizeLinear<axis = 0>(q, s, z) y = Conv(x, w) }")),
            (std::vector<float>{-5, 0.5, 32, -31.75}));
}

TEST(FoldNodes, NormalizesWeights) {
  const std::string w =
      constant("v", {2, 2, 1, 1}, {3, 4, 6, 8}) + constant("g", {2, 1, 1, 1}, {1, 5});
  const std::vector<float> expected = {0.6F, 0.8F, 3, 4};
  EXPECT_EQ(weights_of(import_text(kPointwise + w +
                                   "n = ReduceL2<axes = [1, 2, 3], keepdims = 1>(v) "
                                   "u = Div(v, n) w = Mul(u, g) y = Conv(x, w) }")),
            expected);
  EXPECT_EQ(weights_of(import_text(
                kPointwise + w +
                "two = Constant<value = float {2}>() p = Pow(v, two) "
                "a = Constant<value = int64[3] {1, 2, 3}>() s = ReduceSum<keepdims = 1>(p, a) "
                "n = Sqrt(s) u = Div(v, n) w = Mul(u, g) y = Conv(x, w) }")),
            expected);
}

// Every operator that a region can express is folded, also those with a spec.
TEST(FoldNodes, FoldsWhateverARegionSays) {
  const std::string v = constant("v", {2, 2, 1, 1}, {1, -2, 3, -4});
  const struct {
    const char* nodes;
    std::vector<float> expected;
  } cases[] = {
      {"w = Relu(v)", {1, 0, 3, 0}},
      {"w = Clip(v, , )", {1, -2, 3, -4}},
      {"h = Cast<to = 10>(v) n = Neg(h) w = Cast<to = 1>(n)", {-1, 2, -3, 4}},
      {"d = Cast<to = 11>(v) n = Neg(d) w = Cast<to = 1>(n)", {-1, 2, -3, 4}},
      {"b = Cast<to = 3>(v) w = Cast<to = 1>(b)", {1, -2, 3, -4}},
      {"w = Softmax<axis = 3>(v)", {1, 1, 1, 1}},
      {"w = Transpose<perm = [1, 0, 2, 3]>(v)", {1, 3, -2, -4}},
      {"t = Reshape(v, m) u = MatMul(t, t) w = Reshape(u, f)", {-5, 6, -9, 10}},
      {"t = Reshape(v, m) u = Gemm<alpha = 2.0>(t, t) w = Reshape(u, f)", {-10, 12, -18, 20}},
      {"i = Constant<value = int64[2] {1, -2}>() w = Gather<axis = 0>(v, i)", {3, -4, 1, -2}},
      {"i = Constant<value = int64[1,1] {1}>() u = Constant<value = float[1,2,1,1] {7, 8}>() "
       "w = ScatterND(v, i, u)",
       {1, -2, 7, 8}},
      {"z = Constant<value = float {0}>() c = Less(v, z) w = Where(c, z, v)", {1, 0, 3, 0}},
      {"i = Identity(v) d = Dropout(i) w = Mul(d, d)", {1, 4, 9, 16}},
      {"w = Conv(v, f1)", {-2, 1, -4, 3}},
  };
  for (const auto& one : cases)
    EXPECT_EQ(weights_of(import_text(kPointwise + v +
                                     "m = Constant<value = int64[2] {2, 2}>() "
                                     "f = Constant<value = int64[4] {2, 2, 1, 1}>() "
                                     "f1 = Constant<value = float[2,2,1,1] {0, 1, 1, 0}>() " +
                                     one.nodes + " y = Conv(x, w) }")),
              one.expected)
        << one.nodes;
}

TEST(FoldNodes, FoldsWeightsOfAllComplexOperators) {
  for (const char* node :
       {"y = ConvTranspose(x, w)",
        "k = Constant<value = int64[2] {4, 8}>() r = Reshape(x, k) "
        "h = Constant<value = int64[2] {8, 2}>() v = Reshape(w, h) "
        "y = MatMul(r, v)",
        "k = Constant<value = int64[2] {4, 8}>() r = Reshape(x, k) "
        "h = Constant<value = int64[2] {2, 8}>() v = Reshape(w, h) y = Gemm<transB = 1>(r, v)"})
    EXPECT_EQ(weights_of(import_text(kPointwise +
                                     "q = Constant<value = uint8[2,2,2,2] "
                                     "{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}>() " +
                                     constant("s", {1}, {0.5}) + "w = DequantizeLinear(q, s) " +
                                     node + " }"))
                  .size(),
              16U)
        << node;
}

std::string int4_model(const std::function<void(onnx::ModelProto&)>& change) {
  onnx::ModelProto model;
  model.ParseFromString(
      model_bytes("g (float[1,8] x, int8[8,1] q, float[2,1] s) => (y) "
                  "{ w = DequantizeLinear<axis = 0>(q, s) y = MatMul(x, w) }",
                  21));
  auto& graph = *model.mutable_graph();
  graph.mutable_input()->DeleteSubrange(1, 2);
  auto& attribute = *graph.mutable_node(0)->add_attribute();
  attribute.set_name("block_size");
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(4);
  auto& q = *graph.add_initializer();
  q.set_name("q");
  q.set_data_type(22);  // INT4
  q.add_dims(8);
  q.add_dims(1);
  q.set_raw_data(std::string("\x10\x32\x98\xfe", 4));  // 0 1 2 3 -8 -7 -2 -1
  auto& s = *graph.add_initializer();
  s.set_name("s");
  s.set_data_type(onnx::TensorProto::FLOAT);
  s.add_dims(2);
  s.add_dims(1);
  s.add_float_data(1);
  s.add_float_data(0.5);
  change(model);
  return model.SerializeAsString();
}

TEST(FoldNodes, DequantizesBlocksOfInt4) {
  EXPECT_EQ(weights_of(import_bytes(int4_model([](auto&) {}))),
            (std::vector<float>{0, 1, 2, 3, -4, -3.5, -1, -0.5}));
  EXPECT_ERROR(import_bytes(int4_model([](onnx::ModelProto& model) {
                 model.mutable_graph()->mutable_initializer(0)->set_raw_data("abc");
               })),
               "initializer q has 3 bytes of int4; expected 4, two elements in each");
}

TEST(FoldNodes, WeightsOfActivationsAreOperands) {
  EXPECT_EQ(nodes_of(kPointwise + constant("v", {2, 2, 1, 1}, {1, 2, 3, 4}) +
                     "s = GlobalAveragePool(x) w = Mul(v, s) y = Conv(x, w) }"),
            "GlobalAveragePool_0 = reduction GlobalAveragePool (x) -> s: f32[1,2,1,1]\n"
            "Mul_1 = elementwise Mul (v, s) -> w: f32[2,2,1,1]\n"
            "Conv_2 = complex c2d:ci=2,co=2,h=4,w=4,k=1 (x, w) -> y: f32[1,2,4,4]\n");
}

// A small file may ask for much, node by node.
TEST(FoldNodes, HasABudget) {
  std::string text = "g (float[2] x) => (y) { c0 = Constant<value = float[2] {1, 2}>() ";
  for (int i = 0; i < 40; ++i) {
    const std::string before = "c" + std::to_string(i);
    text += "c" + std::to_string(i + 1) + " = Concat<axis = 0>(" + before + ", " + before + ") ";
  }
  EXPECT_ERROR(import_text(text + "y = Add(x, c40) }"),
               "node Concat (Concat) reads 134217728 elements of constants; expected at most ");
}

TEST(EmptyTensors, AreNoOperands) {
  const std::string relu = "Relu_0 = elementwise Relu (x) -> ";
  for (const char* nodes :
       {"e = Constant<value = float[0,4] {}>() c = Concat<axis = 0>(r, e) y = Neg(c)",
        "e = Constant<value = float[2,0] {}>() c = Concat<axis = 1>(e, r, e) y = Neg(c)",
        "p = Constant<value = int64[2] {0, 4}>() e, c = Split<axis = 1>(r, p) y = Neg(c)",
        "a = Constant<value = int64[1] {0}>() b = Constant<value = int64[1] {0}>() "
        "e = Slice(r, a, b) c = Concat<axis = 0>(e, r) y = Neg(c)",
        "a = Constant<value = int64[1] {5}>() b = Constant<value = int64[1] {9}>() "
        "e = Slice(r, a, b) n = Neg(e) s = Shape(n) i = Constant<value = int64 {0}>() "
        "k = Gather(s, i) z = Constant<value = int64 {0}>() q = Equal(k, z) f = Cast<to = 1>(q) "
        "c = Mul(r, f) y = Neg(c)"}) {
    const std::string found =
        nodes_of(std::string("g (float[2,4] x) => (y) { r = Relu(x) ") + nodes + " }");
    EXPECT_THAT(found, ::testing::StartsWith(relu)) << nodes;
    EXPECT_THAT(found, ::testing::HasSubstr("-> y: f32[2,4]")) << nodes;
    EXPECT_THAT(found, ::testing::Not(::testing::HasSubstr("Concat"))) << nodes;
  }
}

TEST(EmptyTensors, AreReducedToWhatNothingIs) {
  const struct {
    const char* node;
    float expected;
  } cases[] = {{"ReduceSum", 0},
               {"ReduceProd<axes = [0]>", 1},
               {"ReduceMax<axes = [0]>", -INFINITY},
               {"ReduceMin<axes = [0]>", INFINITY},
               {"ReduceL2<axes = [0]>", 0},
               {"ReduceLogSum<axes = [0]>", -INFINITY}};
  for (const auto& one : cases) {
    const auto graph = import_text(
        "g (float[2] x) => (y) { e = Constant<value = float[0] {}>() s = " + std::string(one.node) +
        "(e)" + " y = Add(x, s) }");
    ASSERT_TRUE(graph) << graph.error().message;
    const GraphTensor& sum =
        graph->tensors.at(static_cast<size_t>(graph->nodes.at(0).inputs.at(1)));
    ASSERT_TRUE(sum.data.has_value());
    EXPECT_EQ(floats_of(*sum.data), std::vector<float>{one.expected}) << one.node;
  }
}

TEST(Elements, IndicesAreWithinTheirAxis) {
  const auto gather = [](const std::string& index) {
    return "g (float[8] x) => (y) { i = Constant<value = int64[1] {" + index +
           "}>() y = Gather(x, i) }";
  };
  EXPECT_TRUE(import_text(gather("-8")));
  EXPECT_TRUE(import_text(gather("7")));
  EXPECT_ERROR(import_text(gather("8")),
               "node Gather_0 (Gather): index 8 of an axis of 8; expected -8 to 7");
  EXPECT_ERROR(import_text(gather("-9")), "index -9 of an axis of 8");
  for (const char* node :
       {"y = GatherElements<axis = 1>(x, i)", "y = ScatterElements<axis = 1>(x, i, u)",
        "j = Constant<value = int64[1,2] {1, 3}>() y = GatherND(x, j)",
        "j = Constant<value = int64[1,2] {-3, 0}>() v = Constant<value = float[1] {1}>() "
        "y = ScatterND(x, j, v)",
        "c = Constant<value = float[2,3] {1,2,3,4,5,6}>() k = Constant<value = int64 {2}>() "
        "d = Gather(c, k) e = Gather(d, k) y = Add(x, e)"})
    EXPECT_ERROR(import_text("g (float[2,3] x) => (y) { i = Constant<value = int64[1,1] {3}>() "
                             "u = Constant<value = float[1,1] {1}>() " +
                             std::string(node) + " }"),
                 "expected -")
        << node;
}

TEST(Elements, AReshapeKeepsAll) {
  EXPECT_ERROR(import_text("g (float[64] x) => (y) { s = Constant<value = int64[2] {7, 9}>() "
                           "y = Reshape(x, s) }"),
               "node Reshape_0 (Reshape) makes [7,9] of [64]; expected as many elements");
}

}  // namespace
}  // namespace dovetail
