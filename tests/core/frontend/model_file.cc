// SPDX-License-Identifier: Apache-2.0
#include "tests/core/frontend/model_file.h"

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace dovetail::testing {
namespace {

namespace fs = std::filesystem;

// One folder a process, since ctest runs tests beside each other.
class ScratchFolder {
 public:
  ScratchFolder()
      : path_(fs::temp_directory_path() / ("dovetail-frontend-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

std::string scratch_path(const std::string& name) {
  static const ScratchFolder kFolder;
  return (kFolder.path() / name).string();
}

std::string write_file(const std::string& name, std::string_view bytes) {
  const std::string path = scratch_path(name);
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

std::string model_bytes(const std::string& graph_text, int opset) {
  onnx::ModelProto model;
  model.set_ir_version(7);
  model.add_opset_import()->set_version(opset);
  auto& other = *model.add_opset_import();  // for tests of operators that are not ONNX's
  other.set_domain("com.x");
  other.set_version(1);
  onnx::OnnxParser parser(graph_text.c_str());
  const auto status = parser.Parse(*model.mutable_graph());
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  return model.SerializeAsString();
}

Result<Graph> import_bytes(std::string_view bytes, const ImportOptions& options) {
  return import_onnx(write_file("model.onnx", bytes), options);
}

Result<Graph> import_text(const std::string& graph_text, const ImportOptions& options) {
  return import_bytes(model_bytes(graph_text), options);
}

std::string nodes_of(const std::string& graph_text, const ImportOptions& options,
                     const PartitionOptions& partition_options) {
  const auto graph = import_text(graph_text, options);
  if (!graph) return graph.error().message;
  const auto parts = partition(*graph, partition_options);
  if (!parts) return parts.error().message;
  std::istringstream lines(print(parts->graph));
  std::string nodes;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("node ")) nodes += line.substr(5) + "\n";
  return nodes;
}

std::vector<float> numbers(int64_t count, int64_t seed) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>((i * 37 + seed * 11) % 23 - 11) / 8);
  return values;
}

std::string constant(const std::string& name, const std::vector<int64_t>& shape,
                     const std::vector<float>& values) {
  std::string dims;
  std::string list;
  for (const int64_t extent : shape) dims += (dims.empty() ? "" : ",") + std::to_string(extent);
  for (const float value : values) list += (list.empty() ? "" : ",") + std::to_string(value);
  return name + " = Constant<value = float[" + dims + "] {" + list + "}>() ";
}

}  // namespace dovetail::testing
