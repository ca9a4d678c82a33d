// SPDX-License-Identifier: Apache-2.0
// ONNX's own cases for convolutions and matrix products: imported graphs compute what they must.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "core/frontend/onnx_import.h"
#include "tests/onnx/onnx_testdata.h"
#include "tests/support/expect_error.h"
#include "tests/support/graph_evaluator.h"

#if DOVETAIL_HAVE_ONNX
namespace dovetail {
namespace {

namespace fs = std::filesystem;

bool is_ours(const std::string& folder) {
  const std::string name = fs::path(folder).filename().string();
  for (const char* part : {"integer", "qlinear"})
    if (name.find(part) != std::string::npos) return false;
  for (const char* part :
       {"test_basic_conv", "test_conv", "test_Conv", "test_gemm", "test_matmul", "test_Linear",
        "test_operator_conv", "test_operator_addmm", "test_operator_mm"})
    if (name.starts_with(part)) return true;
  return false;
}

std::vector<std::string> our_cases() {
  std::vector<std::string> folders;
  const auto all = list_onnx_cases(kOnnxTestDataFolder);
  if (!all) return folders;
  for (const std::string& folder : *all)
    if (is_ours(folder)) folders.push_back(folder);
  return folders;
}

class OnnxCases : public ::testing::TestWithParam<std::string> {};

TEST_P(OnnxCases, ComputeWhatTheyMust) {
  const auto one = read_onnx_case(GetParam());
  ASSERT_TRUE(one) << one.error().message;
  size_t operators = 0;
  for (const GraphNode& node : one->graph.nodes) operators += node.op.has_value();
  EXPECT_GE(operators, 1u) << print(one->graph);
  for (const OnnxDataSet& data : one->data_sets) {
    std::vector<testing::Floats> inputs;
    for (const GraphTensor& input : data.inputs) inputs.push_back(floats_of(*input.data));
    const auto outputs = testing::evaluate(one->graph, inputs);
    ASSERT_TRUE(outputs) << outputs.error().message;
    for (size_t i = 0; i < outputs->size(); ++i) {
      const auto expected = data.outputs[i].data->as<float>();
      ASSERT_EQ((*outputs)[i].size(), expected.size());
      for (size_t j = 0; j < expected.size(); ++j)
        ASSERT_NEAR((*outputs)[i][j], expected[j], 1e-4 + 1e-4 * std::abs(expected[j]))
            << "element " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Frontend, OnnxCases, ::testing::ValuesIn(our_cases()),
                         [](const auto& info) { return fs::path(info.param).filename().string(); });

// All cases, also those with control flow, sequences, strings, zero extents or training.
TEST(OnnxCases, AllImportAndPrintOrAreRefusedInOneLine) {
  const auto folders = list_onnx_cases(kOnnxTestDataFolder);
  ASSERT_TRUE(folders) << folders.error().message;
  size_t imported = 0;
  for (const std::string& folder : *folders) {
    const auto graph = import_onnx(folder + "/model.onnx");
    if (!graph) {
      EXPECT_ERROR(graph, "model " + folder + "/model.onnx: ");
      continue;
    }
    ++imported;
    const auto again = parse_graph(print(*graph), folder);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, *graph) << folder;
  }
  EXPECT_GE(imported, folders->size() * 95 / 100);
}

TEST(OnnxCases, AreInstalled) {
  EXPECT_GE(our_cases().size(), 60u) << "run scripts/install-dependencies";
}

}  // namespace
}  // namespace dovetail
#endif
