// SPDX-License-Identifier: Apache-2.0
#include "tests/models/sample_models.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/frontend/onnx_import.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/ir/graph/suite.h"
#include "tests/core/frontend/model_file.h"
#include "tests/models/onnx_export.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// Written and read once for all tests.
const Partition& partitioned_resnet18() {
  static const Partition kParts = [] {
    const std::string path = testing::scratch_path("resnet18.onnx");
    EXPECT_TRUE(export_onnx(build_resnet18(18), path));
    return *partition(*import_onnx(path));
  }();
  return kParts;
}

std::string print_tasks(const TaskList& list) {
  std::string text;
  for (const Task& task : list.tasks)
    text += std::to_string(task.weight) + " " + task.name + " = " + print(task.spec) + "\n";
  for (const NotTuned& other : list.not_tuned) text += "not computed: " + print(other) + "\n";
  return text;
}

// Written and read: weights are the f32 model's, rounded.
TEST(SampleModels, OfHalvesHaveRoundedWeights) {
  for (const char* type : {"f16", "bf16"}) {
    const std::string name = fmt::format("bert_tiny-small-b2-{}", type);
    const std::string path = testing::scratch_path(name + ".onnx");
    ASSERT_TRUE(export_onnx(right(build_sample_model(name, 18)), path));
    const Graph graph = right(import_onnx(path));
    const Graph whole = right(build_sample_model("bert_tiny-small-b2", 18));
    int halves = 0;
    for (const GraphTensor& tensor : graph.tensors) {
      EXPECT_NE(tensor.type, ElementType::f32) << tensor.name;
      const auto same = std::ranges::find(whole.tensors, tensor.name, &GraphTensor::name);
      if (!tensor.constant || same == whole.tensors.end() || !same->constant) continue;
      if (tensor.type == ElementType::i64) continue;
      if (tensor.name.find(".least") != std::string::npos ||
          tensor.name.find(".epsilon") != std::string::npos)
        continue;
      ++halves;
      EXPECT_EQ(name_of(tensor.type), type);
      EXPECT_EQ(tensor.data->real(0), converted(*same->data, tensor.type).real(0)) << tensor.name;
    }
    EXPECT_GT(halves, 20);
    EXPECT_TRUE(partition(graph));
  }
}

TEST(ResNet18, HasTheTasksOfTheNetwork) {
  const TaskList list = right(region_tasks(partitioned_resnet18(), "cpu"));
  EXPECT_GOLDEN(print_tasks(list), "core/frontend/resnet18_tasks");
  int64_t nodes = 0;
  for (const Task& task : list.tasks) nodes += task.weight;
  EXPECT_EQ(nodes, 23) << "20 convolutions, the Gemm and two poolings; Flatten is a view";
}

TEST(ResNet18, HasTheConvolutionsOfTheSuite) {
  const auto bare = [](Operator op) {
    op.epilogues.clear();
    return print(op);
  };
  std::set<std::string> in_model;
  for (const Task& task : right(region_tasks(partitioned_resnet18(), "cpu")).tasks) {
    const std::optional<Operator>& op = task.spec.region.op;
    if (op && !is_matrix_product(op->kind)) in_model.insert(bare(*op));
  }
  const Suite suite = *read_suite((testing::source_dir() / "scripts/suites/resnet18.txt").string());
  std::set<std::string> in_suite;
  for (const SuiteEntry& entry : suite) in_suite.insert(bare(*entry.spec.region.op));
  // The suite has a 1x1 shortcut in the first stage too; torchvision's network has none there.
  in_suite.erase("c2d:ci=64,co=64,h=56,w=56,k=1");
  EXPECT_EQ(in_model, in_suite);
}

TEST(ResNet18, HasTheParametersOfTheNetwork) {
  int64_t parameters = 0;
  for (const GraphTensor& tensor : build_resnet18(1).tensors)
    if (tensor.constant) parameters += num_elements(*tensor.shape);
  // torchvision's 11,689,512, less scale and shift of 4,800 normalised channels, plus a bias each.
  EXPECT_EQ(parameters, 11689512 - 2 * 4800 + 4800);
}

TEST(ResNet18, IsTheSameForTheSameSeed) {
  const auto weights = [](uint64_t seed) {
    const Graph graph = build_resnet18(seed);
    return floats_of(*graph.tensors[1].data);
  };
  EXPECT_EQ(weights(18), weights(18));
  EXPECT_NE(weights(18), weights(19));
}

TEST(ResNet18, PrintsAsAGraphThatParses) {
  const Graph& graph = partitioned_resnet18().graph;
  const auto again = parse_graph(print(graph), "resnet18.graph");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, graph);
  EXPECT_EQ(right(region_tasks(right(partition(*again)), "cpu")),
            right(region_tasks(partitioned_resnet18(), "cpu")));
}

TEST(SampleModels, AreNamedInTheError) {
  EXPECT_ERROR(build_sample_model("resnet19", 1),
               "unknown model \"resnet19\"; expected one of resnet18 mobilenet_v2");
  EXPECT_ERROR(build_sample_model("bert_tiny-b0", 1),
               "unknown model \"bert_tiny-b0\"; expected one of resnet18 mobilenet_v2");
}

TEST(SampleModels, TakeABatchOfImages) {
  const Graph graph = right(build_sample_model("resnet18-b16", 1));
  EXPECT_EQ(*graph.tensors[static_cast<size_t>(graph.inputs[0])].shape,
            (std::vector<int64_t>{16, 3, 224, 224}));
  EXPECT_EQ(*graph.tensors[static_cast<size_t>(graph.outputs[0])].shape,
            (std::vector<int64_t>{16, 1000}));
}

TEST(SampleModels, TakeABatchOfTexts) {
  const Graph graph = right(build_sample_model("bert_tiny-small-b4", 1));
  const auto shape_of = [&](TensorId id) { return *graph.tensors[static_cast<size_t>(id)].shape; };
  for (const TensorId input : graph.inputs)
    EXPECT_EQ(shape_of(input), (std::vector<int64_t>{4, 16}));
  EXPECT_EQ(shape_of(graph.outputs[0]), (std::vector<int64_t>{4, 16, 32}));
  EXPECT_EQ(shape_of(graph.outputs[1]), (std::vector<int64_t>{4, 32}));
  // Shapes are what inference says, too.
  const std::string path = testing::scratch_path("bert_tiny-small-b4.onnx");
  EXPECT_TRUE(export_onnx(graph, path));
  EXPECT_EQ(right(import_onnx(path)).outputs.size(), 2U);
}

// torch's own counts, with a bias for each pair of scale and shift of a normalised channel.
TEST(SampleModels, HaveTheParametersOfTheNetworks) {
  struct Count {
    const char* name;
    int64_t parameters;
  };
  for (const auto& [name, parameters] :
       {Count{"mobilenet_v2", 3504872 - 17056}, Count{"resnet3d18", 33371472 - 4800},
        Count{"bert_tiny", 4385920}, Count{"bert_base", 109482240}}) {
    int64_t found = 0;
    for (const GraphTensor& tensor : right(build_sample_model(name, 1)).tensors)
      if (tensor.constant && tensor.shape->size() > 0 && tensor.type == ElementType::f32)
        found += num_elements(*tensor.shape);
    EXPECT_EQ(found, parameters) << name;
  }
}

// By type, in regions.
std::string count_nodes(const std::string& name) {
  const std::string path = testing::scratch_path(name + ".onnx");
  EXPECT_TRUE(export_onnx(right(build_sample_model(name, 18)), path));
  std::map<std::string, int> counts;
  const Partition parts = right(partition(right(import_onnx(path))));
  for (const GraphNode& node : parts.graph.nodes)
    ++counts[node.op ? print(*node.op).substr(0, 3) : node.type];
  std::string text;
  for (const auto& [type, count] : counts) text += fmt::format("{} {} ", type, count);
  return text;
}

// Their chains are recognised, and what follows an operator joins it.
TEST(SampleModels, HaveTheNodesOfTheNetworks) {
  EXPECT_EQ(count_nodes("resnet18-small"), "Flatten 1 GlobalAveragePool 1 MaxPool 1 c2d 20 gmm 1 ");
  EXPECT_EQ(count_nodes("mobilenet_v2-small"),
            "Flatten 1 GlobalAveragePool 1 c2d 35 dep 17 gmm 1 ");
  EXPECT_EQ(count_nodes("resnet3d18-small"), "Flatten 1 GlobalAveragePool 1 c3d 20 gmm 1 ");
  EXPECT_EQ(count_nodes("bert_tiny-small"),
            "Cast 1 Gather 2 LayerNormalization 5 Reshape 8 Softmax 2 Transpose 8 Unsqueeze 1 "
            "Written 2 gmm 17 ");
}

}  // namespace
}  // namespace dovetail
