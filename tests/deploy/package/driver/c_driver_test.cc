// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/driver/c_driver.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "deploy/package/c_literal.h"
#include "tests/deploy/package/sample_package.h"
#include "tests/deploy/package/sample_programs.h"
#include "tests/support/golden.h"

namespace dovetail::testing {
namespace {

constexpr const char* kStrict = "-std=c99 -Wall -Wextra -pedantic -Werror -O1";

// Stands for the object that a package brings.
std::string embedded_weights(const std::string& name, const std::string& weights) {
  std::vector<std::string> bytes;
  for (const char byte : weights) bytes.push_back(std::to_string(static_cast<uint8_t>(byte)));
  return "const unsigned char " + name + "_weights[] __attribute__((aligned(64))) = {\n" +
         c_rows(bytes) + "};\n";
}

// The two forms of one driver: the package's source, and what its archive holds.
std::vector<std::string> drivers_of(const std::string& name, const SampleSources& sources) {
  std::vector<std::string> drivers = {name + ".c"};
  if (!sources.driver_object.empty()) drivers.push_back(name + "_ir.o");
  return drivers;
}

// Compiles the package of `options` with a program, and runs it on its weights.
void expect_runs(const Executable& executable, const PackageOptions& options,
                 std::string_view program, const std::string& flags = kStrict) {
  const TemporaryFolder folder;
  const SampleSources sources = sample_sources(executable, options);
  write_sample(folder, options.name, sources);
  const bool is_embedded = options.weights == WeightsForm::embed;
  if (is_embedded) folder.write("embedded.h", embedded_weights(options.name, sources.weights[0]));
  folder.write("main.c", is_embedded ? with_includes(program, {"pose.h", "embedded.h"})
                                     : with_includes(program, {"pose.h"}));
  for (const std::string& driver : drivers_of(options.name, sources)) {
    const ShellRun built = run_shell(folder, "cc " + flags + " main.c " + driver + " " +
                                                 options.name + "_kernels.c -o main -lpthread");
    ASSERT_EQ(built.exit_code, 0) << driver << built.output;
    const ShellRun ran = run_shell(folder, "./main");
    EXPECT_EQ(ran.exit_code, 0) << driver << ran.output;
  }
}

TEST(CDriver, ComputesAtAnyAddressAndSaysWhatIsWrong) {
  expect_runs(sample_executable("pose"), {.name = "pose"}, kPoseProgram);
}

// Read by a person: a package's text is part of what a user gets.
TEST(CDriver, ReadsAsIfWrittenByHand) {
  const SampleSources sources = sample_sources(sample_executable("pose"), {.name = "pose"});
  EXPECT_GOLDEN(sources.header, "deploy/package/header");
  EXPECT_GOLDEN(sources.driver, "deploy/package/driver");
}

TEST(CDriver, RunsInsideAWorkspaceOfItsOwn) {
  expect_runs(sample_executable("pose"),
              {.name = "pose", .workspace = WorkspaceForm::internal, .weights = WeightsForm::embed},
              kInternalProgram);
}

TEST(CDriver, RunsInSeveralPools) {
  expect_runs(sample_executable_with_pools("pose"), {.name = "pose"}, kPoolProgram);
}

TEST(CDriver, ChoosesTheBestCodeOfTheProcessor) {
  const Executable v3 = sample_executable("pose_v3"), v4 = sample_executable("pose_v4");
  const PackageVariants variants = {
      {.executable = &v4, .label = "v4", .cpu_features = {"avx512f", "fma"}},
      {.executable = &v3, .label = "v3", .cpu_features = {"avx2", "fma"}}};
  const TemporaryFolder folder;
  write_sample(folder, "pose", sample_sources(variants, {.name = "pose"}));
  // The better code computes with a W of its own.
  folder.write("pose_kernels.c", sample_kernels("pose_v3") + kMarkedV4Kernels);
  folder.write("main.c", with_includes(kVariantProgram, {"pose.h"}));
  const ShellRun built = run_shell(
      folder, std::string("cc ") + kStrict +
                  " -DPOSE_CPUID=cpuid_of_test -DPOSE_XGETBV=xgetbv_of_test main.c pose.c "
                  "pose_kernels.c -o main");
  ASSERT_EQ(built.exit_code, 0) << built.output;
  const ShellRun ran = run_shell(folder, "./main");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
}

// Both ask the processor that is here.
TEST(CDriver, ChoosesTheSameCodeInTheArchive) {
  const Executable v3 = sample_executable("pose_v3"), v4 = sample_executable("pose_v4");
  const PackageVariants variants = {
      {.executable = &v4, .label = "v4", .cpu_features = {"avx512f", "fma"}},
      {.executable = &v3, .label = "v3", .cpu_features = {}}};
  const TemporaryFolder folder;
  const SampleSources sources = sample_sources(variants, {.name = "pose"});
  write_sample(folder, "pose", sources);
  folder.write("pose_kernels.c", sample_kernels("pose_v3") + kMarkedV4Kernels);
  folder.write("main.c", with_includes(kChoiceProgram, {"pose.h"}));
  std::vector<std::string> outputs;
  for (const std::string& driver : drivers_of("pose", sources)) {
    const ShellRun ran = run_shell(folder, std::string("cc ") + kStrict + " main.c " + driver +
                                               " pose_kernels.c -o main && ./main");
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    outputs.push_back(ran.output);
  }
  for (const std::string& output : outputs) EXPECT_EQ(output, outputs.front());
}

// The archive's driver is compiled from the source's text, which may have changed since.
TEST(CDriver, IsTheOneOfTheArchive) {
  const TemporaryFolder folder;
  const ShellRun run = run_shell(
      folder, "cd '" + source_dir().string() + "' && python3 scripts/make_ir_driver.py --check");
  EXPECT_EQ(run.exit_code, 0) << run.output;
}

}  // namespace
}  // namespace dovetail::testing
