// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/packaged_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string_view>

#include "campaign/run/npy.h"
#include "tests/models/onnx_export.h"
#include "tests/models/sample_models.h"
#include "tests/support/right.h"
#include "tests/support/shell.h"
#include "tests/tools/run_program.h"

#if DOVETAIL_HAVE_ONNX && DOVETAIL_HAVE_LLVM

namespace dovetail::testing {
namespace {

std::string_view chars_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string content_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string name_of_test(std::string model) {
  std::ranges::replace(model, '-', '_');
  return model;
}

PackagedModel::PackagedModel(const std::string& name) {
  const Graph graph = right(build_sample_model(name, 18));
  EXPECT_TRUE(export_onnx(graph, folder_.path("model.onnx")));
  std::filesystem::create_directory(folder_.path("in"));
  std::mt19937 random(1);
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const GraphTensor& tensor = graph.tensors[static_cast<size_t>(graph.inputs[i])];
    const bool is_real = tensor.type == ElementType::f32;
    std::vector<float> numbers(static_cast<size_t>(num_elements(*tensor.shape)));
    for (float& number : numbers)
      number = is_real ? static_cast<float>(random() % 2001) / 1000 - 1
                       : static_cast<float>(random() % 2);
    const NDArray array = converted(NDArray(numbers), tensor.type).reshaped(*tensor.shape);
    EXPECT_TRUE(write_npy(folder_.path(fmt::format("in/input_{}.npy", i)), array));
    folder_.write(fmt::format("input_{}.bin", i), chars_of(array.bytes()));
    input_files_ += fmt::format(" input_{}.bin", i);
    inputs_.emplace_back(chars_of(array.bytes()));
  }
}

nlohmann::json PackagedModel::build(const std::string& into,
                                    const std::vector<std::string>& more) const {
  std::vector<std::string> arguments{"build", "model.onnx", "--calibrate", "in",    "-o",
                                     into,    "--name",     "net",         "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramRun built = run_dovetail(arguments, folder_);
  EXPECT_EQ(built.exit_code, 0) << built.err;
  return nlohmann::json::parse(built.out);
}

std::string PackagedModel::bytes_of_run(const std::vector<std::string>& more) const {
  std::vector<std::string> arguments{"run", "model.onnx", "--inputs", "in", "--outputs", "out"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramRun run = run_dovetail(arguments, folder_);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::string bytes;
  for (size_t i = 0;; ++i) {
    const std::string path = folder_.path(fmt::format("out/output_{}.npy", i));
    if (!std::filesystem::exists(path)) return bytes;
    bytes += chars_of(right(read_npy(path)).bytes());
  }
}

std::string PackagedModel::bytes_of_example(const std::string& package, const std::string& compiler,
                                            const std::string& runner) const {
  expect_success(folder_,
                 fmt::format("{0} -std=c99 {1} -I{2}/include {2}/examples/main.c {2}/lib/libnet.a "
                             "-o {2}/main && {3} {2}/main {2}/share/net/net.weights{4} > "
                             "{2}/out.bin",
                             compiler, kWarnings, package, runner, input_files_));
  return content_of_file(folder_.path(package + "/out.bin"));
}

}  // namespace dovetail::testing

#endif
