// SPDX-License-Identifier: Apache-2.0
#include "core/ir/target.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TEST(TargetName, PrintsWhatItParsed) {
  for (const char* text :
       {"cpu", "cpu:threads=2", "cpu:arch=x86-64-v3", "cpu:threads=4,arch=cortex-a76", "opencl",
        "opencl:pocl", "opencl:NVIDIA CUDA", "opencl:profile=a/b.txt"}) {
    const auto name = parse_target_name(text);
    ASSERT_TRUE(name) << text;
    EXPECT_EQ(print(*name), text);
  }
}

TEST(TargetName, OneThreadIsTheDefaultAndNotPrinted) {
  EXPECT_EQ(print(*parse_target_name("cpu:threads=1")), "cpu");
}

TEST(TargetName, FailsForWhatIsNoTarget) {
  EXPECT_ERROR(parse_target_name(""), "unknown target");
  EXPECT_ERROR(parse_target_name("C++"), "unknown target C++: expected cpu");
  EXPECT_ERROR(parse_target_name("cpu:"), "unknown target cpu:");
  EXPECT_ERROR(parse_target_name("cpu:threads=0"), "expected 1 to");
  EXPECT_ERROR(parse_target_name("cpu:threads=two"), "expected an integer");
  EXPECT_ERROR(parse_target_name("cpu:arch="), "option arch=");
  EXPECT_ERROR(parse_target_name("cpu:threads=2,cores=2"), "option cores=2");
  EXPECT_ERROR(parse_target_name("opencl:profile="), "no file");
}

TEST(Target, PrintsAndParses) {
  Target target;
  target.name = *parse_target_name("opencl:pocl");
  target.execution = ExecutionModel::work_groups;
  target.device = "pthread = skylake";
  target.driver = "PoCL 3.1";
  target.has_images = true;
  target.image2d_max_width = 8192;
  target.max_work_item_sizes = {1024, 1024, 64};
  target.lockstep_work_items = 32;
  target.unit_registers = 65536;
  target.unit_work_items = 2048;
  target.unit_local_bytes = 228 << 10;
  target.llvm_features = "+avx2,-sse4a";
  const auto again = parse_target(print(target));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, target);
}

TEST(Target, ParsesWithoutSomeFieldsAndWithComments) {
  const auto target = parse_target("# a profile\nname=opencl\nmax_work_group_size=256\n");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->max_work_group_size, 256);
  for (const size_t axis : {0, 1, 2}) EXPECT_EQ(max_work_items(*target, axis), 256);
}

TEST(Target, HasALimitOfWorkItemsAlongEachAxis) {
  const auto target =
      parse_target("name=opencl\nmax_work_group_size=256\nmax_work_item_sizes=1024x1024x64\n");
  ASSERT_TRUE(target);
  EXPECT_EQ(max_work_items(*target, 0), 256);
  EXPECT_EQ(max_work_items(*target, 2), 64);
}

TEST(Target, SpreadsWhileLoadingFromZen5OnInWholeVectors) {
  const auto spreads = [](const std::string& cpu, int64_t lanes) {
    Target target;
    target.llvm_cpu = cpu;
    target.vector_bytes = 4 * static_cast<int>(lanes);
    return spreads_while_loading(target);
  };
  EXPECT_TRUE(spreads("znver5", 16));
  EXPECT_TRUE(spreads("znver10", 16));
  EXPECT_FALSE(spreads("znver4", 16));
  EXPECT_FALSE(spreads("znver5", 8));
  EXPECT_FALSE(spreads("skylake-avx512", 16));
}

TEST(Target, FailsForUnknownFieldsAndWrongNumbers) {
  EXPECT_ERROR(parse_target("name=cpu\ncolour=red\n"), "line 2 of a target: unknown field colour");
  EXPECT_ERROR(parse_target("l1_bytes=many\n"), "l1_bytes=many: expected an integer");
  EXPECT_ERROR(parse_target("has_images=yes\n"), "expected 0 or 1");
  EXPECT_ERROR(parse_target("max_work_item_sizes=1024x64\n"), "expected 3 numbers");
  EXPECT_ERROR(parse_target("max_work_item_sizes=1024x64x\n"), "expected an integer");
}

}  // namespace
}  // namespace dovetail
