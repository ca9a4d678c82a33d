// SPDX-License-Identifier: Apache-2.0
// Tensors in external data files; malformed ones are tested in onnx_error_test.cc.
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>
#include <sys/stat.h>

#include <filesystem>
#include <span>

#include "tests/core/frontend/model_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

void say(onnx::TensorProto& tensor, const std::string& key, const std::string& value) {
  auto& entry = *tensor.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

TEST(ExternalData, IsReadFromItsPlaceInTheFile) {
  onnx::ModelProto model;
  model.ParseFromString(testing::model_bytes(
      "g (float[2,3] x) => (y) { c = Constant <value = float[3] {0.0, 0.0, 0.0}> () "
      "d = Add(x, c) y = Add(d, w) }"));
  const std::vector<float> numbers = {9, 1, 2, 3, 4, 5, 6};
  testing::write_file("numbers.data", {reinterpret_cast<const char*>(numbers.data()),
                                       numbers.size() * sizeof(float)});
  auto& tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(3);
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  say(tensor, "location", "numbers.data");
  say(tensor, "offset", "16");  // without a length: to the end of the file
  auto& constant = *model.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_t();
  constant.clear_float_data();
  constant.clear_raw_data();
  constant.set_data_location(onnx::TensorProto::EXTERNAL);
  say(constant, "location", "numbers.data");
  say(constant, "offset", "4");
  say(constant, "length", "12");

  const Graph graph = testing::right(testing::import_bytes(model.SerializeAsString()));
  std::map<std::string, std::vector<float>> found;
  for (const GraphTensor& one : graph.tensors)
    if (one.data) found[one.name] = floats_of(*one.data);
  EXPECT_EQ(found.at("w"), (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(found.at("c"), (std::vector<float>{1, 2, 3}));
}

// A model whose weight lies at `location`.
std::string model_with_data_at(const std::string& location) {
  onnx::ModelProto model;
  model.ParseFromString(testing::model_bytes("g (float[3] x) => (y) { y = Add(x, w) }"));
  auto& tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(3);
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  say(tensor, "location", location);
  say(tensor, "length", "12");
  return model.SerializeAsString();
}

std::string error_of(const std::string& model_path) {
  const Result<Graph> graph = import_onnx(model_path, {});
  return graph ? "read" : graph.error().message;
}

// Bytes in memory lie in no folder.
TEST(ExternalData, IsReadOfModelsInFilesOnly) {
  const std::string bytes = model_with_data_at("numbers.data");
  const Result<Graph> graph = import_onnx(std::as_bytes(std::span(bytes)));
  EXPECT_ERROR(graph, "model in memory: initializer w is stored in another file");
}

// Nothing outside of the folder is read, whatever leads there; and nobody is waited for.
TEST(ExternalData, IsReadOfPlainFilesWithinTheFolderOnly) {
  namespace fs = std::filesystem;
  const fs::path folder = testing::scratch_path("model");
  fs::create_directories(folder / "inside");
  testing::write_file("secret.data", "twelve bytes");
  testing::write_file("model/inside/own.data", "twelve bytes");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("../secret.data", folder / "link");
  fs::create_symlink(testing::scratch_path("secret.data"), folder / "absolute_link");
  fs::create_symlink("..", folder / "up");
  fs::create_symlink("link", folder / "second_link");
  fs::create_symlink("pipe", folder / "pipe_link");
  fs::create_symlink("/dev/zero", folder / "zero");
  fs::create_symlink("inside/own.data", folder / "good_link");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"link", "a link out of the model's folder"},
      {"absolute_link", "a link out of the model's folder"},
      {"second_link", "a link out of the model's folder"},
      {"up/secret.data", "a link out of the model's folder"},
      {"zero", "a link out of the model's folder"},
      {"../secret.data", "expected a file within the model's folder"},
      {testing::scratch_path("secret.data"), "expected a file within the model's folder"},
      {"pipe", "which is a pipe; expected a plain file"},
      {"pipe_link", "which is a pipe; expected a plain file"},
      {"inside", "which is a folder; expected a plain file"},
      {"none", "which cannot be read; expected that file"},
      {"good_link", "read"},
      {"inside/own.data", "read"}};
  for (const auto& [location, found] : cases) {
    const std::string path = testing::write_file("model/m.onnx", model_with_data_at(location));
    EXPECT_NE(error_of(path).find(found), std::string::npos) << location << ": " << error_of(path);
  }
}

// As the caches of model hubs are: names are links to files that lie side by side.
TEST(ExternalData, MayLieBesideWhatALinkedModelLeadsTo) {
  namespace fs = std::filesystem;
  const fs::path hub = testing::scratch_path("hub");
  fs::create_directories(hub / "blobs");
  fs::create_directories(hub / "snapshot");
  testing::write_file("hub/blobs/1", model_with_data_at("m.data"));
  testing::write_file("hub/blobs/2", "twelve bytes");
  fs::create_symlink("../blobs/1", hub / "snapshot/m.onnx");
  fs::create_symlink("../blobs/2", hub / "snapshot/m.data");
  EXPECT_EQ(error_of(hub / "snapshot/m.onnx"), "read");
}

TEST(ExternalData, OfAModelThatIsNoPlainFileIsNotAsked) {
  const std::string pipe = testing::scratch_path("pipe.onnx");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(error_of(pipe).find("found a pipe; expected a file"), std::string::npos);
  EXPECT_NE(error_of("/dev/zero").find("found a device; expected a file"), std::string::npos);
}

}  // namespace
}  // namespace dovetail
