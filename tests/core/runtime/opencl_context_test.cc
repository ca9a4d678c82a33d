// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/opencl_context.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "core/ir/value/array.h"
#include "core/runtime/opencl_device.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TargetName opencl(const std::string& text) { return *parse_target_name("opencl" + text); }

Result<OpenclContext>& device() {
  static Result<OpenclContext> context = [] {
    prepare_opencl_environment();
    return OpenclContext::open(opencl(""));
  }();
  return context;
}

class OpenclDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!device()) GTEST_SKIP() << device().error().message;
  }
};

Layout layout_in(MemoryScope scope) {
  Layout layout = identity_layout({{"a", 3}, {"b", 5}, {"c", 7}, {"d", 2}, {"e", 4}});
  layout.scope = scope;
  return layout;
}

std::vector<float> counted(size_t count) {
  std::vector<float> elements(count);
  std::iota(elements.begin(), elements.end(), 1.0F);
  return elements;
}

Result<void> upload(const OpenclMemory& memory, const std::vector<float>& elements,
                    ElementType dtype = ElementType::f32) {
  std::vector<std::byte> bytes(static_cast<size_t>(memory.bytes()));
  convert(elements, dtype, bytes);
  return device()->upload(memory, bytes.data());
}

Result<std::vector<float>> downloaded(const OpenclMemory& memory,
                                      ElementType dtype = ElementType::f32) {
  std::vector<std::byte> bytes(static_cast<size_t>(memory.bytes()));
  TRY(device()->download(memory, bytes.data()));
  return floats_of({dtype, bytes.data(), bytes.size() / static_cast<size_t>(bytes_of(dtype))});
}

constexpr MemoryScope kScopes[] = {MemoryScope::global,
                                   MemoryScope::texture,
                                   MemoryScope::texture_weight,
                                   MemoryScope::texture_nhwc,
                                   MemoryScope::texture_array,
                                   MemoryScope::texture_weight_array,
                                   MemoryScope::texture_nhwc_array};

TEST_F(OpenclDeviceTest, GivesBackWhatWasUploadedInEveryScopeAndType) {
  for (const MemoryScope scope : kScopes) {
    for (const ElementType dtype : {ElementType::f32, ElementType::f16}) {
      const auto memory = device()->allocate(layout_in(scope), dtype);
      ASSERT_TRUE(memory) << memory.error().message;
      EXPECT_EQ(memory->is_image(), scope != MemoryScope::global);
      EXPECT_EQ(memory->bytes(), 840 * bytes_of(dtype));
      const std::vector<float> elements = counted(840);
      const auto uploaded = upload(*memory, elements, dtype);
      ASSERT_TRUE(uploaded) << print(scope) << ": " << uploaded.error().message;
      const auto found = downloaded(*memory, dtype);
      ASSERT_TRUE(found) << print(scope) << ": " << found.error().message;
      EXPECT_EQ(*found, elements) << print(scope) << " " << name_of(dtype);
    }
  }
}

TEST_F(OpenclDeviceTest, GivesBackNaN) {
  const OpenclMemory memory =
      *device()->allocate(layout_in(MemoryScope::texture), ElementType::f16);
  ASSERT_TRUE(upload(memory, std::vector<float>(840, std::nanf("")), ElementType::f16));
  const std::vector<float> found = *downloaded(memory, ElementType::f16);
  EXPECT_TRUE(std::isnan(found.front()) && std::isnan(found.back()));
}

TEST_F(OpenclDeviceTest, RefusesAnImageThatItCannotGive) {
  Layout wide = identity_layout({{"a", device()->target().image2d_max_width + 1}, {"e", 4}});
  wide.scope = MemoryScope::texture;
  EXPECT_ERROR(device()->allocate(wide, ElementType::f32), "is over the limit");
}

constexpr std::string_view kSource =
    "__kernel void twice(__global const float* x, __global float* y) {\n"
    "  y[get_global_id(0)] = 2 * x[get_global_id(0)];\n"
    "}\n"
    "__kernel void astray(__global float* y) { y[get_global_id(0) - 1] = 7; }\n";

Layout line(int64_t extent) { return identity_layout({{"a", extent}}); }

TEST_F(OpenclDeviceTest, RunsWhatItBuiltAlsoFromTheBinary) {
  const auto built = device()->build(kSource);
  ASSERT_TRUE(built) << built.error().message;
  const auto binary = device()->binary(*built);
  ASSERT_TRUE(binary) << binary.error().message;
  const auto loaded = device()->load(*binary);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const OpenclMemory x = *device()->allocate(line(64), ElementType::f32);
  const OpenclMemory y = *device()->allocate(line(64), ElementType::f32);
  ASSERT_TRUE(upload(x, counted(64)));
  // The second launch reads what the first one wrote.
  const OpenclLaunch launches[] = {{"twice", {64, 1, 1}, {8, 1, 1}, {&x, &y}},
                                   {"twice", {64, 1, 1}, {8, 1, 1}, {&y, &x}}};
  const auto seconds = device()->run(*loaded, launches, 2);
  ASSERT_TRUE(seconds) << seconds.error().message;
  EXPECT_GT(*seconds, 0);
  EXPECT_EQ((*downloaded(x))[9], 16 * 10);
}

TEST_F(OpenclDeviceTest, SeesWhatIsWrittenBesideAGuardedBuffer) {
  const OpenclProgram program = *device()->build(kSource);
  const OpenclMemory y = *device()->allocate(line(61), ElementType::f32, {.guarded = true});
  EXPECT_TRUE(*device()->guards_intact(y));
  const OpenclLaunch inside[] = {{"twice", {61, 1, 1}, {1, 1, 1}, {&y, &y}}};
  ASSERT_TRUE(device()->run(program, inside));
  EXPECT_TRUE(*device()->guards_intact(y));
  const OpenclLaunch before[] = {{"astray", {1, 1, 1}, {1, 1, 1}, {&y}}};
  ASSERT_TRUE(device()->run(program, before));
  EXPECT_FALSE(*device()->guards_intact(y));
  const OpenclMemory z = *device()->allocate(line(61), ElementType::f16, {.guarded = true});
  const OpenclLaunch after[] = {{"astray", {62, 1, 1}, {1, 1, 1}, {&z}}};  // floats over halves
  ASSERT_TRUE(device()->run(program, after));
  EXPECT_FALSE(*device()->guards_intact(z));
}

TEST_F(OpenclDeviceTest, TranslatesTheCompilersAndTheDriversErrors) {
  EXPECT_ERROR(device()->build("__kernel void broken(__global float* y) { y[0] = nowhere; }\n"),
               "clBuildProgram gives CL_BUILD_PROGRAM_FAILURE (");
  EXPECT_ERROR(device()->build("__kernel void broken(__global float* y) { y[0] = nowhere; }\n"),
               "nowhere");
  EXPECT_ERROR(device()->load("not a binary"), "gives CL_");
  const OpenclProgram program = *device()->build(kSource);
  const OpenclLaunch unknown[] = {{"thrice", {1, 1, 1}, {1, 1, 1}, {}}};
  EXPECT_ERROR(device()->run(program, unknown), "CL_INVALID_KERNEL_NAME (kernel thrice)");
  const OpenclMemory y = *device()->allocate(line(64), ElementType::f32);
  const int64_t too_many = 2 * device()->target().max_work_group_size;
  const OpenclLaunch large[] = {{"astray", {too_many, 1, 1}, {too_many, 1, 1}, {&y}}};
  EXPECT_ERROR(device()->run(program, large), "clEnqueueNDRangeKernel gives CL_INVALID_WORK");
}

TEST_F(OpenclDeviceTest, DescribesItselfAsATarget) {
  const auto devices = list_opencl_devices();
  ASSERT_TRUE(devices) << devices.error().message;
  ASSERT_FALSE(devices->empty());
  const Target& first = devices->front();
  EXPECT_EQ(first.device, device()->target().device);
  EXPECT_EQ(first.vector_lanes, 4);
  EXPECT_GE(first.max_work_group_size, 1);
  for (const int64_t along : first.max_work_item_sizes) EXPECT_GE(along, 1);
  EXPECT_EQ(first.has_images, first.image2d_max_width > 0);
  const auto by_name = opencl_target(opencl(":" + first.name.platform));
  ASSERT_TRUE(by_name) << by_name.error().message;
  EXPECT_EQ(by_name->device, first.device);
}

TEST_F(OpenclDeviceTest, NamesTheDevicesWhenNoneMatches) {
  EXPECT_ERROR(opencl_target(opencl(":no such thing")), device()->target().device);
}

TEST(OpenclTarget, ComesFromAProfileWhenTheDeviceIsElsewhere) {
  Target phone;
  phone.name.kind = TargetKind::opencl;
  phone.device = "phone";
  phone.max_work_group_size = 256;
  const auto path = std::filesystem::path(::testing::TempDir()) / "phone.txt";
  std::ofstream(path) << print(phone);
  const TargetName name = opencl(":profile=" + path.string());
  const auto target = opencl_target(name);
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->device, "phone");
  EXPECT_EQ(target->name, name);
  EXPECT_ERROR(OpenclContext::open(name), "describes a device that is not here");
}

TEST(OpenclTarget, NamesTheProfileThatCannotBeRead) {
  EXPECT_ERROR(opencl_target(opencl(":profile=/no/such/file")),
               "device profile: cannot read /no/such/file");
}

}  // namespace
}  // namespace dovetail
