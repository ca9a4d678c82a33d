// SPDX-License-Identifier: Apache-2.0
// Numbers that a model keeps beside it; what is wrong with them: onnx_error_test.cc.
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "tests/core/frontend/model_file.h"
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
    if (one.data) found[one.name] = one.data->floats;
  EXPECT_EQ(found.at("w"), (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(found.at("c"), (std::vector<float>{1, 2, 3}));
}

}  // namespace
}  // namespace dovetail
