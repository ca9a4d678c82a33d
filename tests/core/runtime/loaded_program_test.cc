// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/loaded_program.h"

#include <gtest/gtest.h>

#include <array>

#include "core/base/cores.h"
#include "core/ir/program/program.h"
#include "core/runtime/loaded_opencl_program.h"
#include "core/runtime/opencl_device.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

// Y = 2 * (X + 1), where T = X + 1 is prepared once.
void increment(void* const* buffers, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; ++i) {
    static_cast<float*>(buffers[1])[i] = static_cast<const float*>(buffers[0])[i] + 1;
  }
}
void twice(void* const* buffers, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; ++i) {
    static_cast<float*>(buffers[2])[i] = 2 * static_cast<const float*>(buffers[1])[i];
  }
}

Result<CpuKernel> find(const std::string& name) {
  if (name == "increment") return &increment;
  if (name == "twice") return &twice;
  return fail("no kernel " + name);
}

const Artifact kOnCpu = {
    .kernels = {{.name = "increment", .extent = 4}, {.name = "twice", .extent = 4}},
    .kernels_once = 1};

TEST(LoadedProgram, RunsItsKernelsWhereTheBuffersWerePlaced) {
  ThreadPool threads({allowed_cores().front()});
  const auto program = *load_on_cpu(kOnCpu, find, threads);
  std::array<float, 4> x = {1, 2, 3, 4}, t = {}, y = {}, z = {};
  const std::array<void*, 3> first = {x.data(), t.data(), y.data()};
  ASSERT_TRUE(program->place(first) && program->prepare());
  EXPECT_EQ(t, (std::array<float, 4>{2, 3, 4, 5}));
  EXPECT_EQ(y, (std::array<float, 4>{}));
  const auto seconds = program->run(3);
  ASSERT_TRUE(seconds && program->fetch());
  EXPECT_GE(*seconds, 0);
  EXPECT_EQ(y, (std::array<float, 4>{4, 6, 8, 10}));
  t[0] = 10;  // what is prepared is not prepared again
  const std::array<void*, 3> second = {x.data(), t.data(), z.data()};
  ASSERT_TRUE(program->place(second) && program->run());
  EXPECT_EQ(z, (std::array<float, 4>{20, 6, 8, 10}));
}

TEST(LoadedProgram, FailsForAKernelThatIsNotThere) {
  ThreadPool threads({allowed_cores().front()});
  EXPECT_ERROR(load_on_cpu({.kernels = {{.name = "thrice"}}}, find, threads), "no kernel thrice");
}

class LoadedOpenclProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    prepare_opencl_environment();
    auto context = OpenclContext::open(*parse_target_name("opencl"));
    if (!context) GTEST_SKIP() << context.error().message;
    context_.emplace(*std::move(context));
    const OpenclProgram code = *context_->build(
        "__kernel void increment(__global const float* x, __global float* t) {\n"
        "  t[get_global_id(0)] = x[get_global_id(0)] + 1;\n"
        "}\n"
        "__kernel void twice(__global const float* t, __global float* y) {\n"
        "  y[get_global_id(0)] = 2 * t[get_global_id(0) % 4];\n"
        "}\n");
    artifact_ = {.bytes = *context_->binary(code),
                 .kernels = {{.name = "increment", .global = {4, 1, 1}, .buffers = {0, 1}},
                             {.name = "twice", .global = {4, 1, 1}, .buffers = {1, 2}}},
                 .kernels_once = 1,
                 .program =
                     "buffer X: f32 constant X[a=4] as [a@1:4]\n"
                     "buffer T: f32 derived T[a=4] as [a@1:4]\n"
                     "buffer Y: f32 output Y[a=4] as [a@1:4]\n"};
  }
  std::optional<OpenclContext> context_;
  Artifact artifact_;
};

TEST_F(LoadedOpenclProgramTest, FetchesOutputsToWhereTheyWerePlaced) {
  auto loaded = LoadedOpenclProgram::load(artifact_, *context_);
  ASSERT_TRUE(loaded) << loaded.error().message;
  LoadedOpenclProgram& program = **loaded;
  ASSERT_TRUE(program.allocate({.guarded = true}));
  std::array<float, 4> x = {1, 2, 3, 4}, t = {}, y = {};
  const std::array<void*, 3> buffers = {x.data(), t.data(), y.data()};
  ASSERT_TRUE(program.place(buffers) && program.prepare() && program.run(2));
  EXPECT_EQ(y, (std::array<float, 4>{}));
  ASSERT_TRUE(program.fetch());
  EXPECT_EQ(y, (std::array<float, 4>{4, 6, 8, 10}));
  EXPECT_EQ(*program.breached(), nullptr);
  EXPECT_ERROR(program.place(std::span(buffers).first(2)),
               "2 addresses for a program of 3 buffers");
}

TEST_F(LoadedOpenclProgramTest, NamesTheBufferThatAKernelLeft) {
  artifact_.kernels[1].global[0] = 5;
  auto loaded = LoadedOpenclProgram::load(artifact_, *context_);
  ASSERT_TRUE(loaded) << loaded.error().message;
  std::array<float, 4> x = {}, t = {}, y = {};
  const std::array<void*, 3> buffers = {x.data(), t.data(), y.data()};
  LoadedOpenclProgram& program = **loaded;
  ASSERT_TRUE(program.allocate({.guarded = true}) && program.place(buffers) && program.run(1));
  const Result<const Buffer*> breached = program.breached();
  ASSERT_TRUE(breached && *breached != nullptr);
  EXPECT_EQ((*breached)->name, "Y");
}

TEST_F(LoadedOpenclProgramTest, RefusesABufferThatTheProgramDoesNotHave) {
  artifact_.kernels[1].buffers = {1, 3};
  EXPECT_ERROR(LoadedOpenclProgram::load(artifact_, *context_), "kernel twice takes buffer 3 of 3");
}

}  // namespace
}  // namespace dovetail
