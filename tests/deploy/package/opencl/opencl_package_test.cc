// SPDX-License-Identifier: Apache-2.0
// A hand-written network of two kernels, with an image array between them and a constant in a
// half-precision image: its tables, its metadata, and the outputs of its package.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/backends/opencl/opencl_targets.h"
#include "core/base/files.h"
#include "deploy/package/opencl/opencl_tables.h"
#include "deploy/package/package_files.h"
#include "deploy/package/write_package.h"
#include "tests/deploy/package/json_schema.h"
#include "tests/deploy/package/sample_package.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

using Json = nlohmann::json;

// x to an array of two images of 2 x 1 texels each; y = t * W + K.
constexpr const char* kSource = R"(__constant sampler_t kNearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void pose_p0_store(__global const float* restrict x, __write_only image2d_array_t t) {
  const int i = get_global_id(0), layer = get_global_id(1);
  write_imagef(t, (int4)(i, 0, layer, 0), vload4(2 * layer + i, x));
}
__kernel void pose_p1_scale(__read_only image2d_array_t t, __read_only image2d_t W,
                            __global const float* restrict K, __global float* restrict y) {
  const int i = get_global_id(0), layer = get_global_id(1);
  const float4 texel = read_imagef(t, kNearest, (int4)(i, 0, layer, 0));
  vstore4(texel * read_imagef(W, kNearest, (int2)(0, 0)) + K[0], 2 * layer + i, y);
}
)";

// A multiple of the alignment that any device asks of sub-buffers.
constexpr int64_t kStep = 512;

Executable opencl_executable(const std::string& device) {
  Executable made;
  made.name = "pose";
  made.target.name.backend = "opencl";
  made.target.execution = ExecutionModel::work_groups;
  made.target.device = device;
  made.target.driver = "a driver";
  made.arenas = {
      {.name = "workspace", .bytes = 2 * kStep, .alignment = kStep, .lower_bound_bytes = 2 * kStep},
      {.name = "constants", .use = ArenaUse::constants, .bytes = 3 * kStep, .alignment = kStep}};
  made.buffers = {{.name = "x", .shape = {16}},
                  {.name = "t", .shape = {2, 1, 2, 4}, .scope = MemoryScope::texture_array},
                  {.name = "W.given", .shape = {4}},
                  {.name = "W",
                   .type = ElementType::f16,
                   .shape = {1, 1, 4},
                   .scope = MemoryScope::texture_weight,
                   .place = ArenaPlace{1, 2 * kStep}},
                  {.name = "K", .shape = {1}, .place = ArenaPlace{1, kStep}},
                  {.name = "y", .shape = {16}}};
  made.inputs = {{.name = "x", .shape = {16}, .buffer = 0, .place = ArenaPlace{0, 0}}};
  made.outputs = {{.name = "y", .shape = {4, 4}, .buffer = 5, .place = ArenaPlace{0, kStep}}};
  made.code.launches = {
      {.name = "pose_p0_store", .global = {2, 2, 1}, .buffers = {0, 1}},
      {.name = "pose_p1_scale", .global = {2, 2, 1}, .local = {2, 1, 1}, .buffers = {1, 3, 4, 5}}};
  made.constants.resize(2);
  made.constants[1].resize(3 * kStep);
  const std::array<uint16_t, 4> halves = {0x3c00, 0x4000, 0x4200, 0x3800};  // 1, 2, 3, 0.5
  const float ten = 10;
  std::memcpy(made.constants[1].data() + kStep, &ten, sizeof ten);
  std::memcpy(made.constants[1].data() + 2 * kStep, halves.data(), sizeof halves);
  made.code.form = CodeForm::opencl_source;
  made.code.objects = {kSource};
  return made;
}

TEST(OpenclTables, HoldWhatLaunchesAndCallersName) {
  const Executable pose = opencl_executable("a device");
  const PackageInterface interface =
      right(package_interface({{.executable = &pose, .label = "", .cpu_features = {}}}, "pose"));
  EXPECT_EQ(interface.workspaces[0].macro, "DEVICE");
  EXPECT_EQ(interface.workspaces[0].bytes, 2 * kStep + kStep) << "x and y; t as the plan counts it";
  EXPECT_EQ(interface.workspaces[0].lower_bound_bytes, 2 * kStep + kStep);
  const OpenclTables tables = opencl_tables(pose, interface);
  ASSERT_EQ(tables.memories.size(), 2 + 5) << "two arenas, and all buffers but W.given";
  EXPECT_EQ(tables.memories[3].image->layers, 2);
  EXPECT_FALSE(tables.memories[3].whole);
  EXPECT_EQ(tables.memories[4].constant, 3 * kStep) << "in the file, where constants begin at 512";
  EXPECT_TRUE(tables.memories[4].is_half);
  EXPECT_EQ(tables.launches[1].arguments, (std::vector<size_t>{3, 4, 5, 6}));
  EXPECT_EQ(tables.tensors, (std::vector<size_t>{2, 6}));
}

TEST(OpenclTables, TakePartsOfTwoArenas) {
  const Executable pose = opencl_executable("a device");
  const OpenclTables tables = opencl_tables(
      pose,
      right(package_interface({{.executable = &pose, .label = "", .cpu_features = {}}}, "pose")));
  EXPECT_EQ(tables.memories[0].bytes, 2 * kStep);
  EXPECT_EQ(tables.memories[0].constant, 0);
  EXPECT_EQ(tables.memories[1].bytes, 2 * kStep) << "without the image behind the other constants";
  EXPECT_EQ(tables.memories[1].constant, kStep);
  EXPECT_EQ(tables.memories[5].constant, 0) << "K is uploaded with its arena";
  EXPECT_EQ(tables.memories[5].whole, 1U);
  EXPECT_EQ(tables.memories[5].offset, kStep);
  EXPECT_EQ(tables.memories[6].whole, 0U);
  EXPECT_EQ(tables.memories[6].offset, kStep);
}

TEST(OpenclTables, CutAProgramIntoStringsThatCTakes) {
  const CStrings strings = c_source_strings(std::string(9000, 'x') + "\nend");
  EXPECT_EQ(strings.count, 3);
  EXPECT_TRUE(strings.text.ends_with("x\\n\"\n    \"end\",\n"));
}

TEST(OpenclPackage, IsOneVariantAlone) {
  const Executable pose = opencl_executable("a device");
  EXPECT_ERROR(package_interface({{.executable = &pose, .label = "a", .cpu_features = {}},
                                  {.executable = &pose, .label = "b", .cpu_features = {}}},
                                 "pose"),
               "2 variants; expected one");
}

TEST(OpenclPackage, SaysWhereItsBuffersLie) {
  const Package package =
      right(package_files(opencl_executable("a device"), sample_facts(), {.name = "pose"}));
  const Json metadata = Json::parse(package.files.at("share/pose/metadata.json"));
  const Json schema = Json::parse(source_file("deploy/package/metadata.schema.json"));
  EXPECT_EQ(schema_mistakes(metadata, schema), std::vector<std::string>());
  EXPECT_EQ(metadata["target"]["opencl"]["device"], "a device");
  EXPECT_EQ(metadata["storage"][1]["storage_scope"], "texture:array");
  EXPECT_EQ(metadata["storage"][1]["image"], Json({2, 1, 2}));
  EXPECT_EQ(metadata["storage"][1]["offset"], Json());
  EXPECT_EQ(metadata["storage"][3]["constant"], true);
  EXPECT_EQ(metadata["storage"][3]["offset"], kStep);
  EXPECT_EQ(metadata["tensors"][0]["pool"], "device");
  EXPECT_EQ(metadata["tensors"][1]["offset"], kStep);
  EXPECT_EQ(metadata["sizes"]["workspace"][0]["bytes"], 3 * kStep);
  EXPECT_EQ(metadata["sizes"]["workspace"][0]["lower_bound_bytes"], 3 * kStep);
  EXPECT_EQ(package.files.at("share/pose/pose.cl"), kSource);
  EXPECT_TRUE(package.driver_ir.empty());
}

TEST(OpenclPackage, ComputesWithArraysOfImagesAndHalves) {
  const auto devices = list_opencl_devices();
  if (!devices || devices->empty() || !devices->front().has_images)
    GTEST_SKIP() << "no OpenCL device with images";
  const TemporaryFolder folder;
  const Package package = right(
      package_files(opencl_executable(devices->front().device), sample_facts(), {.name = "pose"}));
  ASSERT_TRUE(write_package(package.files, folder.path("out")));
  std::vector<float> x(16), expected;
  const std::array<float, 4> weights = {1, 2, 3, 0.5F};
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i) + 0.25F;
    expected.push_back(x[i] * weights[i % 4] + 10);
  }
  folder.write("x.bin", {reinterpret_cast<const char*>(x.data()), 64});
  expect_success(folder,
                 fmt::format("cc -std=c99 {} -Iout/include out/src/pose.c out/examples/main.c "
                             "-lOpenCL -o run && ./run out/share/pose/pose.weights x.bin > y.bin",
                             kWarnings));
  const std::string bytes = right(read_file(folder.path("y.bin")));
  std::vector<float> y(bytes.size() / sizeof(float));
  std::memcpy(y.data(), bytes.data(), y.size() * sizeof(float));
  EXPECT_EQ(y, expected);
}

}  // namespace
}  // namespace dovetail::testing
