// SPDX-License-Identifier: Apache-2.0
// Every bad model gets one line that names the model, what was found and what was expected.
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <string>

#include "core/frontend/onnx_import.h"
#include "tests/core/frontend/model_file.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::import_bytes;
using testing::model_bytes;

const std::string kConv = "g (float[1,4,8,8] x, float[6,4,3,3] w) => (y) { y = Conv(x, w) }";

// The model of `text` after a change.
std::string changed(const std::function<void(onnx::ModelProto&)>& change,
                    const std::string& text = kConv) {
  onnx::ModelProto model;
  model.ParseFromString(model_bytes(text));
  change(model);
  return model.SerializeAsString();
}

std::string with_initializer(const std::function<void(onnx::TensorProto&)>& change) {
  return changed([&](onnx::ModelProto& model) {
    model.mutable_graph()->mutable_input()->RemoveLast();
    auto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name("w");
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    for (const int64_t extent : {6, 4, 3, 3}) tensor.add_dims(extent);
    for (int i = 0; i < 216; ++i) tensor.add_float_data(1);
    change(tensor);
  });
}

// The numbers of a tensor in another file, as torch's exporter keeps them.
void keep_in(onnx::TensorProto& tensor, const std::string& location,
             const std::string& offset = "0", const std::string& length = "864") {
  tensor.clear_float_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] :
       {std::pair("location", location), {"offset", offset}, {"length", length}}) {
    auto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
}

struct WrongModel {
  const char* name;
  std::string bytes;
  std::string message;
};

std::vector<WrongModel> broken_files() {
  const std::string good = model_bytes(kConv);
  return {
      {"Empty", "", "found an empty file"},
      {"Text", "c2d:ci=4,co=4", "found no ONNX model, or the file is cut short"},
      {"Truncated", good.substr(0, good.size() / 2),
       "found no ONNX model, or the file is cut short"},
      {"NoGraph", changed([](auto& model) { model.clear_graph(); }), "found no graph with nodes"},
      {"NoNodes", changed([](auto& model) { model.mutable_graph()->clear_node(); }),
       "found no graph with nodes"},
      {"NoOpset", changed([](auto& model) { model.clear_opset_import(); }),
       "found no version of the default operator set"},
      {"OpsetThatNoIntHolds",
       changed([](auto& model) { model.mutable_opset_import(0)->set_version(2147483648); }),
       "operator set 2147483648; expected 1 to 1000"},
      {"NoOutput", changed([](auto& model) { model.mutable_graph()->clear_output(); }),
       "found no output"},
      {"MissingInput",
       changed([](auto& model) { model.mutable_graph()->mutable_input()->RemoveLast(); }),
       "node Conv reads w; expected an input, an initializer or a node of that name"},
      {"OutputNeverWritten",
       changed([](auto& model) { model.mutable_graph()->mutable_output(0)->set_name("z"); }),
       "output z is never written"},
      {"SequenceInput", changed([](auto& model) {
         model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_sequence_type();
       }),
       "input x is not a tensor"},
      {"ExternalData", with_initializer([](auto& tensor) {
         tensor.set_data_location(onnx::TensorProto::EXTERNAL);
       }),
       "initializer w is stored in \"\"; expected a file within the model's folder"},
      {"ExternalDataElsewhere", with_initializer([](auto& tensor) { keep_in(tensor, "../w"); }),
       "initializer w is stored in \"../w\"; expected a file within the model's folder"},
      {"ExternalDataOfTheSystem",
       with_initializer([](auto& tensor) { keep_in(tensor, "/etc/passwd"); }),
       "initializer w is stored in \"/etc/passwd\"; expected a file within the model's folder"},
      {"NoExternalData", with_initializer([](auto& tensor) { keep_in(tensor, "none.data"); }),
       "none.data, which cannot be read; expected that file"},
      {"TooLittleExternalData",
       with_initializer([](auto& tensor) { keep_in(tensor, "model.onnx", "8000", "864"); }),
       "initializer w is stored in bytes 8000 to 8864 of "},
      {"ExternalDataAtNoNumber",
       with_initializer([](auto& tensor) { keep_in(tensor, "model.onnx", "start", "864"); }),
       "initializer w is stored at offset \"start\"; expected a number of bytes"},
      {"TooLittleData",
       with_initializer([](auto& tensor) { tensor.mutable_float_data()->RemoveLast(); }),
       "initializer w has 215 elements; expected 216"},
      {"RaggedRawData",
       with_initializer([](auto& tensor) { tensor.set_raw_data(std::string(863, 'x')); }),
       "initializer w has 215 elements; expected 216"},
      {"NegativeDimension", with_initializer([](auto& tensor) { tensor.set_dims(0, -6); }),
       "has dimensions [-6,4,3,3]"},
      {"HugeDimensions",
       with_initializer([](auto& tensor) { tensor.set_dims(0, int64_t{1} << 60); }),
       "expected 0 or more each, at most 2^40 elements"},
      {"SparseInitializer", changed([](auto& model) {
         model.mutable_graph()->add_sparse_initializer()->mutable_values()->set_name("v");
       }),
       "initializer v is sparse"},
      {"HugeInput", changed([](auto& model) {
         model.mutable_graph()
             ->mutable_input(0)
             ->mutable_type()
             ->mutable_tensor_type()
             ->mutable_shape()
             ->mutable_dim(0)
             ->set_dim_value(int64_t{1} << 62);
       }),
       "tensor x has an extent of"},
      {"SameInputTwice",
       changed([](auto& model) { *model.mutable_graph()->add_input() = model.graph().input(0); }),
       "tensor x is defined twice"},
  };
}

std::vector<WrongModel> broken_nodes() {
  const auto conv = [](const std::string& attributes,
                       const std::string& inputs = "float[1,4,8,8] x, float[6,4,3,3] w") {
    return model_bytes("g (" + inputs + ") => (y) { y = Conv<" + attributes + ">(x, w) }");
  };
  const auto body = [](const std::string& text) {
    return model_bytes(
        "g (float[1,4,8,8] x, float[6,4,3,3] w, float[3,4] a, float[5,6] b) => (y) {" + text + "}");
  };
  return {
      {"Cycle", body("u = Relu(v) v = Relu(u) y = Relu(v)"),
       "node Relu reads v, which node Relu writes later"},
      {"UnsortedNodes", body("y = Relu(u) u = Relu(x)"),
       "writes later; expected no cycle and sorted nodes"},
      {"TensorWrittenTwice", body("y = Relu(x) y = Tanh(x)"), "tensor y is defined twice"},
      {"WritesAnInput", body("x = Relu(x) y = Relu(x)"), "tensor x is defined twice"},
      {"KernelTooLarge", conv("group = 1", "float[1,4,2,2] x, float[6,4,3,3] w"),
       "node Conv_0 (Conv): key k of c2d: kernel 3 with dilation 1 spans 3 elements of axis h"},
      {"NegativePads", conv("pads = [-1,0,0,0]"),
       "attribute pads is [-1,0,0,0]; expected values from 0"},
      {"ZeroStride", conv("strides = [0,1]"), "attribute strides is [0,1]; expected values from 1"},
      {"HugeDilation", conv("dilations = [9223372036854775807,1]"), "attribute dilations is"},
      {"ThreeStrides", conv("strides = [1,1,1]"),
       "attribute strides is [1,1,1]; expected 2 values"},
      {"WrongKernelShape", conv("kernel_shape = [5,5]"),
       "attribute kernel_shape is [5,5]; expected [3,3]"},
      {"UnknownAutoPad", conv("auto_pad = \"BOTH\""),
       "attribute auto_pad is \"BOTH\"; expected NOTSET"},
      {"ChannelsDoNotFit", conv("group = 1", "float[1,5,8,8] x, float[6,4,3,3] w"),
       "the input has 5 channels in 1 groups; expected what weights [6,4,3,3] take"},
      {"ZeroGroups", conv("group = 0"), "in 0 groups"},
      {"RanksDoNotFit", conv("group = 1", "float[1,4,8,8] x, float[6,4,3] w"),
       "weights w have rank 3; expected 4"},
      {"AttributeOfAnotherType", conv("group = 1.5"), "node  (Conv):"},
      {"TooManyInputs", body("y = Conv(x, w, a, b)"), "node  (Conv):"},
      {"MatMulReductions", body("y = MatMul(a, b)"), "reductions 4 and 5; expected equal ones"},
      {"GemmReductions", body("y = Gemm(a, b)"), "reductions 4 and 5; expected equal ones"},
      {"ConstantOfShapeTooLarge",
       body("s = Constant<value = int64[2] {1000000,1000000}>() y = ConstantOfShape(s)"),
       "(ConstantOfShape) makes [1000000,1000000]; expected at most 1342"},
  };
}

class WrongModels : public ::testing::TestWithParam<WrongModel> {};

TEST_P(WrongModels, AreRefusedInOneLine) {
  const auto graph = import_bytes(GetParam().bytes);
  EXPECT_ERROR(graph, GetParam().message);
  EXPECT_ERROR(graph, "model.onnx: ");
}

std::string name_of_wrong(const ::testing::TestParamInfo<WrongModel>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Files, WrongModels, ::testing::ValuesIn(broken_files()), name_of_wrong);
INSTANTIATE_TEST_SUITE_P(Nodes, WrongModels, ::testing::ValuesIn(broken_nodes()), name_of_wrong);

TEST(WrongModels, CannotBeFound) {
  EXPECT_ERROR(import_onnx("/nonexistent/model.onnx"),
               "model /nonexistent/model.onnx: no such file; expected an ONNX file");
  EXPECT_ERROR(import_onnx("/"), "model /: found a folder");
}

// A model with something of everything that the importer reads.
const std::string kRich =
    "g (float[1,4,8,8] x, float[6,4,3,3] w, float[3,4] a) => (y, z) {"
    "c = Constant<value = float[6,1,1] {1,2,3,4,5,6}>() s = Constant<value = int64[2] {4,5}>()"
    "t = Conv<pads = [1,1,1,1], strides = [2,2]>(x, w) u = Add(t, c) y = Relu(u)"
    "b = ConstantOfShape<value = float[1] {0.5}>(s) z = Gemm<alpha = 0.5>(a, b) }";

TEST(WrongModels, WithControlCharactersInTheirNamesAreRefusedInOneLine) {
  std::string bytes = model_bytes(kRich);
  bytes[116] = 13;  // the name of Conv's input becomes longer than it is: what follows is in it
  const auto graph = import_bytes(bytes);
  EXPECT_ERROR(graph, "expected an input, an initializer or a node of that name");
  ASSERT_FALSE(graph.has_value());
  for (const char c : graph.error().message) EXPECT_GE(static_cast<unsigned char>(c), ' ');
}

RC_GTEST_PROP(ModelFuzz, ChangedBytesNeverCrash, ()) {
  std::string bytes = model_bytes(kRich);
  const auto below = [](size_t limit) { return *rc::gen::inRange<size_t>(0, limit); };
  for (size_t edits = 1 + below(4); edits > 0; --edits)
    bytes[below(bytes.size())] = static_cast<char>(below(256));
  if (below(8) == 0) bytes.resize(below(bytes.size()));
  const auto graph = import_bytes(bytes);
  if (graph.has_value()) {
    RC_ASSERT(check_graph(*graph).has_value());
    RC_ASSERT(!print(*graph).empty());
  } else {
    RC_ASSERT(graph.error().message.find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace dovetail
