// SPDX-License-Identifier: Apache-2.0
//
// OpenCL's devices alone; device_contract_test.cc holds for all devices.
#include "core/backends/opencl/opencl_device.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/backends/opencl/opencl_targets.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TargetName opencl(const std::string& text) { return *parse_target_name("opencl" + text); }

Result<std::unique_ptr<Device>>& opened() {
  static Result<std::unique_ptr<Device>> device = [] {
    prepare_opencl_environment();
    return open_opencl_device(opencl(""));
  }();
  return device;
}
Device& device() { return **opened(); }

class OpenclDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!opened()) GTEST_SKIP() << opened().error().message;
  }
};

constexpr const char* kSource =
    "__kernel void twice(__global const float* x, __global float* y) {\n"
    "  y[get_global_id(0)] = 2 * x[get_global_id(0)];\n"
    "}\n";

Code source_of(std::string text, std::vector<Launch> launches) {
  return {.form = CodeForm::opencl_source,
          .objects = {std::move(text)},
          .launches = std::move(launches)};
}

// The second launch reads what the first one wrote.
TEST_F(OpenclDeviceTest, RunsTheSameKernelOnOtherBuffers) {
  const auto code = device().build(source_of(
      kSource, {{.name = "twice", .global = {64, 1, 1}, .local = {8, 1, 1}, .buffers = {0, 1}},
                {.name = "twice", .global = {64, 1, 1}, .local = {8, 1, 1}, .buffers = {1, 0}}}));
  ASSERT_TRUE(code) << code.error().message;
  const auto loaded = device().load(*code);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const std::vector<NDArray> buffers = {*device().allocate(ElementType::f32, {64}),
                                        *device().allocate(ElementType::f32, {64})};
  ASSERT_TRUE(device().copy(std::vector<float>(64, 10), buffers[0]));
  ASSERT_TRUE((*loaded)->bind(buffers));
  const auto seconds = (*loaded)->run(0, 2, 2);
  ASSERT_TRUE(seconds) << seconds.error().message;
  EXPECT_GT(*seconds, 0);
  const NDArray x = NDArray::zeros(ElementType::f32, {64});
  ASSERT_TRUE(device().copy(buffers[0], x));
  EXPECT_EQ(x.real(9), 16 * 10);
}

TEST_F(OpenclDeviceTest, TranslatesTheCompilersAndTheDriversErrors) {
  const Code broken =
      source_of("__kernel void broken(__global float* y) { y[0] = nowhere; }\n", {});
  EXPECT_ERROR(device().build(broken), "clBuildProgram gives CL_BUILD_PROGRAM_FAILURE (");
  EXPECT_ERROR(device().build(broken), "nowhere");
  EXPECT_ERROR(device().build(source_of("__kernel void broken(__global float* y) { nowhere(); }\n",
                                        {{.name = "twice"}, {.name = "broken"}})),
               "kernel broken: OpenCL: clBuildProgram gives CL_BUILD_PROGRAM_FAILURE (");
  EXPECT_ERROR(device().load({.form = CodeForm::driver_binary, .objects = {}, .launches = {}}),
               "loads binaries of its driver alone");
  EXPECT_ERROR(
      device().load({.form = CodeForm::driver_binary, .objects = {"not a binary"}, .launches = {}}),
      "gives CL_");
  const Code unknown = *device().build(source_of(kSource, {{.name = "thrice"}}));
  EXPECT_ERROR(device().load(unknown), "CL_INVALID_KERNEL_NAME (kernel thrice)");
  const int64_t too_many = 2 * device().target().max_work_group_size;
  const auto large = device().load(*device().build(source_of(kSource, {{.name = "twice",
                                                                        .global = {too_many, 1, 1},
                                                                        .local = {too_many, 1, 1},
                                                                        .buffers = {0, 1}}})));
  ASSERT_TRUE(large) << large.error().message;
  const NDArray y = *device().allocate(ElementType::f32, {64});
  ASSERT_TRUE((*large)->bind({{y, y}}));
  EXPECT_ERROR((*large)->run(0, 1), "clEnqueueNDRangeKernel gives CL_INVALID_WORK");
}

TEST_F(OpenclDeviceTest, RefusesABufferThatItDoesNotHave) {
  const auto loaded =
      device().load(*device().build(source_of(kSource, {{.name = "twice", .buffers = {0, 3}}})));
  const NDArray y = *device().allocate(ElementType::f32, {64});
  EXPECT_ERROR((*loaded)->bind({{y}}), "kernel twice takes buffer 3 of 1");
  EXPECT_ERROR((*loaded)->bind({{NDArray{1, 2}, y, y, y}}), "memory of another device");
}

TEST_F(OpenclDeviceTest, DescribesItselfAsATarget) {
  const auto devices = list_opencl_devices();
  ASSERT_TRUE(devices) << devices.error().message;
  ASSERT_FALSE(devices->empty());
  const Target& first = devices->front();
  EXPECT_EQ(first.device, device().target().device);
  EXPECT_EQ(vector_lanes(first), 4);
  EXPECT_GE(first.max_work_group_size, 1);
  for (const int64_t along : first.max_work_item_sizes) EXPECT_GE(along, 1);
  EXPECT_EQ(first.has_images, first.image2d_max_width > 0);
  const auto by_name = opencl_target(opencl(":" + first.name.device));
  ASSERT_TRUE(by_name) << by_name.error().message;
  EXPECT_EQ(by_name->device, first.device);
}

TEST_F(OpenclDeviceTest, NamesTheDevicesWhenNoneMatches) {
  EXPECT_ERROR(opencl_target(opencl(":no such thing")), device().target().device);
}

TEST(OpenclTarget, ComesFromAProfileWhenTheDeviceIsElsewhere) {
  Target phone;
  phone.name.backend = "opencl";
  phone.execution = ExecutionModel::work_groups;
  phone.device = "phone";
  phone.max_work_group_size = 256;
  const auto path = std::filesystem::path(::testing::TempDir()) / "phone.txt";
  std::ofstream(path) << print(phone);
  const TargetName name = opencl(":profile=" + path.string());
  const auto target = opencl_target(name);
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->device, "phone");
  EXPECT_EQ(target->name, name);
  EXPECT_ERROR(open_opencl_device(name), "describes a device that is not here");
}

TEST(OpenclTarget, NamesTheProfileThatCannotBeRead) {
  EXPECT_ERROR(opencl_target(opencl(":profile=/no/such/file")),
               "device profile: cannot read /no/such/file");
}

}  // namespace
}  // namespace dovetail
