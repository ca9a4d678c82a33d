// SPDX-License-Identifier: Apache-2.0
//
// A package's folder as its user has it: examples, CMake and pkg-config, in a moved folder, too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/files.h"
#include "deploy/package/write_package.h"
#include "tests/deploy/package/sample_package.h"
#include "tests/support/golden.h"

namespace dovetail::testing {
namespace {

std::string floats(float first, float step) {
  std::string bytes;
  for (int i = 0; i < 10; ++i) {
    const float value = first + step * static_cast<float>(i);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

// heatmaps:0, then score.
std::vector<float> outputs_in(const TemporaryFolder& folder) {
  const std::string bytes = read_file(folder.path("outputs.bin")).value_or("");
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}
const std::vector<float> kExpected = {11, 24, 39, 56, 75, 96, 119, 144, 171, 200, 1870};

class PackageFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    write(sample_executable("pose"), {.name = "pose"});
    folder_.write("image.bin", floats(1, 1));
    folder_.write("prior.bin", floats(10, 0));
  }

  // The package in out/, with an archive of its driver and the kernels.
  void write(const Executable& executable, const PackageOptions& options) {
    const Package package = *package_files(executable, sample_facts(), options);
    ASSERT_TRUE(write_package(package.files, folder_.path("out"), true).has_value());
    folder_.write("kernels.c", sample_kernels("pose"));
    expect_success(folder_,
                   "cc -std=c99 -O1 -c kernels.c && cc -std=c99 -O1 -Iout/include -c "
                   "out/src/pose.c && ar rcs out/lib/libpose.a kernels.o pose.o");
  }

  void expect_example(const std::string& compile, const std::string& arguments) {
    expect_success(folder_, fmt::format("{} {} -O1 -Iout/include {} -Lout/lib -lpose -o run && "
                                        "./run {} > outputs.bin",
                                        compile.substr(0, compile.find(' ')), kWarnings,
                                        compile.substr(compile.find(' ')), arguments));
    EXPECT_EQ(outputs_in(folder_), kExpected) << compile;
  }

  TemporaryFolder folder_;
};

TEST_F(PackageFolder, HasExamplesThatRun) {
  const std::string arguments = "out/share/pose/pose.weights image.bin prior.bin";
  expect_example("cc -std=c99 out/examples/main.c", arguments);
  expect_example("cc -std=c11 out/examples/main.c", arguments);
  expect_example("c++ -std=c++20 out/examples/threads.cc", arguments);
  expect_example("cc -std=c99 -fopenmp out/examples/openmp.c", arguments);
  if (has_program("clang")) expect_example("clang -std=c99 out/examples/main.c", arguments);
}

TEST_F(PackageFolder, HasExamplesThatSayWhatIsWrong) {
  expect_success(folder_, "cc -Iout/include out/examples/main.c -Lout/lib -lpose -o run");
  const ShellRun bare = run_shell(folder_, "./run");
  EXPECT_EQ(bare.output, "usage: ./run pose.weights [image.bin] [prior.bin] > outputs.bin\n");
  EXPECT_EQ(bare.exit_code, 2);
  EXPECT_EQ(run_shell(folder_, "./run nosuch.weights").output,
            "nosuch.weights: cannot be read: No such file or directory\n");
  EXPECT_EQ(run_shell(folder_, "./run out").output, "out: cannot be read: it is a folder\n");
  expect_success(folder_, "touch empty");
  EXPECT_EQ(run_shell(folder_, "./run empty").output, "empty: cannot be read: it is empty\n");
  const std::string weights = "./run out/share/pose/pose.weights ";
  EXPECT_EQ(run_shell(folder_, weights + "image.bin prior.bin one more").exit_code, 2);
  EXPECT_NE(run_shell(folder_, weights + "nosuch.bin").output.find("nosuch.bin: cannot be read"),
            std::string::npos);
  expect_success(folder_, "cat image.bin image.bin > long.bin && head -c 10 image.bin > ten.bin");
  EXPECT_NE(run_shell(folder_, weights + "ten.bin").output.find("ten.bin: 10 bytes found, exp"),
            std::string::npos);
  EXPECT_NE(run_shell(folder_, weights + "long.bin").output.find("long.bin: more than "),
            std::string::npos);
  EXPECT_NE(run_shell(folder_, "./run image.bin").output.find("not the weights"),
            std::string::npos);
  const ShellRun run = run_shell(folder_, weights + "image.bin /dev/null");
  EXPECT_NE(run.output.find("/dev/null: 0 bytes found, expected 40"), std::string::npos)
      << run.output;
  EXPECT_EQ(run.exit_code, 1);
}

TEST_F(PackageFolder, HasAThreadsExampleThatIsCleanUnderTsan) {
  expect_success(folder_,
                 "cc -g -O1 -fsanitize=thread -Iout/include -c out/src/pose.c kernels.c && "
                 "c++ -std=c++20 -g -O1 -fsanitize=thread -Iout/include out/examples/threads.cc "
                 "pose.o kernels.o -o run && "
                 "./run out/share/pose/pose.weights image.bin prior.bin > outputs.bin");
  EXPECT_EQ(outputs_in(folder_), kExpected);
}

TEST_F(PackageFolder, HasExamplesInEachForm) {
  write(sample_executable("pose"), {.name = "pose", .workspace = WorkspaceForm::internal});
  expect_example("cc -std=c99 out/examples/main.c",
                 "out/share/pose/pose.weights image.bin prior.bin");
  write(sample_executable_with_pools("pose"), {.name = "pose"});
  const std::string arguments =
      "out/share/pose/pose.itcm.weights out/share/pose/pose.flash.weights image.bin prior.bin";
  expect_example("cc -std=c99 out/examples/main.c", arguments);
  expect_example("c++ -std=c++20 out/examples/threads.cc", arguments);
}

TEST_F(PackageFolder, IsFoundByCMakeWhereverItLies) {
  folder_.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.16)\nproject(user C)\n"
                "find_package(pose 1 CONFIG REQUIRED)\n"
                "add_executable(user ${POSE_EXAMPLE})\ntarget_link_libraries(user pose::pose)\n"
                "file(WRITE ${CMAKE_BINARY_DIR}/weights ${pose_WEIGHTS})\n");
  const std::string configure =
      "mv out 'else where' && cmake -S . -B b -DCMAKE_PREFIX_PATH=\"$PWD/"
      "else where\" -DPOSE_EXAMPLE=\"$PWD/else where/examples/main.c\"";
  expect_success(folder_, configure + " && cmake --build b");
  expect_success(folder_, "b/user \"$(cat b/weights)\" image.bin prior.bin > outputs.bin");
  EXPECT_EQ(outputs_in(folder_), kExpected);
  const ShellRun other =
      run_shell(folder_,
                "cmake -S . -B c -DCMAKE_PREFIX_PATH=\"$PWD/else where\" -DCMAKE_SYSTEM_NAME=Linux "
                "-DCMAKE_SYSTEM_PROCESSOR=aarch64 -DPOSE_EXAMPLE=x.c");
  EXPECT_NE(other.exit_code, 0);
  EXPECT_NE(other.output.find("pose is for x86_64, found aarch64"), std::string::npos);
}

TEST_F(PackageFolder, IsFoundByPkgConfig) {
  if (!has_program("pkg-config")) GTEST_SKIP() << "needs pkg-config";
  expect_success(folder_,
                 "mv out moved && export PKG_CONFIG_PATH=$PWD/moved/lib/pkgconfig && cc "
                 "$(pkg-config --cflags pose) moved/examples/main.c $(pkg-config --libs pose) -o "
                 "run && ./run $(pkg-config --variable=weights pose) image.bin prior.bin > "
                 "outputs.bin");
  EXPECT_EQ(outputs_in(folder_), kExpected);
}

TEST_F(PackageFolder, NamesNoPathOfThisMachine) {
  const ShellRun run = run_shell(folder_, "grep -rIlE '/(home|tmp|work|root|dev/shm)' out");
  EXPECT_EQ(run.output, "");
}

TEST_F(PackageFolder, HasMetadataThatPythonsValidatorAccepts) {
  if (run_shell(folder_, "python3 -c 'import jsonschema'").exit_code != 0)
    GTEST_SKIP() << "needs python3-jsonschema";
  const std::string schema = (source_dir() / "deploy/package/metadata.schema.json").string();
  expect_success(folder_,
                 "python3 -W ignore -c 'import json, jsonschema, sys; "
                 "jsonschema.validate(*[json.load(open(p)) for p in sys.argv[1:]])' "
                 "out/share/pose/metadata.json " +
                     schema);
}

}  // namespace
}  // namespace dovetail::testing
