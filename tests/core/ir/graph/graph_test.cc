// SPDX-License-Identifier: Apache-2.0
#include "core/ir/graph/graph.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

constexpr std::string_view kTiny =
    "graph tiny\n"
    "input x: f32[1,3,8,8]\n"
    "constant w: f32[4,3,3,3]\n"
    "constant b: f32[4]\n"
    "node conv = complex c2d:ci=3,co=4,h=8,w=8,k=3,p=1+bias+clip(0,1) (x, w, b) -> y: "
    "f32[1,4,8,8]\n"
    "node pool = reduction MaxPool {auto_pad=\"SAME\",kernel_shape=[2,2],ratio=0.5} (y, \"\") -> "
    "z: f32[1,4,4,4], \"\", \"odd name:0\": i64[?]\n"
    "node odd = unknown \"com.x::Odd\" {not_tuned=\"why \\\"not\\\"\"} (z) -> s: bool[]\n"
    "output z\n"
    "output s\n";

TEST(Graph, PrintsWhatItParsed) {
  const auto graph = parse_graph(kTiny, "tiny.graph");
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(print(*graph), kTiny);
  EXPECT_EQ(graph->nodes.size(), 3u);
  EXPECT_EQ(graph->nodes[0].inputs.size(), 3u);
  EXPECT_EQ(graph->nodes[1].inputs[1], kNoTensor);
  EXPECT_EQ(std::get<double>(graph->nodes[1].attributes.at("ratio")), 0.5);
}

TEST(Graph, CountsTheBytesOfItsConstants) {
  EXPECT_EQ(constant_bytes(*parse_graph(kTiny, "tiny.graph")), 4 * (4 * 3 * 3 * 3 + 4));
}

TEST(Graph, ItsWorkingSetHasTheActivationsOfTheNodeWithMost) {
  const auto graph = parse_graph(
      "input x: f32[2,3]\nconstant w: f32[3,40]\nconstant v: f32[40,4]\n"
      "node p = complex gmm:m=2,n=40,k=3 (x, w) -> y: f32[2,40]\n"
      "node q = complex gmm:m=2,n=4,k=40 (y, v) -> z: f32[2,4]\noutput z\n",
      "p.graph");
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(working_set_bytes(*graph), 4 * (120 + 160 + 80 + 8));
}

TEST(Graph, IgnoresBlanksAndCommentsAndKeyOrder) {
  const auto graph = parse_graph(
      "# a comment\n\n  input x: f32[2,3]\r\nconstant w: f32[3,4]\nconstant unused: f32[1]\n"
      "node p = complex gmm:k=3,b=1,n=4,m=2 (x,w)->y:f32[2,4]\noutput y",
      "p.graph");
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(print(*graph),
            "graph \"\"\ninput x: f32[2,3]\nconstant w: f32[3,4]\n"
            "node p = complex gmm:m=2,n=4,k=3 (x, w) -> y: f32[2,4]\noutput y\n");
}

struct WrongGraph {
  const char* name;
  std::string text;
  std::string message;
};

class WrongGraphs : public ::testing::TestWithParam<WrongGraph> {};

TEST_P(WrongGraphs, AreRefusedInOneLine) {
  EXPECT_ERROR(parse_graph(GetParam().text, "g"), GetParam().message);
}

std::vector<WrongGraph> wrong_graphs() {
  const std::string head = "input x: f32[2,3]\nconstant w: f32[3,4]\n";
  const std::string tail = "\noutput y\n";
  const auto node = [&](const std::string& line) { return head + line + tail; };
  return {
      {"Empty", "", "g: found no output"},
      {"NoOutput", head + "node p = complex gmm:m=2,n=4,k=3 (x, w) -> y: f32[2,4]\n",
       "g: found no output"},
      {"UnknownKeyword", "tensor x", "g:1: found tensor; expected graph, input"},
      {"NoType", "input x", "g:1: found the end of the line; expected :"},
      {"UnknownType", "input x: f33[1]", "tensor x has type f33"},
      {"NegativeExtent", "input x: f32[-1]", "found extent -1"},
      {"ExtentNotANumber", "input x: f32[a]", "g:1: found a; expected a number"},
      {"BeyondMemory", "input x: f32[2000000000,2000000000]", "at most 2^40 elements"},
      {"OpenBracket", "input x: f32[1,2", "expected ]"},
      {"OpenQuote", "input \"x: f32[1]", "without its closing quote"},
      {"BadEscape", "input \"\\xz1\": f32[1]", "without two hexadecimal digits"},
      {"Rubbish", "input x: f32[1] y", "found y; expected the end of the line"},
      {"DefinedTwice", "input x: f32[1]\ninput x: f32[1]", "g:2: tensor x is defined twice"},
      {"UnknownTensor", node("node p = complex gmm:m=2,n=4,k=3 (x, v) -> y: f32[2,4]"),
       "g:3: tensor v is not defined"},
      {"UnknownClass", node("node p = simple Relu (x) -> y: f32[2,3]"),
       "node p is simple; expected complex"},
      {"BadSpec", node("node p = complex gmm:m=2,n=4 (x, w) -> y: f32[2,4]"),
       "key k of gmm is missing"},
      {"SpecOfAnotherClass", node("node p = reduction gmm:m=2,n=4,k=3 (x, w) -> y: f32[2,4]"),
       "expected it of class complex"},
      {"MissingOperand", node("node p = complex gmm:m=2,n=4,k=3 (x) -> y: f32[2,4]"),
       "g: node p has 1 inputs and 1 outputs; expected 2 and 1"},
      {"OmittedOperand", node("node p = complex gmm:m=2,n=4,k=3 (x, \"\") -> y: f32[2,4]"),
       "node p leaves out its weight"},
      {"OperandShape", node("node p = complex gmm:m=2,n=4,k=5 (x, w) -> y: f32[2,4]"),
       "tensor x has shape [2,3]; expected the elements of [1,2,5], the input of node p"},
      {"OperandType", node("node p = complex gmm:m=2,n=4,k=3,dtype=f16 (x, w) -> y: f16[2,4]"),
       "tensor x is f32; expected f16"},
      {"UnknownOutputShape", node("node p = complex gmm:m=2,n=4,k=3 (x, w) -> y: f32[?]"),
       "tensor y has shape [?]"},
      {"TwoNodesOfOneName",
       node("node p = elementwise Relu (x) -> u: f32[2,3]\n"
            "node p = elementwise Relu (u) -> y: f32[2,3]"),
       "two nodes are named \"p\""},
      {"AttributeTwice", node("node p = reduction Sum {a=1,a=2} (x) -> y: f32[2]"),
       "attribute a is given twice"},
      {"ReadsItself", node("node p = elementwise Add (x, y) -> y: f32[2,3]"),
       "tensor y is not defined"},
      {"OutputNotDefined", head + "node p = elementwise Relu (x) -> u: f32[2,3]" + tail,
       "tensor y is not defined"},
  };
}

INSTANTIATE_TEST_SUITE_P(Graph, WrongGraphs, ::testing::ValuesIn(wrong_graphs()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Graph, ListsEveryUnsupportedOperator) {
  const auto graph = *parse_graph(
      "graph m\ninput x: f32[2]\nnode a = unknown Odd (x) -> p: f32[2]\nnode b = elementwise Relu "
      "(p) -> q: f32[2]\n"
      "node c = unknown Odd (q) -> r: f32[2]\nnode d = unknown Loop (r) -> s: f32[2]\noutput s\n",
      "m");
  EXPECT_ERROR(check_supported(graph), "model m: unsupported operators: Loop (1: d), Odd (2: a c)");
  EXPECT_FALSE(check_supported(*parse_graph(kTiny, "tiny")));
}

// A chain of products and of other operators with random names and attributes.
Graph draw_graph() {
  const auto draw = [](int64_t least, int64_t most) { return *rc::gen::inRange(least, most + 1); };
  Graph graph{.name = *rc::gen::arbitrary<std::string>(),
              .tensors = {},
              .nodes = {},
              .inputs = {0},
              .outputs = {}};
  graph.tensors.push_back({.name = "x", .shape = {{4, 4}}, .data = {}});
  TensorId last = 0;
  for (int64_t i = draw(1, 6); i > 0; --i) {
    const std::string suffix = std::to_string(i) + *rc::gen::arbitrary<std::string>();
    GraphNode node{.name = "n" + suffix,
                   .type = "Some",
                   .op = {},
                   .attributes = {},
                   .inputs = {last},
                   .outputs = {}};
    if (draw(0, 1) == 1) {
      node.operator_class = OperatorClass::complex;
      node.op = *parse_operator("gmm:m=4,n=4,k=4+relu");
      node.type = "gmm";
      node.inputs.push_back(static_cast<TensorId>(graph.tensors.size()));
      graph.tensors.push_back(
          {.name = "w" + suffix, .shape = {{4, 4}}, .constant = true, .data = {}});
    } else {
      node.attributes["i"] = *rc::gen::arbitrary<int64_t>();
      node.attributes["d"] = *rc::gen::arbitrary<double>();
      node.attributes["s"] = *rc::gen::arbitrary<std::string>();
      node.attributes["l"] = *rc::gen::arbitrary<std::vector<int64_t>>();
      node.attributes["f"] = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<double>>());
    }
    last = static_cast<TensorId>(graph.tensors.size());
    node.outputs = {last};
    graph.tensors.push_back({.name = "t" + suffix, .shape = {{4, 4}}, .data = {}});
    graph.nodes.push_back(node);
  }
  graph.outputs = {last};
  return compact(graph);
}

RC_GTEST_PROP(GraphLaw, ParseUndoesPrint, ()) {
  const Graph graph = draw_graph();
  RC_ASSERT(check_graph(graph).has_value());
  const auto again = parse_graph(print(graph), "g");
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == graph);
  RC_ASSERT(print(*again) == print(graph));
}

RC_GTEST_PROP(GraphFuzz, ChangedTextsNeverCrash, ()) {
  std::string text(kTiny);
  constexpr std::string_view kAlphabet = "abxn0123456789:,=+-()[]{}?\"\\. \n\xff";
  for (int64_t edits = *rc::gen::inRange(1, 6); edits > 0; --edits) {
    const auto at =
        static_cast<size_t>(*rc::gen::inRange<int64_t>(0, static_cast<int64_t>(text.size())));
    const auto pick =
        static_cast<size_t>(*rc::gen::inRange<int64_t>(0, static_cast<int64_t>(kAlphabet.size())));
    if (*rc::gen::arbitrary<bool>())
      text[at] = kAlphabet[pick];
    else
      text.erase(at, pick);
    if (text.empty()) text = "\n";
  }
  const auto graph = parse_graph(text, "g");
  if (graph.has_value()) {
    RC_ASSERT(parse_graph(print(*graph), "g") == graph);
  } else {
    RC_ASSERT(graph.error().message.find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace dovetail
