// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/model/control_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <string>

#include "tests/core/frontend/model_file.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::import_text;
using testing::nodes_of;

const std::string kBranches =
    "then_branch = t () => (float[2,3] o) { o = Relu(x) }, "
    "else_branch = e () => (float[2,3] o) { o = Neg(x) }";

std::string if_of(const std::string& condition, const std::string& branches = kBranches) {
  return "g (float[2,3] x) => (y) { " + condition + " y = If<" + branches + ">(c) }";
}

TEST(ControlFlow, TakesTheBranchOfAConstant) {
  const std::string relu = "Relu_0 = elementwise Relu (x) -> y/o: f32[2,3]\n";
  EXPECT_THAT(nodes_of(if_of("c = Constant<value = bool {1}>()")), ::testing::StartsWith(relu));
  EXPECT_THAT(nodes_of(if_of("c = Constant<value = bool[1] {0}>()")),
              ::testing::StartsWith("Neg_0 = elementwise Neg (x) -> y/o: f32[2,3]\n"));
}

TEST(ControlFlow, TakesTheBranchOfWhatFoldingFinds) {
  EXPECT_THAT(nodes_of(if_of("s = Shape(x) i = Constant<value = int64 {1}>() n = Gather(s, i) "
                             "three = Constant<value = int64 {3}>() c = Equal(n, three)")),
              ::testing::StartsWith("Relu_0 = elementwise Relu (x)"));
}

TEST(ControlFlow, TakesBranchesWithinBranches) {
  const std::string nodes = nodes_of(
      "g (float[2,3] x) => (y, z) { c = Constant<value = bool {1}>() "
      "y = If<then_branch = t () => (float[2,3] o) { d = Not(c) u = Abs(x) "
      "o = If<then_branch = t () => (float[2,3] p) { p = Relu(u) }, "
      "else_branch = e () => (float[2,3] p) { p = Neg(u) }>(d) }, "
      "else_branch = e () => (float[2,3] o) { o = Neg(x) }>(c) "
      "z = If<then_branch = t () => (float[2,3] o) { o = Exp(x) }, "
      "else_branch = e () => (float[2,3] o) { o = Neg(x) }>(c) }");
  EXPECT_THAT(nodes, ::testing::HasSubstr("Abs (x) -> y/u"));
  EXPECT_THAT(nodes, ::testing::HasSubstr("Neg (y/u)"));
  EXPECT_THAT(nodes, ::testing::HasSubstr("Exp (x) -> z/o"));
  EXPECT_THAT(nodes, ::testing::Not(::testing::HasSubstr("Relu")));
}

// Both are computed where the condition is data.
TEST(ControlFlow, ChoosesBetweenBranches) {
  const std::string text = "g (float[2,3] x, bool c) => (y) { y = If<" + kBranches + ">(c) }";
  const std::string nodes = nodes_of(text);
  EXPECT_THAT(nodes, ::testing::HasSubstr("Where (y/condition, y/then/o, y/else/o) -> y"));
  const std::string other =
      "g (float[2,3] x, bool c) => (y) { y = If<then_branch = t () => "
      "(float[2,3] o) { o = Relu(x) }, else_branch = e () => (float[1,3] o) "
      "{ k = Constant<value = int64[1] {0}>() "
      "o = ReduceMax<axes = [0]>(x) }>(c) }";
  EXPECT_ERROR(import_text(other),
               "gives [2,3] or [1,3]; expected one shape; --constant c=VALUE fixes the input that "
               "node If depends on");
}

// The condition as text, of inputs n and m, and an else branch that does not fit.
std::string misfit_of(const std::string& inputs, const std::string& condition) {
  return "g (float[2,3] x, " + inputs + ") => (y) { " + condition +
         " y = If<then_branch = t () => (float[2,3] o) { o = Relu(x) }, "
         "else_branch = e () => (float[2,3] o) { o = MatMul(x, x) }>(c) }";
}

TEST(ControlFlow, SaysWhichInputDecidesAboutABranchThatDoesNotFit) {
  const auto hint = [](const std::string& inputs, const std::string& condition) {
    const auto graph = import_text(misfit_of(inputs, condition));
    EXPECT_ERROR(graph,
                 "node y/else/MatMul (MatMul): operands are [2,3] and [2,3], reductions 3 and 2");
    const size_t at = graph ? std::string::npos : graph.error().message.find("; --constant");
    return at == std::string::npos ? "" : graph.error().message.substr(at);
  };
  const std::string limit = "k = Constant<value = int64 {3}>() ";
  EXPECT_EQ(hint("int64[1] n", limit + "d = Less(n, k) c = Not(d)"),
            "; --constant n=VALUE fixes the input that node If depends on");
  EXPECT_EQ(hint("int64 n, int64 m", "c = Less(n, m)"), "");  // two of them
  EXPECT_EQ(hint("int64[2] n", "s = ReduceMax<keepdims = 0>(n) " + limit + "c = Less(s, k)"), "");
}

// The model imports; `run` reports the node that it cannot compute, with this hint.
TEST(ControlFlow, SaysOfAChoiceWhatCouldBeDoneWhereABranchHasNoShape) {
  const std::string nodes = nodes_of(
      "g (float[2,3] x, bool c) => (y) { y = If<then_branch = t () => (float[2,3] o) "
      "{ o = Relu(x) }, else_branch = e () => (float[2,3] o) { o = com.x.Odd(x) }>(c) }");
  EXPECT_THAT(nodes, ::testing::HasSubstr("not_tuned=\"a branch whose shape is only known at run "
                                          "time; --constant c=VALUE fixes the input that node If "
                                          "depends on\""));
}

std::string loop_of(const std::string& count, const std::string& body,
                    const std::string& outputs = "y", const std::string& condition = "") {
  return "g (float[2] x) => (" + outputs + ") { n = Constant<value = int64 {" + count + "}>() " +
         outputs + " = Loop<body = b (int64 i, bool go, float[2] a) => (bool more, float[2] next" +
         body + ">(n, " + condition + ", x) }";
}

TEST(ControlFlow, UnrollsLoops) {
  const std::string nodes = nodes_of(loop_of("3", ") { next = Add(a, a) more = Identity(go) }"));
  EXPECT_THAT(nodes, ::testing::HasSubstr("Add (x, x) -> y/0/next"));
  EXPECT_THAT(nodes, ::testing::HasSubstr("Add (y/0/next, y/0/next) -> y/1/next"));
  EXPECT_THAT(nodes, ::testing::HasSubstr("Add (y/1/next, y/1/next) -> y/2/next"));
}

TEST(ControlFlow, StacksWhatALoopGivesOneByOne) {
  const auto graph = import_text(loop_of(
      "3", ", float s) { next = Add(a, a) more = Identity(go) s = Cast<to = 1>(i) }", "y, z"));
  ASSERT_TRUE(graph) << graph.error().message;
  const GraphTensor& z = graph->tensors.at(static_cast<size_t>(graph->outputs[1]));
  EXPECT_EQ(z.shape, (std::vector<int64_t>{3}));
  ASSERT_TRUE(z.data.has_value());
  EXPECT_EQ(floats_of(*z.data), (std::vector<float>{0, 1, 2}));
}

// Its body says when it ends.
TEST(ControlFlow, StopsWhereTheConditionFails) {
  const std::string nodes = nodes_of(loop_of(
      "100", ") { next = Add(a, a) two = Constant<value = int64 {2}>() more = Less(i, two) }"));
  EXPECT_THAT(nodes, ::testing::HasSubstr("-> y/2/next"));
  EXPECT_THAT(nodes, ::testing::Not(::testing::HasSubstr("y/3/next")));
}

TEST(ControlFlow, RefusesLongLoops) {
  EXPECT_ERROR(import_text(loop_of("100000", ") { next = Add(a, a) more = Identity(go) }")),
               "(Loop) has 100000 iterations; expected at most 2048, to unroll them");
  // Without a count, and with a condition that always holds.
  onnx::ModelProto model;
  model.ParseFromString(
      testing::model_bytes(loop_of("1", ") { next = Add(a, a) more = Identity(go) }")));
  model.mutable_graph()->mutable_node(1)->set_input(0, "");
  EXPECT_ERROR(testing::import_bytes(model.SerializeAsString()), "(Loop) has 2049 iterations");
}

TEST(ControlFlow, UnrollsScans) {
  const std::string nodes = nodes_of(
      "g (float[2] s, float[3,2] x) => (last, all) { last, all = Scan<num_scan_inputs = 1, "
      "scan_input_directions = [1], body = b (float[2] a, float[2] e) => (float[2] n, float[2] o) "
      "{ n = Add(a, e) o = Identity(n) }>(s, x) }");
  EXPECT_THAT(nodes, ::testing::HasSubstr("last/2/n"));
  EXPECT_THAT(nodes, ::testing::HasSubstr("-> all: f32[3,2]"));
}

TEST(ControlFlow, TakesElementsOutOfSequences) {
  EXPECT_EQ(nodes_of("g (float[2] x, float[2] w) => (y) { s = SequenceConstruct(x, w) "
                     "r = Relu(w) t = SequenceInsert(s, r) i = Constant<value = int64 {-1}>() "
                     "u = SequenceErase(t, i) v = SequenceInsert(u, r) y = ConcatFromSequence"
                     "<axis = 0>(v) }"),
            "Relu_0 = elementwise Relu (w) -> r: f32[2]\n"
            "Concat_1 = data_movement Concat {axis=0} (x, w, r) -> y: f32[6]\n");
  EXPECT_ERROR(import_text("g (float[2] x) => (y) { s = SequenceConstruct(x, x) "
                           "i = Constant<value = int64 {2}>() y = SequenceAt(s, i) }"),
               "node SequenceAt (SequenceAt) has position 2 of 2 elements");
}

// Nothing is refused for what no output needs.
TEST(DropUnread, LeavesOutWhatNoOutputNeeds) {
  const std::string relu = "Relu_0 = elementwise Relu (x) -> y: f32[2,3]\n";
  for (const char* unread :
       {"u = NonZero(x)", "u = com.x.Whatever(x)", "u = Conv<strides = [0]>(x, x)",
        "u = RandomNormalLike(x)", "a = NonZero(x) u = Cast<to = 1>(a)",
        "n = Constant<value = int64 {3}>() u = Loop<body = b (int64 i, bool c, float[2,3] a) => "
        "(bool d, float[2,3] o) { o = Add(a, a) d = Identity(c) }>(n, , x)"})
    EXPECT_EQ(nodes_of(std::string("g (float[2,3] x) => (y) { y = Relu(x) ") + unread + " }"), relu)
        << unread;
  EXPECT_THAT(nodes_of(if_of("c = Constant<value = bool {1}>()",
                             "then_branch = t () => (float[2,3] o) { o = Relu(x) u = NonZero(x) }, "
                             "else_branch = e () => (float[2,3] o) { o = com.x.Whatever(x) }")),
              ::testing::StartsWith("Relu_0 = elementwise Relu (x)"));
}

TEST(DropUnread, LeavesOutOptionalOutputs) {
  const std::string text = "g (float[2,3] x) => (y) { t = Relu(x) d, m = Dropout(t) y = Neg(d) }";
  for (const int opset : {7, 9, 10, 12, 13}) {
    const auto graph = testing::import_bytes(testing::model_bytes(text, opset));
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_EQ(graph->nodes.size(), 2U) << opset;
  }
}

}  // namespace
}  // namespace dovetail
