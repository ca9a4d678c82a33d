// SPDX-License-Identifier: Apache-2.0
// ONNX's own cases, run as `dovetail run MODEL` runs a model: node by node, through default traces
// compiled for this CPU.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "campaign/run/npy.h"
#include "campaign/run/run.h"
#include "core/frontend/computations/node_region.h"
#include "tests/onnx/onnx_testdata.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

std::vector<float> floats_of(const GraphTensor& tensor) {
  std::vector<float> values = tensor.data->floats;
  for (const int64_t number : tensor.data->integers) values.push_back(static_cast<float>(number));
  return values;
}

// Every node has a computation, and every tensor that crosses the border a type that files have.
bool is_runnable(const Graph& graph) {
  for (const auto* ids : {&graph.inputs, &graph.outputs})
    for (const TensorId id : *ids) {
      const GraphTensor& tensor = graph.tensors[static_cast<size_t>(id)];
      const bool stored = tensor.type == ElementType::f32 || tensor.type == ElementType::i64 ||
                          tensor.type == ElementType::i32 || tensor.type == ElementType::boolean;
      if (!stored || !tensor.shape) return false;
    }
  for (const GraphNode& node : graph.nodes) {
    const auto region = node_region(graph, node);
    if (!region || !*region) return false;
    if (node.op && node.op->dtype != ElementType::f32) return false;
  }
  return true;
}

void expect_outputs(const OnnxCase& one, const OnnxDataSet& data, const TemporaryFolder& folder) {
  for (size_t i = 0; i < data.outputs.size(); ++i) {
    const auto found = read_npy(folder.path("out/output_" + std::to_string(i) + ".npy"));
    ASSERT_TRUE(found) << found.error().message;
    const std::vector<float> expected = floats_of(data.outputs[i]);
    ASSERT_EQ(found->values.size(), expected.size());
    for (size_t j = 0; j < expected.size(); ++j) {
      if (std::isnan(expected[j]) && std::isnan(found->values[j])) continue;
      if (expected[j] == found->values[j]) continue;  // infinities
      ASSERT_NEAR(found->values[j], expected[j], 1e-5 + 1e-3 * std::abs(expected[j]))
          << one.name << ", element " << j << "\n"
          << print(one.graph);
    }
  }
}

TEST(OnnxNodes, ComputeWhatTheyMust) {
  const auto folders = list_onnx_cases(kOnnxTestDataFolder);
  ASSERT_TRUE(folders) << folders.error().message;
  int right = 0;
  for (const std::string& path : *folders) {
    SCOPED_TRACE(path);
    const auto one = read_onnx_case(path);
    if (!one || !is_runnable(one->graph)) continue;
    const TemporaryFolder folder;
    fs::create_directories(folder.folder() / "in");
    const OnnxDataSet& data = one->data_sets.front();
    for (size_t i = 0; i < data.inputs.size(); ++i)
      ASSERT_TRUE(write_npy(folder.path("in/input_" + std::to_string(i) + ".npy"),
                            {.type = data.inputs[i].type,
                             .shape = *data.inputs[i].shape,
                             .values = floats_of(data.inputs[i])}));
    RunSpecOptions options;
    options.spec = path + "/model.onnx";
    options.inputs = folder.path("in");
    options.outputs = folder.path("out");
    const auto run = run_spec(options, {});
    EXPECT_TRUE(run) << run.error().message << "\n" << print(one->graph);
    if (!run) continue;
    EXPECT_EQ(run->rows[0].reason, "") << print(one->graph);
    if (!run->rows[0].reason.empty()) continue;
    expect_outputs(*one, data, folder);
    right += !HasFailure();
  }
  RecordProperty("right", right);
  EXPECT_GE(right, 380);
}

}  // namespace
}  // namespace dovetail
