// SPDX-License-Identifier: Apache-2.0
//
// Packages for OpenCL of whole networks, in their small forms: what they compute, under which
// compilers, and how build systems find them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/backends/opencl/opencl_targets.h"
#include "tests/support/shell.h"
#include "tests/tools/packaged_model.h"

#if DOVETAIL_HAVE_ONNX && DOVETAIL_HAVE_LLVM && DOVETAIL_HAVE_OPENCL

namespace dovetail {
namespace {

using testing::expect_success;
using testing::has_program;
using testing::kWarnings;
using testing::name_of_test;
using testing::PackagedModel;

bool is_without_device() {
  const auto devices = list_opencl_devices();
  return !devices || devices->empty();
}

// Output of the package's example, compiled with its runtime and the OpenCL loader.
std::string bytes_of_example(const PackagedModel& model, const std::string& compiler,
                             const std::string& runner = "") {
  expect_success(model.folder(),
                 fmt::format("{0} -std=c99 {1} -Ip/include p/examples/main.c p/src/net.c -lOpenCL "
                             "-o p/main && {2} p/main p/share/net/net.weights{3} > p/out.bin",
                             compiler, kWarnings, runner, model.input_files()));
  return testing::content_of_file(model.folder().path("p/out.bin"));
}

class PackageForOpencl : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (is_without_device()) GTEST_SKIP() << "no OpenCL device";
  }
};

TEST_P(PackageForOpencl, GivesTheBytesOfRun) {
  const PackagedModel model(GetParam());
  const std::string expected = model.bytes_of_run({"--target", "opencl"});
  model.build("p", {"--target", "opencl"});
  EXPECT_EQ(bytes_of_example(model, "cc -O1"), expected);
  EXPECT_EQ(bytes_of_example(model, "cc -g -O1 -fsanitize=undefined -fno-sanitize-recover=all"),
            expected);
  for (const std::string compiler : {"clang", "clang-14", "clang-19"})
    if (has_program(compiler)) {
      EXPECT_EQ(bytes_of_example(model, compiler + " -O1"), expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Networks, PackageForOpencl,
                         ::testing::Values("resnet18-small", "mobilenet_v2-small",
                                           "bert_tiny-small", "bert_base-small",
                                           "resnet3d18-small"),
                         [](const auto& info) { return name_of_test(info.param); });

TEST(PackageForOpenclInAFolder, IsFoundByCMakeAndPkgConfig) {
  if (is_without_device()) GTEST_SKIP() << "no OpenCL device";
  const PackagedModel model("bert_tiny-small");
  const std::string expected = model.bytes_of_run({"--target", "opencl"});
  model.build("p", {"--target", "opencl"});
  model.folder().write("CMakeLists.txt",
                       "cmake_minimum_required(VERSION 3.16)\nproject(user C)\n"
                       "find_package(net 1 CONFIG REQUIRED)\n"
                       "add_executable(net \"${net_EXAMPLE}\")\n"
                       "target_link_libraries(net net::net)\n"
                       "file(WRITE ${CMAKE_BINARY_DIR}/weights ${net_WEIGHTS})\n");
  expect_success(model.folder(),
                 "mv p 'else where' && cmake -S . -B b -DCMAKE_PREFIX_PATH=\"$PWD/else where\" "
                 "-Dnet_EXAMPLE=\"$PWD/else where/examples/main.c\" && cmake --build b");
  expect_success(model.folder(),
                 fmt::format("b/net \"$(cat b/weights)\"{} > outputs.bin", model.input_files()));
  EXPECT_EQ(testing::content_of_file(model.folder().path("outputs.bin")), expected);
  if (!has_program("pkg-config")) GTEST_SKIP() << "needs pkg-config";
  expect_success(
      model.folder(),
      fmt::format("mv 'else where' moved && export PKG_CONFIG_PATH=$PWD/moved/lib/pkgconfig && cc "
                  "$(pkg-config --cflags net) moved/examples/main.c "
                  "$(pkg-config --variable=source net) $(pkg-config --libs net) -o again && "
                  "./again $(pkg-config --variable=weights net){} > outputs.bin",
                  model.input_files()));
  EXPECT_EQ(testing::content_of_file(model.folder().path("outputs.bin")), expected);
}

}  // namespace
}  // namespace dovetail

#endif
