// SPDX-License-Identifier: Apache-2.0
// ONNX's own Conv, Gemm and MatMul cases on the first OpenCL device give their expected outputs.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/onnx/kernel_runner.h"

#if DOVETAIL_HAVE_OPENCL
#include "tests/core/codegen/opencl/execution.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;
using testing::Floats;

constexpr int kDevicePoints =
    2;  // random points of each operator's space, besides its default trace

Result<Floats> run_opencl(const Operator& op, const testing::Operands& operands, size_t which) {
  Device& device = **testing::first_device();
  const auto traces = TRY(testing::traces_of(op, device.target(), kDevicePoints, 1));
  const Program program = TRY(testing::program_of(op, traces[which], device.target()));
  Storage inputs = testing::make_storage(program, operands);
  for (const Buffer& buffer : program.buffers)
    if (buffer.role == BufferRole::temporary) inputs.erase(buffer.name);
  const Storage outputs = TRY(testing::run_on_device(device, program, inputs));
  return testing::read_output(program, outputs);
}

class OnnxOpencl : public ::testing::TestWithParam<std::string> {};

TEST_P(OnnxOpencl, GivesTheExpectedOutputs) {
  DOVETAIL_REQUIRE_OPENCL();
  const auto one = read_onnx_case(GetParam());
  ASSERT_TRUE(one) << one.error().message;
  for (size_t which = 0; which <= kDevicePoints && !HasFatalFailure(); ++which)
    testing::expect_case(*one, "trace " + std::to_string(which),
                         [&](const Operator& op, const testing::Operands& operands) {
                           return run_opencl(op, operands, which);
                         });
}

INSTANTIATE_TEST_SUITE_P(Opencl, OnnxOpencl, ::testing::ValuesIn(testing::our_cases()),
                         [](const auto& info) { return fs::path(info.param).filename().string(); });

}  // namespace
}  // namespace dovetail
#endif
