// SPDX-License-Identifier: Apache-2.0
// The values of the steps are checked by ONNX's own cases (tests/onnx) and scripts/real-models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/frontend/computations/node_region.h"
#include "core/frontend/recurrence/step_formulas.h"
#include "core/ir/region/region_text.h"
#include "tests/core/frontend/model_file.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::constant;
using testing::import_text;
using testing::numbers;

// Three steps of a batch of two with two inputs and four hidden units.
std::string recurrence(const std::string& node, int64_t gates, int64_t directions = 1) {
  return "g (float[3,2,2] x) => (y) { " +
         constant("w", {directions, 4 * gates, 2}, numbers(directions * 8 * gates, 1)) +
         constant("r", {directions, 4 * gates, 4}, numbers(directions * 16 * gates, 2)) + node +
         " }";
}

int64_t count_texts(const Graph& graph) {
  std::vector<std::string> texts;
  for (const GraphNode& node : graph.nodes)
    if (node.type == kWrittenNode)
      texts.push_back(std::get<std::string>(node.attributes.at(std::string(kWrittenRegion))));
  std::ranges::sort(texts);
  return std::ranges::unique(texts).begin() - texts.begin();
}

int64_t count_written(const Graph& graph) {
  return std::ranges::count(graph.nodes, std::string(kWrittenNode), &GraphNode::type);
}

// One task, however many steps there are.
TEST(ExpandRecurrences, StepsAreOneRegion) {
  const struct {
    std::string text;
    int64_t written, texts;
  } cases[] = {
      {recurrence("y = RNN<hidden_size = 4>(x, w, r)", 1), 3, 1},
      {recurrence("y = LSTM<hidden_size = 4>(x, w, r)", 4), 3, 1},
      {recurrence("y = GRU<hidden_size = 4>(x, w, r)", 3), 6, 2},
      {recurrence("y = GRU<hidden_size = 4, linear_before_reset = 1>(x, w, r)", 3), 3, 1},
      {recurrence("y = LSTM<hidden_size = 4, direction = \"bidirectional\">(x, w, r)", 4, 2), 6, 1},
  };
  for (const auto& one : cases) {
    const auto graph = import_text(one.text);
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_EQ(count_written(*graph), one.written) << one.text;
    EXPECT_EQ(count_texts(*graph), one.texts) << one.text;
    for (const GraphNode& node : graph->nodes) {
      const auto region = node_region(*graph, node);
      ASSERT_TRUE(region) << region.error().message;
      EXPECT_EQ(region->reason, "") << node.name;
    }
  }
}

TEST(ExpandRecurrences, GivesTheLastStateAlone) {
  const auto graph = import_text(
      recurrence("u, h, y = LSTM<hidden_size = 4, direction = \"reverse\">(x, w, r)", 4));
  ASSERT_TRUE(graph) << graph.error().message;
  const GraphTensor& y = graph->tensors.at(static_cast<size_t>(graph->outputs[0]));
  EXPECT_EQ(y.shape, (std::vector<int64_t>{1, 2, 4}));
  EXPECT_EQ(std::ranges::count(graph->nodes, std::string("Concat"), &GraphNode::type), 0);
}

TEST(ExpandRecurrences, SaysWhatItDoesNot) {
  const auto reason = [](const std::string& node, int64_t gates) {
    const auto graph = import_text(recurrence(node, gates));
    if (!graph) return graph.error().message;
    return node_region(*graph, graph->nodes.at(0))->reason;
  };
  EXPECT_EQ(
      reason("l = Constant<value = int32[2] {3, 2}>() y = RNN<hidden_size = 4>(x, w, r, , l)", 1),
      "");
  EXPECT_EQ(
      reason("l = Constant<value = int32[2] {3, 3}>() y = RNN<hidden_size = 4>(x, w, r, , l)", 1),
      "");
  EXPECT_THAT(reason("y = RNN<hidden_size = 4, activations = [\"Sine\"]>(x, w, r)", 1),
              ::testing::HasSubstr("has the activation Sine; expected one of ONNX's"));
  EXPECT_THAT(reason("y = RNN<hidden_size = 4, direction = \"sideways\">(x, w, r)", 1),
              ::testing::HasSubstr("has direction sideways; expected forward"));
  EXPECT_THAT(reason("y = GRU<hidden_size = 4>(x, w, r)", 4),
              ::testing::HasSubstr("w has shape [1,16,2]; expected [1,12,2]"));
}

TEST(StepFormulas, AreRegions) {
  Recurrence r;
  r.kind = "LSTM";
  r.steps = 5;
  r.batch = 1;
  r.inputs = r.hidden = 8;
  r.activations = {"sigmoid(x)", "tanh(x)", "relu(x)"};
  r.clip = 3;
  r.has_bias = r.has_peepholes = r.input_forget = true;
  const auto region = parse_region(lstm_step(r, 0));
  ASSERT_TRUE(region) << region.error().message;
  EXPECT_EQ(region->outputs, (std::vector<std::string>{"C", "H"}));
}

}  // namespace
}  // namespace dovetail
