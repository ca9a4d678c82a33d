// SPDX-License-Identifier: Apache-2.0
// The programs of a network in one OpenCL source. Each reads images and divides by floor, so each
// needs the sampler and helper functions, which may be defined only once.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "core/backends/opencl/opencl_targets.h"
#include "core/codegen/opencl/emit.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/deploy/network/network_run.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

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

size_t count(std::string_view text, std::string_view word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
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
    EXPECT_EQ(count(sources.text, "sampler_t texel_sampler ="), 1U);
    for (const char* function : {"texel_component(float4", "int floor_div(int", "int floor_mod(int",
                                 "long floor_div_wide(long"})
      EXPECT_LE(count(sources.text, function), 1U) << function;
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

}  // namespace
}  // namespace dovetail
