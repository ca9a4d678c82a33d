// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/c_driver.h"

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
  const ShellRun built = run_shell(folder, "cc " + flags + " main.c " + options.name + ".c " +
                                               options.name + "_kernels.c -o main -lpthread");
  ASSERT_EQ(built.exit_code, 0) << built.output;
  const ShellRun ran = run_shell(folder, "./main");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
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

}  // namespace
}  // namespace dovetail::testing
