// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/onnx_import.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "tests/core/frontend/model_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/graph_evaluator.h"

namespace dovetail {
namespace {

using testing::constant;
using testing::import_text;
using testing::nodes_of;
using testing::numbers;

// A graph of x and w whose body ends with y; `more` declares further inputs and constants.
std::string conv_graph(const std::string& body, const std::string& more = "") {
  return "g (float[1,4,8,8] x, float[6,4,3,3] w" + more + ") => (y) {" + body + "}";
}

struct Imported {
  const char* name;
  std::string text;   // graph in ONNX's text form
  std::string nodes;  // imported nodes, printed
};

class ImportedNodes : public ::testing::TestWithParam<Imported> {};

TEST_P(ImportedNodes, AreThese) { EXPECT_EQ(nodes_of(GetParam().text), GetParam().nodes); }

std::string name_of_case(const ::testing::TestParamInfo<Imported>& info) { return info.param.name; }

std::vector<Imported> convolutions() {
  const std::string to = " (x, w) -> y: f32";
  return {
      {"Plain", conv_graph("y = Conv(x, w)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3" + to + "[1,6,6,6]\n"},
      {"AsymmetricPads", conv_graph("y = Conv<pads = [0,1,2,3], strides = [2,1]>(x, w)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3,s=2x1,p=0:2x1:3" + to + "[1,6,4,10]\n"},
      {"SameUpper", conv_graph("y = Conv<auto_pad = \"SAME_UPPER\", strides = [2,2]>(x, w)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3,s=2,p=0:1" + to + "[1,6,4,4]\n"},
      {"SameLower", conv_graph("y = Conv<auto_pad = \"SAME_LOWER\", strides = [2,2]>(x, w)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3,s=2,p=1:0" + to + "[1,6,4,4]\n"},
      {"Valid", conv_graph("y = Conv<auto_pad = \"VALID\", dilations = [2,2]>(x, w)"),
       "Conv_0 = complex dil:ci=4,co=6,h=8,w=8,k=3,d=2" + to + "[1,6,4,4]\n"},
      {"Depthwise", "g (float[1,4,8,8] x, float[8,1,3,3] w) => (y) { y = Conv<group = 4>(x, w) }",
       "Conv_0 = complex dep:c=4,m=2,h=8,w=8,k=3 (x, w) -> y: f32[1,8,6,6]\n"},
      {"HalfPrecision", "g (float16[1,4,8] x, float16[8,4,3] w) => (y) { y = Conv(x, w) }",
       "Conv_0 = complex c1d:ci=4,co=8,w=8,k=3,dtype=f16 (x, w) -> y: f16[1,8,6]\n"},
      {"Transposed",
       "g (float[1,4,8,8] x, float[4,3,4,4] w) => (y) {"
       "y = ConvTranspose<group = 2, strides = [2,2], pads = [1,1,1,1]>(x, w) }",
       "ConvTranspose_0 = complex t2d:ci=4,co=6,h=8,w=8,k=4,s=2,p=1,g=2 (x, w) -> y: "
       "f32[1,6,16,16]\n"},
      {"TransposedRow",
       "g (float[1,4,8] x, float[4,3,4] w) => (y) { y = ConvTranspose<strides = [2]>(x, w) }",
       "ConvTranspose_0 = complex t2d:ci=4,co=3,h=1,w=8,k=1x4,s=1x2 (x, w) -> y: f32[1,3,18]\n"},
      {"FourAxes", "g (float[1,4,8,8,8,8] x, float[4,4,1,1,1,1] w) => (y) { y = Conv(x, w) }",
       "Conv_0 = complex Conv {not_tuned=\"rank 6, expected 3 to 5\"} (x, w) -> y: "
       "f32[1,4,8,8,8,8]\n"},
      {"DoublePrecision", "g (double[1,4,8] x, double[8,4,3] w) => (y) { y = Conv(x, w) }",
       "Conv_0 = complex Conv {not_tuned=\"element type f64\"} (x, w) -> y: f64[1,8,6]\n"},
      {"ComputedWeights", conv_graph("v = Relu(w) y = Conv(x, v)"),
       "Relu_0 = elementwise Relu (w) -> v: f32[6,4,3,3]\n"
       "Conv_1 = complex c2d:ci=4,co=6,h=8,w=8,k=3 (x, v) -> y: f32[1,6,6,6]\n"},
      {"WeightsFromConstantOfShape",
       "g (float[1,4,8] x) => (y) { s = Constant<value = int64[3] {8,4,3}>() "
       "w = ConstantOfShape<value = float[1] {0.5}>(s) y = Conv(x, w) }",
       "Conv_0 = complex c1d:ci=4,co=8,w=8,k=3 (x, w) -> y: f32[1,8,6]\n"},
      {"TransposedConstantWeights",
       "g (float[1,2,4] x) => (y) { v = Constant<value = float[1,2,3] {1,2,3,4,5,6}>() "
       "w = Transpose<perm = [1,0,2]>(v) y = Conv<group = 2>(x, w) }",
       "Conv_0 = complex c1d:ci=2,co=2,w=4,k=3,g=2 (x, w) -> y: f32[1,2,2]\n"},
  };
}
INSTANTIATE_TEST_SUITE_P(Convolutions, ImportedNodes, ::testing::ValuesIn(convolutions()),
                         name_of_case);

std::vector<Imported> matrix_products() {
  const auto matmul = [](const std::string& a, const std::string& b) {
    return "g (float" + a + " a, float" + b + " b) => (y) { y = MatMul(a, b) }";
  };
  return {
      {"Rows", matmul("[2,3,4]", "[4,5]"),
       "MatMul_0 = complex gmm:m=6,n=5,k=4,b_const=0 (a, b) -> y: f32[2,3,5]\n"},
      {"Batches", matmul("[2,7,3,4]", "[2,7,4,5]"),
       "MatMul_0 = complex gmm:b=14,m=3,n=5,k=4,b_const=0 (a, b) -> y: f32[2,7,3,5]\n"},
      {"BatchOfOne", matmul("[1,2,3,4]", "[2,4,5]"),
       "MatMul_0 = complex gmm:b=2,m=3,n=5,k=4,b_const=0 (a, b) -> y: f32[1,2,3,5]\n"},
      {"Vectors", matmul("[4]", "[4,5]"),
       "MatMul_0 = complex gmm:m=1,n=5,k=4,b_const=0 (a, b) -> y: f32[5]\n"},
      {"VectorOnTheRight", matmul("[3,4]", "[4]"),
       "MatMul_0 = complex gmm:m=3,n=1,k=4,b_const=0 (a, b) -> y: f32[3]\n"},
      {"Repeated", matmul("[3,4]", "[2,4,5]"),
       "MatMul_0 = complex MatMul {not_tuned=\"one operand is repeated over the other's batch, "
       "[3,4] and [2,4,5]\"} "
       "(a, b) -> y: f32[2,3,5]\n"},
      {"ConstantB",
       "g (float[3,2] a) => (y) { b = Constant<value = float[2,1] {1,2}>() y = MatMul(a, b) }",
       "MatMul_0 = complex gmm:m=3,n=1,k=2 (a, b) -> y: f32[3,1]\n"},
      {"GemmFoldsConstants",
       "g (float[3,2] a) => (y) { b = Constant<value = float[4,2] {1,2,3,4,5,6,7,8}>() "
       "c = Constant<value = float[1] {1}>() y = Gemm<alpha = 0.5, beta = 3.0, transB = 1>(a, b, "
       "c) }",
       "Gemm_0 = complex gmm:m=3,n=4,k=2+bias (a, b.folded, c.folded) -> y: f32[3,4]\n"},
      {"GemmWithColumn",
       "g (float[3,2] a, float[2,4] b, float[3,1] c) => (y) { y = Gemm(a, b, c) }",
       "Gemm_0 = complex gmm:m=3,n=4,k=2,b_const=0+tail(@+A[m]) (a, b, c) -> y: f32[3,4]\n"},
  };
}
INSTANTIATE_TEST_SUITE_P(MatrixProducts, ImportedNodes, ::testing::ValuesIn(matrix_products()),
                         name_of_case);

const std::string kGeluConstants =
    "root = Constant<value = float {1.41421356}>() inverse = Constant<value = float "
    "{0.70710678}>() "
    "one = Constant<value = float {1}>() half = Constant<value = float {0.5}>() ";

std::vector<Imported> epilogues() {
  const std::string spec = "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3";
  const std::string out = " -> y: f32[1,6,6,6]\n";
  const std::string six = "c = Constant<value = float[6,1,1] {1,2,3,4,5,6}>() ";
  return {
      {"Relu", conv_graph("t = Conv(x, w) y = Relu(t)"), spec + "+relu (x, w)" + out},
      {"Clip",
       conv_graph("lo = Constant<value = float {0.1}>() hi = Constant<value = float {2.5}>() "
                  "t = Conv(x, w) y = Clip(t, lo, hi)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3+clip(0.1,2.5) (x, w)" + out},
      {"Relu6",
       conv_graph("lo = Constant<value = float {0}>() hi = Constant<value = float {6}>() "
                  "t = Conv(x, w) y = Clip(t, lo, hi)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3+relu6 (x, w)" + out},
      {"ClipBelow", conv_graph("lo = Constant<value = float {0}>() t = Conv(x, w) y = Clip(t, lo)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3+relu (x, w)" + out},
      {"ClipAtRunTime", conv_graph("t = Conv(x, w) y = Clip(t, lo)", ", float lo"),
       spec + "+tail(max(@,A[0])) (x, w, lo)" + out},
      {"Sigmoid", conv_graph("t = Conv(x, w) u = Tanh(t) y = Sigmoid(u)"),
       spec + "+tanh+sigmoid (x, w)" + out},
      {"Silu", conv_graph("t = Conv(x, w) s = Sigmoid(t) y = Mul(t, s)"),
       spec + "+silu (x, w)" + out},
      {"GateOfAnother",
       conv_graph("t = Conv(x, w) s = Sigmoid(v) y = Mul(t, s)", ", float[1,6,6,6] v"),
       "Sigmoid_1 = elementwise Sigmoid (v) -> s: f32[1,6,6,6]\n" + spec +
           "+tail(@*A[n,o,h,w]) (x, w, s)" + out},
      {"BiasAfterwards", conv_graph(six + "t = Conv(x, w) u = Add(c, t) y = Relu(u)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3+bias+relu (x, w, c)" + out},
      {"BiasThatIsRowWise",
       conv_graph("c = Constant<value = float[6] {1,2,3,4,5,6}>() t = Conv(x, w) y = Add(t, c)"),
       spec + "+tail(@+A[w]:const=A) (x, w, c)" + out},
      {"BiasAfterRelu", conv_graph(six + "t = Conv(x, w) u = Relu(t) y = Add(u, c)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3+relu+bias (x, w, c)" + out},
      {"OneValue", conv_graph("c = Constant<value = float {2}>() t = Conv(x, w) y = Add(t, c)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3+bias (x, w, c.repeated)" + out},
      {"GeluOfDivision",
       conv_graph(kGeluConstants + "t = Conv(x, w) d = Div(t, root) e = Erf(d) a = Add(e, one) "
                                   "m = Mul(t, a) y = Mul(m, half)"),
       spec + "+gelu (x, w)" + out},
      {"GeluOfProducts",
       conv_graph(kGeluConstants + "t = Conv(x, w) d = Mul(inverse, t) e = Erf(d) a = Add(one, e) "
                                   "h = Mul(half, t) y = Mul(a, h)"),
       spec + "+gelu (x, w)" + out},
      {"NoGeluWhereTheErrorFunctionIsReadTwice",
       "g (float[1,4,8,8] x, float[6,4,3,3] w) => (y, e) {" + kGeluConstants +
           "t = Conv(x, w) d = Div(t, root) e = Erf(d) a = Add(e, one) m = Mul(t, a) "
           "y = Mul(m, half) }",
       spec +
           " (x, w) -> t: f32[1,6,6,6]\nDiv_1 = elementwise Div (t, root) -> d: f32[1,6,6,6]\n"
           "Erf_2 = elementwise Erf (d) -> e: f32[1,6,6,6]\n"
           "Add_3 = elementwise Add (e, one) -> a: f32[1,6,6,6]\n"
           "Mul_4 = elementwise Mul (t, a) -> m: f32[1,6,6,6]\n"
           "Mul_5 = elementwise Mul (m, half)" +
           out},
      {"SecondBias", conv_graph(six + "t = Conv(x, w, b) y = Add(t, c)", ", float[6] b"),
       spec + "+bias+tail(@+A[o]:const=A) (x, w, b, c)" + out},
      {"Addend", conv_graph("t = Conv(x, w) u = Add(v, t) y = Relu(u)", ", float[1,6,6,6] v"),
       spec + "+add+relu (x, w, v)" + out},
      {"AddendThenBias",
       conv_graph(six + "t = Conv(x, w) u = Add(v, t) y = Add(u, c)", ", float[1,6,6,6] v"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3+add+bias (x, w, c, v)" + out},
      {"AddendOfAnotherShape", conv_graph("t = Conv(x, w) y = Add(v, t)", ", float[6,6] v"),
       spec + "+tail(@+A[h,w]) (x, w, v)" + out},
      {"Doubled", conv_graph("t = Conv(x, w) y = Add(t, t)"), spec + "+tail(@+@) (x, w)" + out},
      {"TwoReaders", conv_graph("t = Conv(x, w) u = Relu(t) y = Add(u, t)"),
       spec + "+tail(@+max(@,0)) (x, w)" + out},
      {"GraphOutputBetween",
       "g (float[1,4,8,8] x, float[6,4,3,3] w) => (t, y) { t = Conv(x, w) y = Relu(t) }",
       spec + " (x, w) -> t: f32[1,6,6,6]\nRelu_1 = elementwise Relu (t)" + out},
      {"LargerTakesTheAddIn",
       "g (float[1,4,8,8] x, float[6,4,1,1] w, float[6,4,3,3] v) => (y) {"
       "a = Conv<pads = [1,1,1,1]>(x, v) b = Conv(x, w) s = Add(b, a) y = Relu(s) }",
       "Conv_1 = complex c2d:ci=4,co=6,h=8,w=8,k=1 (x, w) -> b: f32[1,6,8,8]\n"
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3,p=1+add+relu (x, v, b) -> y: f32[1,6,8,8]\n"},
      {"ThroughIdentity", conv_graph("i = Identity(x) t = Conv(i, w) d = Dropout(t) y = Relu(d)"),
       "Conv_1 = complex c2d:ci=4,co=6,h=8,w=8,k=3+relu (x, w)" + out},
      {"ThroughDropoutWhoseMaskIsNotRead",
       conv_graph("t = Conv(x, w) d, m = Dropout(t) y = Relu(d)"),
       "Conv_0 = complex c2d:ci=4,co=6,h=8,w=8,k=3+relu (x, w)" + out},
      {"MatMulBias",
       "g (float[2,3,4] a, float[4,2] b) => (y) { c = Constant<value = float[2] {1,2}>() t = "
       "MatMul(a, b) y = Add(t, c) }",
       "MatMul_0 = complex gmm:m=6,n=2,k=4,b_const=0+bias (a, b, c) -> y: f32[2,3,2]\n"},
  };
}
INSTANTIATE_TEST_SUITE_P(Epilogues, ImportedNodes, ::testing::ValuesIn(epilogues()), name_of_case);

std::vector<Imported> normalizations() {
  const std::string constants =
      "two = Constant<value = float {2}>() eps = Constant<value = float {0.5}>() "
      "s = Constant<value = float[4] {1,2,3,4}>() b = Constant<value = float[4] {4,3,2,1}>() ";
  const std::string chain = constants +
                            "m = ReduceMean<axes = [-1]>(x) d = Sub(x, m) p = Pow(d, two) "
                            "v = ReduceMean<axes = [-1]>(p) e = Add(v, eps) r = Sqrt(e) "
                            "n = Div(d, r) ";
  const auto graph = [](const std::string& body) {
    return "g (float[2,3,4] x) => (y) {" + body + "}";
  };
  const std::string node = " = reduction LayerNormalization {axis=2,epsilon=0.5} (x";
  return {
      {"WithScaleAndShift", graph(chain + "t = Mul(n, s) y = Add(t, b)"),
       "Add_8" + node + ", s, b) -> y: f32[2,3,4]\n"},
      {"Bare", graph(chain + "y = Relu(n)"),
       "Div_6" + node + ") -> n: f32[2,3,4]\nRelu_7 = elementwise Relu (n) -> y: f32[2,3,4]\n"},
      {"OfAnotherAxis",
       graph(constants + "m = ReduceMean<axes = [1]>(x) d = Sub(x, m) p = Mul(d, d) "
                         "v = ReduceMean<axes = [1]>(p) e = Add(v, eps) r = Sqrt(e) y = Div(d, r)"),
       "ReduceMean_0 = reduction ReduceMean {axes=[1]} (x) -> m: f32[2,1,4]\n"
       "Sub_1 = elementwise Sub (x, m) -> d: f32[2,3,4]\n"
       "Mul_2 = elementwise Mul (d, d) -> p: f32[2,3,4]\n"
       "ReduceMean_3 = reduction ReduceMean {axes=[1]} (p) -> v: f32[2,1,4]\n"
       "Add_4 = elementwise Add (v, eps) -> e: f32[2,1,4]\n"
       "Sqrt_5 = elementwise Sqrt (e) -> r: f32[2,1,4]\n"
       "Div_6 = elementwise Div (d, r) -> y: f32[2,3,4]\n"},
  };
}
INSTANTIATE_TEST_SUITE_P(Normalizations, ImportedNodes, ::testing::ValuesIn(normalizations()),
                         name_of_case);

TEST(Import, ListsUnknownOperators) {
  const auto graph = import_text(
      "g (float[2] x) => (y) { t = Mystery(x) u = Mystery(t) v = com.x.Odd(u) y = Relu(v) }");
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_ERROR(check_supported(*graph),
               "unsupported operators: Mystery (2: Mystery_0 Mystery_1), com.x::Odd (1: Odd_2)");
}

// libonnx 1.12 crashes where it follows the numbers of such a shape.
TEST(Import, InfersTheOtherShapesWhereAShapeIsOfWhatHasNoType) {
  EXPECT_EQ(nodes_of("g (float[2,3] x) => (y, z) { u = com.x.Odd(x) y = Shape(u) z = Relu(x) }"),
            "Odd_0 = unknown \"com.x::Odd\" (x) -> u: unknown[?]\n"
            "Shape_1 = data_movement Shape (u) -> y: i64[?]\n"
            "Relu_2 = elementwise Relu (x) -> z: f32[2,3]\n");
}

TEST(Import, TakesShapesForDynamicInputs) {
  const std::string text =
      "g (float[N,4,H,8] x, float[6,4,3,3] w) => (float[N,6,M,6] y) { y = Conv(x, w) }";
  EXPECT_ERROR(import_text(text), "dynamic shapes of x[N,4,H,8]; expected --shape NAME=");
  EXPECT_EQ(nodes_of(text, {.shapes = {{"x", {2, 4, 9, 8}}}}),
            "Conv_0 = complex c2d:n=2,ci=4,co=6,h=9,w=8,k=3 (x, w) -> y: f32[2,6,7,6]\n");
  EXPECT_ERROR(import_text(text, {.shapes = {{"x", {2, 5, 9, 8}}}}),
               "--shape x=2,5,9,8 does not fit the model; expected [N,4,H,8]");
  EXPECT_ERROR(import_text(text, {.shapes = {{"x", {2, 4}}}}), "does not fit the model");
  EXPECT_ERROR(import_text(text, {.shapes = {{"z", {2, 4}}}}),
               "--shape names z, which is no input; expected one of w x");
}

TEST(Import, ReadsShapeOptions) {
  const auto shape = parse_shape_option("x=1,3,224");
  ASSERT_TRUE(shape) << shape.error().message;
  EXPECT_EQ(*shape, (std::pair<std::string, std::vector<int64_t>>{"x", {1, 3, 224}}));
  EXPECT_EQ(parse_shape_option("a=b=2x3")->first, "a=b");
  for (const char* wrong :
       {"", "x", "x=", "=1", "x=0", "x=-1", "x=1,", "x=1,,2", "x=99999999999", "x=1;2"})
    EXPECT_ERROR(parse_shape_option(wrong), "expected NAME=1,3,224,224");
}

TEST(Gemm, ScalesConstantsByAlphaAndBeta) {
  const auto graph =
      import_text("g (float[3,2] a) => (y) {" + constant("b", {4, 2}, numbers(8, 1)) +
                  constant("c", {4}, numbers(4, 2)) +
                  "y = Gemm<alpha = 0.5, beta = 3.0, transB = 1>(a, b, c) }");
  ASSERT_TRUE(graph) << graph.error().message;
  const std::vector<float> a = numbers(6, 3);
  const testing::Floats y = (*testing::evaluate(*graph, {a}))[0];
  for (size_t m = 0; m < 3; ++m)
    for (size_t n = 0; n < 4; ++n) {
      double sum = 0;
      for (size_t k = 0; k < 2; ++k) sum += a[m * 2 + k] * numbers(8, 1)[n * 2 + k];
      EXPECT_NEAR(y[m * 4 + n], 0.5 * sum + 3 * numbers(4, 2)[n], 1e-5);
    }
}

}  // namespace
}  // namespace dovetail
