// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/prefetch/prefetch_weights.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/deploy/network/network_run.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;
using testing::runs_right;

// Four layers of one shape, 16 KB of weights each, and an addition.
const char* const kFourLayers =
    "input x: f32[1,64,64]\nconstant a: f32[64,64]\nconstant b: f32[64,64]\n"
    "constant c: f32[64,64]\nconstant d: f32[64,64]\n"
    "node p = complex gmm:m=64,n=64,k=64 (x, a) -> t: f32[1,64,64]\n"
    "node q = complex gmm:m=64,n=64,k=64 (t, b) -> u: f32[1,64,64]\n"
    "node r = complex gmm:m=64,n=64,k=64 (u, c) -> v: f32[1,64,64]\n"
    "node s = complex gmm:m=64,n=64,k=64 (v, d) -> w: f32[1,64,64]\n"
    "node e = elementwise Abs (w) -> y: f32[1,64,64]\noutput y\n";

struct AskedBytes {
  std::string buffer;  // name in the network
  int64_t bytes = 0;   // iterations times lines
};

void add_asked(const NetworkProgram& network, const NetworkCall& call, const Block& block,
               int64_t iterations, std::vector<AskedBytes>& asked) {
  const Program& program = network.programs[call.program];
  for (const Statement& statement : block) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    for (const Prefetch& prefetch : loop->prefetches) {
      if (!prefetch.far) continue;
      for (size_t b = 0; b < program.buffers.size(); ++b)
        if (program.buffers[b].name == prefetch.buffer)
          asked.push_back({network.buffers[call.buffers[b]].buffer.name,
                           64 * prefetch.lines * iterations * loop->extent});
    }
    add_asked(network, call, loop->body, iterations * loop->extent, asked);
  }
}

std::vector<AskedBytes> asked_by(const NetworkProgram& network, size_t number) {
  std::vector<AskedBytes> asked;
  const NetworkCall& call = network.calls[number];
  for (const Kernel& kernel : network.programs[call.program].kernels)
    add_asked(network, call, kernel.body, 1, asked);
  return asked;
}

NetworkProgram four_layers(const Target& target) {
  const Partition parts = parts_of(kFourLayers);
  return right(testing::lowered_network(parts, target, default_traces(target))).program;
}

TEST(PrefetchWeights, AreTheNextCallsAndAllOfThem) {
  const Target target = cpu_here();
  const NetworkProgram plain = four_layers(target), asking = prefetch_weights(plain, target);
  EXPECT_TRUE(verify(asking).has_value());
  std::map<std::string, int64_t> bytes;
  for (size_t c = 0; c < asking.calls.size(); ++c)
    for (const AskedBytes& one : asked_by(asking, c)) bytes[one.buffer] += one.bytes;
  EXPECT_EQ(bytes.size(), 3u) << "nobody asks for the first call's";
  for (const auto& [buffer, asked] : bytes) EXPECT_GE(asked, 64 * 64 * 4) << buffer;
}

TEST(PrefetchWeights, LeavesLayersOfOneShapeOneProgram) {
  const Target target = cpu_here();
  const NetworkProgram plain = four_layers(target), asking = prefetch_weights(plain, target);
  EXPECT_EQ(plain.calls.size(), asking.calls.size());
  EXPECT_LE(asking.programs.size(), plain.programs.size() + 1)
      << "three layers ask for what comes next, the last one for nothing";
}

TEST(PrefetchWeights, ComputesTheSameAndParses) {
  const Target target = cpu_here();
  const Partition parts = parts_of(kFourLayers);
  for (const uint64_t seed : {1, 2, 3}) {
    LoweredNetwork network =
        right(testing::lowered_network(parts, target, testing::random_traces_of(target, seed)));
    network.program = prefetch_weights(network.program, target);
    EXPECT_TRUE(runs_right(parts, network)) << seed;
    EXPECT_EQ(right(parse_network(print(network.program))), network.program);
  }
}

TEST(PrefetchWeights, ChangesNothingOnADevice) {
  Target device = cpu_here();
  const NetworkProgram plain = four_layers(device);
  device.name.backend = "opencl";
  device.execution = ExecutionModel::work_groups;
  EXPECT_EQ(prefetch_weights(plain, device), plain);
}

}  // namespace
}  // namespace dovetail
