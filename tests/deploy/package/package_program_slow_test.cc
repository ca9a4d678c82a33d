// SPDX-License-Identifier: Apache-2.0
//
// The header and the driver under compilers, sanitizers and linkers, in each form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "deploy/package/c_literal.h"
#include "deploy/package/driver/c_driver.h"
#include "tests/deploy/package/sample_package.h"
#include "tests/deploy/package/sample_programs.h"

namespace dovetail::testing {
namespace {

std::vector<std::string> c_compilers() {
  std::vector<std::string> found;
  for (const char* name : {"cc", "clang-14", "clang-19"})
    if (has_program(name)) found.emplace_back(name);
  return found;
}

Executable without_inputs() {
  Executable made = sample_executable("pose");
  for (const ExecutableTensor& input : made.inputs)
    made.buffers[input.buffer].place = ArenaPlace{0, input.place->offset};
  made.inputs.clear();
  return made;
}

std::vector<std::pair<std::string, SampleSources>> all_forms() {
  const Executable one = sample_executable("pose"), pools = sample_executable_with_pools("pose");
  const Executable v3 = sample_executable("pose_v3"), v4 = sample_executable("pose_v4");
  const PackageVariants two = {{.executable = &v4, .label = "v4", .cpu_features = {"avx512f"}},
                               {.executable = &v3, .label = "v3", .cpu_features = {"avx2"}}};
  std::vector<std::pair<std::string, SampleSources>> forms;
  for (const auto workspace : {WorkspaceForm::caller, WorkspaceForm::internal})
    for (const auto weights : {WeightsForm::file, WeightsForm::embed}) {
      const PackageOptions options{.name = "pose", .workspace = workspace, .weights = weights};
      const std::string name = fmt::format("{}{}", workspace == WorkspaceForm::internal ? "i" : "c",
                                           weights == WeightsForm::embed ? "e" : "f");
      forms.emplace_back(name + "_one", sample_sources(one, options));
      forms.emplace_back(name + "_pools", sample_sources(pools, options));
      forms.emplace_back(name + "_two", sample_sources(two, options));
      forms.emplace_back(name + "_none", sample_sources(without_inputs(), options));
    }
  return forms;
}

TEST(PackageProgram, CompilesWithoutAWarningInEachForm) {
  for (const auto& [form, sources] : all_forms()) {
    const TemporaryFolder folder;
    write_sample(folder, "pose", sources);
    folder.write("user.cc", "#include \"pose.h\"\nint user() { return pose_abi(); }\n");
    for (const std::string& compiler : c_compilers())
      for (const char* standard : {"c99", "c11"})
        expect_success(folder, fmt::format("{} -std={} {} -O2 -c pose.c -o /dev/null", compiler,
                                           standard, kWarnings));
    for (const char* compiler : {"c++", "clang++"})
      for (const char* standard : {"c++11", "c++20"})
        if (has_program(compiler))
          expect_success(folder, fmt::format("{} -std={} {} -c user.cc -o /dev/null", compiler,
                                             standard, kWarnings));
  }
}

class PoseProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    write_sample(folder_, "pose", sample_sources(sample_executable("pose"), {.name = "pose"}));
    folder_.write("main.c", with_includes(kPoseProgram, {"pose.h"}));
    folder_.write("threads.c", with_includes(kThreadedProgram, {"pose.h"}));
    folder_.write("user.cc", with_includes(kCppProgram, {"pose.h"}));
  }
  // `program` with the package, under `flags`.
  void expect_runs(const std::string& program, const std::string& flags) {
    expect_success(folder_, fmt::format("cc -std=c99 -g -O1 {} {} pose.c pose_kernels.c -o run "
                                        "-pthread && ./run",
                                        flags, program));
  }
  TemporaryFolder folder_;
};

TEST_F(PoseProgram, IsCleanUnderSanitizers) {
  expect_runs("main.c", "-fsanitize=address,undefined -fno-sanitize-recover=all");
  expect_runs("threads.c", "-fsanitize=thread");
}

TEST_F(PoseProgram, RunsOnSixteenThreads) { expect_runs("threads.c", "-O2"); }

TEST_F(PoseProgram, IsUsedFromCpp) {
  expect_success(folder_, fmt::format("cc -std=c99 -c pose.c pose_kernels.c && c++ -std=c++11 {} "
                                      "user.cc pose.o pose_kernels.o -o run && ./run",
                                      kWarnings));
}

TEST_F(PoseProgram, NeedsMemcpyAndItsKernelsAlone) {
  for (const std::string& compiler : c_compilers())
    for (const char* flags : {"-O0", "-O2", "-O3 -fPIC"}) {
      const ShellRun run = run_shell(
          folder_,
          fmt::format("{} -std=c99 {} -c pose.c -o pose.o && nm -u pose.o | sed 's/^ *U //' "
                      "| grep -v '^mem\\(cpy\\|set\\)$' | tr '\\n' ' '",
                      compiler, flags));
      const std::string got = "_GLOBAL_OFFSET_TABLE_ ";
      std::string found = run.output;
      if (found.starts_with(got)) found.erase(0, got.size());
      EXPECT_EQ(found, "pose_add pose_scale pose_sum ") << compiler << " " << flags;
      const ShellRun sizes = run_shell(
          folder_, "size -A pose.o | awk '$1 ~ /^\\.(data|bss|tdata|tbss|init_array)$/ && $2 > 0'");
      EXPECT_EQ(sizes.output, "");
    }
}

TEST_F(PoseProgram, ShowsTheHeadersNamesOnly) {
  const ShellRun run = run_shell(folder_,
                                 "cc -std=c99 -c pose.c && nm --defined-only -g pose.o | "
                                 "awk '{print $3}' | tr '\\n' ' '");
  EXPECT_EQ(run.output,
            "pose_abi pose_check_weights pose_init pose_init_a0a1a270 pose_map_inputs "
            "pose_map_outputs pose_metadata pose_run pose_status_text ");
}

TEST_F(PoseProgram, DoesNotLinkWithTheHeaderOfAnotherBuild) {
  const ShellRun run =
      run_shell(folder_,
                "cc -c pose.c pose_kernels.c && sed -i s/a0a1a270/deadbeef/ pose.h && "
                "cc main.c pose.o pose_kernels.o -o run");
  EXPECT_NE(run.exit_code, 0);
  EXPECT_NE(run.output.find("pose_init_deadbeef"), std::string::npos) << run.output;
}

TEST_F(PoseProgram, RefusesAnotherProcessorWhereItIsCompiled) {
  if (!has_program("aarch64-linux-gnu-gcc")) GTEST_SKIP() << "needs aarch64-linux-gnu-gcc";
  const ShellRun run = run_shell(folder_, "aarch64-linux-gnu-gcc -c pose.c -o /dev/null");
  EXPECT_NE(run.output.find("the kernels of this package are for x86-64"), std::string::npos);
}

TEST_F(PoseProgram, LivesBesideAnother) {
  write_sample(folder_, "face", sample_sources(sample_executable("face"), {.name = "face"}));
  folder_.write("two.c", with_includes(kTwoProgram, {"pose.h", "face.h"}));
  expect_success(folder_, fmt::format("cc -std=c99 {} two.c pose.c pose_kernels.c face.c "
                                      "face_kernels.c -o run && ./run",
                                      kWarnings));
}

TEST(PackageProgramWithoutALibrary, LinksAndRuns) {
  const TemporaryFolder folder;
  const SampleSources sources = sample_sources(
      sample_executable("pose"),
      {.name = "pose", .workspace = WorkspaceForm::internal, .weights = WeightsForm::embed});
  write_sample(folder, "pose", sources);
  std::vector<std::string> bytes;
  for (const char byte : sources.weights[0])
    bytes.push_back(std::to_string(static_cast<uint8_t>(byte)));
  folder.write("weights.c", with_includes("__attribute__((aligned(64))) const unsigned char "
                                          "pose_weights[POSE_WEIGHTS_BYTES] = {\n" +
                                              c_rows(bytes) + "};\n",
                                          {"pose.h"}));
  folder.write("main.c", with_includes(kBareProgram, {"pose.h"}));
  expect_success(folder,
                 "cc -std=c99 -O2 -ffreestanding -fno-stack-protector -nostdlib -static main.c "
                 "pose.c weights.c pose_kernels.c -o run && ./run");
}

TEST(PackageProgramWithMuchMetadata, IsAnArrayOfCharacters) {
  const TemporaryFolder folder;
  folder.write("text.c", "const char* text(void);\nconst char* text(void) {\n" +
                             c_text_return(std::string(5000, '"') + "?\?/") + "}\n");
  folder.write(
      "main.c",
      "#include <string.h>\nconst char* text(void);\n"
      "int main(void) { return strlen(text()) == 5003 && text()[5002] == '/' ? 0 : 1; }\n");
  expect_success(folder, fmt::format("cc -std=c99 {} main.c text.c -o run && ./run", kWarnings));
}

}  // namespace
}  // namespace dovetail::testing
