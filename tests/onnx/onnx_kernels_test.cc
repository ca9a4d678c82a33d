// SPDX-License-Identifier: Apache-2.0
// ONNX's own Conv, Gemm and MatMul cases through our kernels give their expected outputs.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/frontend/onnx_testdata.h"
#include "tests/onnx/kernel_runner.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;
using testing::Floats;

constexpr double kMaxInterpretedFlops = 2e7;
constexpr int kSamples = 3;  // random points of each operator's space, besides its default trace

// Cases of Conv, Gemm and MatMul nodes, by the names of ONNX's folders.
bool is_ours(const std::string& folder) {
  const std::string name = fs::path(folder).filename().string();
  if (name.find("integer") != std::string::npos || name.find("Transpose") != std::string::npos)
    return false;
  if (name.starts_with("test_convtranspose")) return false;
  for (const char* prefix :
       {"test_basic_conv", "test_conv", "test_Conv", "test_gemm", "test_matmul", "test_Linear",
        "test_operator_conv", "test_operator_mm", "test_operator_addmm"})
    if (name.starts_with(prefix) && name != "test_operator_convtranspose") return true;
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

// What code generation does for now; the other cases are skipped with its reason.
bool must_lower(const Operator& op) {
  return is_matrix_product(op.kind) || (op.kind == OperatorKind::c2d && op.groups == 1);
}

void expect_outputs(const OnnxDataSet& data, const std::vector<Floats>& outputs,
                    const std::string& how) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Floats& expected = data.outputs[i].data->floats;
    ASSERT_EQ(outputs[i].size(), expected.size());
    for (size_t j = 0; j < expected.size(); ++j)
      ASSERT_NEAR(outputs[i][j], expected[j], 1e-4 + 1e-4 * std::abs(expected[j]))
          << how << ", element " << j;
  }
}

class OnnxKernels : public ::testing::TestWithParam<std::string> {
 protected:
  // Runs the case with `run` for trace number `which` of each operator.
  void run_case(const OnnxCase& one, size_t which, const std::string& how, auto run) {
    const auto runner = [&](const Operator& op,
                            const testing::Operands& operands) -> Result<Floats> {
      const std::vector<Trace> traces = TRY(testing::traces_of(op, kSamples, 1));
      return run(op, operands, traces[which]);
    };
    for (const OnnxDataSet& data : one.data_sets) {
      std::vector<Floats> inputs;
      for (const GraphTensor& input : data.inputs) inputs.push_back(input.data->floats);
      const auto outputs = testing::evaluate(one.graph, inputs, runner);
      ASSERT_TRUE(outputs) << how << ": " << outputs.error().message;
      expect_outputs(data, *outputs, how);
    }
  }
};

TEST_P(OnnxKernels, GiveTheExpectedOutputs) {
  const auto one = read_onnx_case(GetParam());
  ASSERT_TRUE(one) << one.error().message;
  double flops = 0;
  for (const GraphNode& node : one->graph.nodes) {
    if (!node.op) continue;
    flops += nominal_flops(*node.op);
    const auto traces = testing::traces_of(*node.op, 0, 1);
    if (!traces && !must_lower(*node.op)) GTEST_SKIP() << traces.error().message;
  }
  for (size_t which = 0; which <= kSamples; ++which) {
    const std::string trace =
        which == 0 ? "default trace" : "random trace " + std::to_string(which);
    run_case(*one, which, "compiled, " + trace, testing::run_compiled);
    if (flops < kMaxInterpretedFlops)
      run_case(*one, which, "interpreted, " + trace, testing::run_interpreted);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpu, OnnxKernels, ::testing::ValuesIn(our_cases()),
                         [](const auto& info) { return fs::path(info.param).filename().string(); });

TEST(OnnxKernels, CoverConv2dGemmAndMatMul) {
  std::set<std::string> names;
  for (const std::string& folder : our_cases()) names.insert(fs::path(folder).filename().string());
  for (const char* name :
       {"test_basic_conv_with_padding", "test_conv_with_strides_and_asymmetric_padding",
        "test_Conv2d_strided", "test_gemm_all_attributes", "test_matmul_4d", "test_Linear"})
    EXPECT_TRUE(names.contains(name)) << name << "; run scripts/install-dependencies";
}

}  // namespace
}  // namespace dovetail
