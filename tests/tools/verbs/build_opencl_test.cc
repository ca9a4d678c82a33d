// SPDX-License-Identifier: Apache-2.0
// A model as a package for OpenCL: what it computes, what it refuses, what it leaves behind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>

#include "campaign/run/npy.h"
#include "core/backends/opencl/opencl_targets.h"
#include "tests/models/network_builder.h"
#include "tests/models/onnx_export.h"
#include "tests/support/right.h"
#include "tests/support/shell.h"
#include "tests/tools/opencl_package_programs.h"
#include "tests/tools/packaged_model.h"
#include "tests/tools/run_program.h"

#if DOVETAIL_HAVE_ONNX && DOVETAIL_HAVE_LLVM && DOVETAIL_HAVE_OPENCL

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::content_of_file;
using testing::expect_success;
using testing::has_program;
using testing::kWarnings;
using testing::ProgramRun;
using testing::right;
using testing::run_dovetail;
using testing::TemporaryFolder;

// Two outputs, one of which another region reads.
Graph opencl_network() {
  NetworkBuilder net("net", 18);
  const TensorId x = net.input("image:0", {1, 16, 12, 12});
  const TensorId c = net.relu("relu", net.convolution("c1", x, {16, {3, 3}, {1, 1}, {1, 1}}));
  const TensorId pooled = net.max_pool("pool", c, {16, {2, 2}, {2, 2}, {0, 0}});
  const TensorId y = net.convolution("c2", net.tanh("tanh", pooled), {32, {1, 1}, {1, 1}, {0, 0}});
  return net.finish({pooled, y});
}

// Drops the records whose trace has no texture: textures are slow on a CPU's OpenCL device, so a
// build would not choose them otherwise.
std::string with_textures(const std::string& log) {
  std::istringstream lines(log);
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (line.find("\"trace\"") == std::string::npos ||
        line.find("scope texture") != std::string::npos)
      kept += line + "\n";
  return kept;
}

class BuildForOpencl : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto devices = list_opencl_devices();
    if (!devices || devices->empty()) return;
    shared_folder = new TemporaryFolder;
    ASSERT_TRUE(export_onnx(opencl_network(), shared_folder->path("net.onnx")));
    std::vector<float> numbers(16 * 12 * 12);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sin(0.7F * static_cast<float>(i));
    std::filesystem::create_directory(shared_folder->path("in"));
    ASSERT_TRUE(write_npy(shared_folder->path("in/input_0.npy"),
                          NDArray(numbers).reshaped({1, 16, 12, 12})));
    const auto bytes = std::as_bytes(std::span(numbers));
    shared_folder->write(
        "in.bin", std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  static void TearDownTestSuite() {
    delete shared_folder;
    shared_folder = nullptr;
  }
  void SetUp() override {
    if (shared_folder == nullptr) GTEST_SKIP() << "no OpenCL device";
  }

  static ProgramRun build(const std::string& into, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"build",       "net.onnx", "--target", "opencl",
                                       "--calibrate", "in",       "-o",       into};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_dovetail(arguments, *shared_folder);
  }

  static std::string bytes_of_run(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"run",      "net.onnx", "--target",  "opencl",
                                       "--inputs", "in",       "--outputs", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = run_dovetail(arguments, *shared_folder);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::string bytes;
    for (const char* file : {"out/output_0.npy", "out/output_1.npy"}) {
      const NDArray values = right(read_npy(shared_folder->path(file)));
      bytes.append(reinterpret_cast<const char*>(values.bytes().data()), values.bytes().size());
    }
    return bytes;
  }

  static std::string bytes_of_package(const std::string& package,
                                      const std::string& compiler = "cc") {
    expect_success(*shared_folder,
                   fmt::format("{2} -std=c99 {0} -O1 -I{1}/include {1}/examples/main.c "
                               "{1}/src/net.c -lOpenCL -o {1}/main && {1}/main "
                               "{1}/share/net/net.weights in.bin > {1}/out.bin",
                               kWarnings, package, compiler));
    return content_of_file(shared_folder->path(package + "/out.bin"));
  }

  // A program of the tests with the runtime of package p, in its folder.
  static void expect_runs(const std::string& name, std::string_view program,
                          const std::string& options = "") {
    shared_folder->write(name + ".c", fmt::format("#include \"net.h\"\n{}", program));
    expect_success(*shared_folder,
                   fmt::format("cc -std=c99 {0} -g -O1 -Ip/include {1}.c p/src/net.c {2} -lOpenCL "
                               "-o {1} && ./{1} p/share/net/net.weights in.bin expected.bin",
                               kWarnings, name, options));
  }

  static TemporaryFolder* shared_folder;
};
TemporaryFolder* BuildForOpencl::shared_folder = nullptr;

TEST_F(BuildForOpencl, GivesTheBytesOfRun) {
  const ProgramRun built = build("plain");
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_NE(built.out.find("\nworkspace   "), std::string::npos) << built.out;
  EXPECT_FALSE(std::filesystem::exists(shared_folder->path("plain/lib/libnet.a")));
  EXPECT_FALSE(std::filesystem::exists(shared_folder->path("plain/share/net/plan.csv")));
  const std::string expected = bytes_of_run();
  EXPECT_EQ(bytes_of_package("plain"), expected);
  if (has_program("clang")) {
    EXPECT_EQ(bytes_of_package("plain", "clang"), expected);
  }
  expect_success(*shared_folder,
                 fmt::format("echo '#include \"net.h\"' > user.cc && c++ -std=c++11 {} "
                             "-Iplain/include -fsyntax-only user.cc",
                             kWarnings));
}

TEST_F(BuildForOpencl, HoldsTexturesAsRunDoes) {
  const ProgramRun tuned = run_dovetail(
      {"tune", "c2d:ci=16,co=16,h=12,w=12,k=3,p=1+bias+relu", "--target", "opencl", "--strategy",
       "random", "--cost-model", "none", "--log", "all.jsonl", "--trials", "3"},
      *shared_folder);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  shared_folder->write("textures.jsonl",
                       with_textures(content_of_file(shared_folder->path("all.jsonl"))));
  const std::vector<std::string> options{"--log", "textures.jsonl", "--variant", "joint"};
  const ProgramRun built = build("textures", options);
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Json metadata =
      Json::parse(content_of_file(shared_folder->path("textures/share/net/metadata.json")));
  int images = 0;
  for (const Json& storage : metadata["storage"]) {
    const std::string scope = storage["storage_scope"];
    EXPECT_EQ(scope.starts_with("texture"), storage["image"].is_array()) << storage;
    images += scope.starts_with("texture") ? 1 : 0;
  }
  EXPECT_GT(images, 0);
  EXPECT_EQ(bytes_of_package("textures"), bytes_of_run(options));
}

TEST_F(BuildForOpencl, SaysWhatIsWrongAndTakesTheCallersQueue) {
  ASSERT_EQ(build("p", {"--force"}).exit_code, 0);
  shared_folder->write("expected.bin", bytes_of_run());
  expect_runs("statuses", testing::kOpenclStatusesProgram);
}

TEST_F(BuildForOpencl, ReleasesWhatItMadeWhateverFails) {
  ASSERT_EQ(build("p", {"--force"}).exit_code, 0);
  shared_folder->write("expected.bin", bytes_of_run());
  const Json metadata =
      Json::parse(content_of_file(shared_folder->path("p/share/net/metadata.json")));
  const Json& memory = metadata["sizes"];
  EXPECT_EQ(memory["workspace"][0]["bytes"], memory["workspace"][0]["lower_bound_bytes"]);
  // The file of weights has a header in front of the constants, at their alignment.
  std::string wrapped =
      fmt::format("-DCONSTANTS_BEGIN={}", memory["weights"][0]["alignment"].get<int64_t>());
  for (const char* function : testing::kOpenclWrapped)
    wrapped += fmt::format(" -Wl,--wrap={}", function);
  expect_runs("failures", testing::kOpenclFailuresProgram, wrapped);
}

TEST_F(BuildForOpencl, RefusesWhatADeviceCannotDo) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"--pool", "a"}, "--pool with target opencl: the device's memory is its only pool"},
      {{"--constants-pool", "a"}, "--constants-pool with target opencl: the device's memory is"},
      {{"--workspace", "internal"}, "--workspace internal with target opencl"},
      {{"--weights", "embed"}, "--weights embed with target opencl"},
      {{"--target", "cpu"}, "2 targets, of which one is opencl; expected that one alone"},
      {{"--target", "reference"}, "target reference gives code as program_text; a package holds"}};
  for (const auto& [options, message] : refused) {
    const ProgramRun run = build("refused", options);
    EXPECT_EQ(run.exit_code, 1) << options[0] << run.out;
    EXPECT_NE(run.err.find(message), std::string::npos) << options[0] << ": " << run.err;
    EXPECT_EQ(testing::count_lines(run.err), 1) << run.err;
    EXPECT_FALSE(std::filesystem::exists(shared_folder->path("refused"))) << options[0];
  }
}

}  // namespace
}  // namespace dovetail

#endif
