// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/prefetch/prefetch_inputs.h"

#include <gtest/gtest.h>

#include <string>

#include "core/ir/program/walk.h"
#include "tests/deploy/network/network_run.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;
using testing::runs_right;

// The input's planes are read by elements; what is between is made in blocks.
const char* const kImage =
    "input x: f32[1,3,20,20]\nconstant a: f32[16,3,3,3]\nconstant b: f32[16,16,3,3]\n"
    "node c1 = complex c2d:ci=3,co=16,h=20,w=20,k=3,p=1 (x, a) -> t: f32[1,16,20,20]\n"
    "node c2 = complex c2d:ci=16,co=16,h=20,w=20,k=3,p=1 (t, b) -> y: f32[1,16,20,20]\n"
    "output y\n";

// c1's direct trace, with the input as it is given.
LoweredNetwork image_network(const Partition& parts, const Target& target) {
  const TraceOfTask trace_of = [&](const TaskSpec& task) -> Result<Trace> {
    Trace trace = TRY(default_traces(target, definition_only)(task));
    const bool is_first = print(task).find("ci=3,") != std::string::npos;
    if (is_first)
      std::erase_if(trace.layouts, [](const TensorLayout& line) { return line.tensor == "X"; });
    return trace;
  };
  return right(testing::lowered_network(parts, target, trace_of));
}

int64_t prefetches_of(const Program& program) {
  int64_t count = 0;
  for (const Kernel& kernel : program.kernels)
    for_each_statement(kernel.body, [&](const Statement& statement) {
      const auto* loop = std::get_if<Loop>(&statement.node);
      count += loop == nullptr ? 0 : std::ssize(loop->prefetches);
    });
  return count;
}

TEST(PrefetchInputs, AsksForRowsOfTheNetworksInputAlone) {
  const Partition parts = parts_of(kImage);
  const LoweredNetwork lowered = image_network(parts, cpu_here());
  EXPECT_TRUE(verify(lowered.program).has_value());
  int64_t asked = 0;
  for (const NetworkCall& call : lowered.program.calls) {
    const int64_t own = prefetches_of(lowered.program.programs[call.program]);
    asked += own;
    EXPECT_TRUE(call.name != "c2" || own == 0);
  }
  EXPECT_GT(asked, 0);
  EXPECT_TRUE(runs_right(parts, lowered));
}

TEST(PrefetchInputs, AsksOfNoDevice) {
  const Partition parts = parts_of(kImage);
  const Target target = cpu_here();
  Target device = target;
  device.name.backend = "opencl";
  device.execution = ExecutionModel::work_groups;
  NetworkProgram network = image_network(parts, target).program;
  for (Program& program : network.programs)
    for (Kernel& kernel : program.kernels)
      for (Statement& statement : kernel.body)
        if (auto* loop = std::get_if<Loop>(&statement.node)) loop->prefetches.clear();
  EXPECT_EQ(prefetch_inputs(network, device), network);
}

}  // namespace
}  // namespace dovetail
