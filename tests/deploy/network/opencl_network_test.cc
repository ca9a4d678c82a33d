// SPDX-License-Identifier: Apache-2.0
// The programs of a network in one OpenCL source. Each reads images and divides by floor, so each
// needs the sampler and helper functions, which may be defined only once.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "core/backends/opencl/opencl_targets.h"
#include "core/base/round_up.h"
#include "core/codegen/opencl/emit.h"
#include "deploy/network/link_network.h"
#include "deploy/package/opencl/opencl_tables.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/deploy/network/network_run.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"
#include "tests/support/times_in.h"

namespace dovetail {
namespace {

using testing::parts_of;
using testing::right;

constexpr const char* kThreeConvolutions =
    "input x: f32[1,8,6,6]\n"
    "constant a: f32[16,8,3,3]\nconstant b: f32[16,16,3,3]\nconstant c: f32[8,16,1,1]\n"
    "node c1 = complex c2d:ci=8,co=16,h=6,w=6,k=3,p=1 (x, a) -> t: f32[1,16,6,6]\n"
    "node c2 = complex c2d:ci=16,co=16,h=6,w=6,k=3,p=1 (t, b) -> u: f32[1,16,6,6]\n"
    "node c3 = complex c2d:ci=16,co=8,h=6,w=6,k=1 (u, c) -> y: f32[1,8,6,6]\noutput y\n";

bool reads_images(const Program& program) {
  return std::ranges::any_of(program.buffers, [](const Buffer& buffer) {
    return is_texture(buffer.layout.scope) && buffer.role != BufferRole::output;
  });
}

// As a search leaves them: traces whose programs this device takes, with textures where the space
// has any.
TraceOfTask traces_with_textures(const Target& target, uint64_t seed) {
  auto rng = std::make_shared<std::mt19937_64>(seed);
  return [target, rng](const TaskSpec& task) -> Result<Trace> {
    const Space space = TRY(build_space(task, target));
    constexpr int kTries = 60;
    for (int i = 0; i < kTries; ++i) {
      Trace trace = space.decode(space.sample(*rng));
      if (print(trace).find("scope texture") == std::string::npos) continue;
      const auto schedule = apply(trace, task.region, task.border, target);
      if (!schedule) continue;
      const auto program = lower(*schedule, target);
      if (program && reads_images(*program) && emit_opencl(*program, target)) return trace;
    }
    return space.default_trace();
  };
}

size_t count_programs_with_images(const NetworkProgram& network) {
  return static_cast<size_t>(std::ranges::count_if(network.programs, reads_images));
}

TEST(OpenclNetwork, DefinesWhatProgramsShareOnce) {
  const Target device = testing::opencl_with_images();
  const Partition parts = parts_of(kThreeConvolutions);
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const LoweredNetwork network =
        right(testing::lowered_network(parts, device, traces_with_textures(device, seed)));
    ASSERT_GE(count_programs_with_images(network.program), 2U) << "or the test shows nothing";
    const OpenclSources sources = right(emit_opencl(network.program.programs, device, "p"));
    EXPECT_EQ(sources.launches.size(), network.program.programs.size());
    EXPECT_EQ(testing::times_in(sources.texts.at(0), "sampler_t texel_sampler ="), 1U);
    for (const char* function : {"texel_component(float4", "int floor_div(int", "int floor_mod(int",
                                 "long floor_div_wide(long"})
      EXPECT_LE(testing::times_in(sources.texts.at(0), function), 1U) << function;
  }
}

TEST(OpenclNetwork, RunsTunedWithTextures) {
  const auto devices = list_opencl_devices();
  if (!devices || devices->empty()) GTEST_SKIP() << "no OpenCL device";
  const Target& device = devices->front();
  if (!device.has_images) GTEST_SKIP() << device.device << " has no images";
  const Partition parts = parts_of(kThreeConvolutions);
  for (uint64_t seed = 0; seed < 2; ++seed) {
    const LoweredNetwork network =
        right(testing::lowered_network(parts, device, traces_with_textures(device, seed)));
    ASSERT_GE(count_programs_with_images(network.program), 2U) << "or the test shows nothing";
    EXPECT_TRUE(testing::runs_right_on(device, parts, network)) << "seed " << seed;
  }
}

// Packages hold each buffer where the plan has it: two arenas and the images, to the byte.
TEST(OpenclNetwork, IsPackagedWithThePlansMemory) {
  Target device = testing::opencl_with_images();
  device.buffer_alignment = 512;
  const Partition parts = parts_of(kThreeConvolutions);
  int constant_images = 0;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const NetworkProgram network =
        right(testing::lowered_network(parts, device, traces_with_textures(device, seed))).program;
    const NetworkPlan plan = right(plan_network(
        network, {.boundary = NetworkBoundary::inside, .alignment = device.buffer_alignment}));
    Executable linked = right(
        link_network(parts.graph, network, plan, right(build_network(network, device)), device));
    linked.constants.resize(linked.arenas.size());
    const PackageInterface stated =
        right(package_interface({{.executable = &linked, .label = "", .cpu_features = {}}}, "net"));
    const OpenclTables tables = opencl_tables(linked, stated);
    int buffers = 0;
    int64_t temporary_bytes = 0, constant_bytes = 0;
    for (const OpenclTableMemory& memory : tables.memories) {
      if (memory.whole) {
        EXPECT_EQ(memory.offset % device.buffer_alignment, 0);
        EXPECT_LE(memory.offset + memory.bytes, tables.memories[*memory.whole].bytes);
        continue;
      }
      buffers += memory.image ? 0 : 1;
      constant_images += memory.image && memory.constant != 0 ? 1 : 0;
      (memory.constant != 0 ? constant_bytes : temporary_bytes) +=
          round_up(memory.bytes, device.buffer_alignment);
    }
    EXPECT_LE(buffers, 2);
    EXPECT_EQ(temporary_bytes,
              bytes_in(plan, NetworkMemory::workspace) + bytes_in(plan, NetworkMemory::images));
    EXPECT_EQ(temporary_bytes, stated.workspaces[0].bytes);
    EXPECT_EQ(constant_bytes, bytes_in(plan, NetworkMemory::constants));
    EXPECT_EQ(constant_bytes, stated.weights[0].bytes - stated.weights[0].sections[0]);
  }
  EXPECT_GT(constant_images, 0) << "or the test does not show where they lie";
}

}  // namespace
}  // namespace dovetail
