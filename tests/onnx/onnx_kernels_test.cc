// SPDX-License-Identifier: Apache-2.0
// ONNX's own Conv, ConvTranspose, Gemm and MatMul cases on this CPU give their expected outputs.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/onnx/kernel_runner.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;
using testing::Floats;

constexpr double kMaxInterpretedFlops = 2e7;
constexpr int kSamples = 3;  // random points of each operator's space, besides its default trace

class OnnxKernels : public ::testing::TestWithParam<std::string> {};

TEST_P(OnnxKernels, GiveTheExpectedOutputs) {
  const auto one = read_onnx_case(GetParam());
  ASSERT_TRUE(one) << one.error().message;
  double flops = 0;
  std::string specs;
  for (const GraphNode& node : one->graph.nodes) {
    if (!node.op) continue;
    flops += nominal_flops(*node.op);
    specs += (specs.empty() ? "" : " ") + print(*node.op);
  }
  RecordProperty("specs", specs);
  const auto target = testing::host_cpu();
  ASSERT_TRUE(target) << target.error().message;
  for (size_t which = 0; which <= kSamples && !HasFatalFailure(); ++which) {
    const auto with = [&](auto run) {
      return [&, run](const Operator& op, const testing::Operands& operands) -> Result<Floats> {
        const auto traces = TRY(testing::traces_of(op, *target, kSamples, 1));
        return run(op, operands, traces[which]);
      };
    };
    const std::string trace = "trace " + std::to_string(which);
    testing::expect_case(*one, "compiled, " + trace, with(testing::run_compiled));
    if (flops < kMaxInterpretedFlops)
      testing::expect_case(*one, "interpreted, " + trace, with(testing::run_interpreted));
  }
}

INSTANTIATE_TEST_SUITE_P(Cpu, OnnxKernels, ::testing::ValuesIn(testing::our_cases()),
                         [](const auto& info) { return fs::path(info.param).filename().string(); });

TEST(OnnxKernels, CoverConv2dGemmAndMatMul) {
  std::set<std::string> names;
  for (const std::string& folder : testing::our_cases())
    names.insert(fs::path(folder).filename().string());
  for (const char* name :
       {"test_basic_conv_with_padding", "test_conv_with_strides_and_asymmetric_padding",
        "test_Conv2d_strided", "test_Conv2d_depthwise_with_multiplier", "test_ConvTranspose2d",
        "test_convtranspose_3d", "test_gemm_all_attributes", "test_matmul_4d", "test_Linear"})
    EXPECT_TRUE(names.contains(name)) << name << "; run scripts/install-dependencies";
}

}  // namespace
}  // namespace dovetail
