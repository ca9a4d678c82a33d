// SPDX-License-Identifier: Apache-2.0
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/frontend/import_steps.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "core/frontend/isolated_call.h"
#include "core/frontend/model/bodies.h"
#include "core/frontend/model/choose_branches.h"
#include "core/frontend/model/held_inputs.h"
#include "core/frontend/onnx/external_data.h"
#include "core/frontend/onnx/tensor.h"
#include "core/frontend/opsets/onnx_schemas.h"

namespace dovetail {
namespace {

// The newest that Debian's libonnx 1.12 knows; newer ones add nothing that the check of nodes uses.
constexpr int64_t kKnownIrVersion = 8;
constexpr int kInferenceCpuSeconds = 60;

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, 300)) {
    const bool blank = static_cast<unsigned char>(c) <= 0x20;
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

// Protobuf would write its own line on stderr. Its handler is the whole process's, so one caller at
// a time replaces it.
Result<void> parse_quietly(const std::function<bool()>& parse, const onnx::ModelProto& model) {
  static std::mutex handler;
  const std::lock_guard lock(handler);
  const auto silence = [](google::protobuf::LogLevel, const char*, int, const std::string&) {};
  auto* const previous = google::protobuf::SetLogHandler(silence);
  const bool parsed = parse();
  google::protobuf::SetLogHandler(previous);
  if (!parsed) return fail("found no ONNX model, or the file is cut short; expected an ONNX file");
  if (!model.has_graph() || model.graph().node_size() == 0)
    return fail("found no graph with nodes; expected an ONNX model");
  return {};
}

Result<void> parse_bytes(std::span<const std::byte> bytes, onnx::ModelProto& model) {
  if (bytes.size() > INT_MAX) return fail("found {} bytes; expected less than 2 GiB", bytes.size());
  return parse_quietly(
      [&] { return model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())); }, model);
}

Result<void> parse_file(const std::string& path, onnx::ModelProto& model) {
  if (const std::string_view found = what_else_than_plain(path); !found.empty())
    return fail("found {}; expected a file", found);
  Result<std::ifstream> opened = open_plain_stream(path);
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    return fail("no such file; expected an ONNX file (scripts/make-models makes samples)");
  const auto bytes = std::filesystem::file_size(path, code);
  if (code || !opened) return fail("cannot read it; expected an ONNX file");
  if (bytes == 0) return fail("found an empty file; expected an ONNX file");
  if (bytes > INT_MAX) return fail("found {} bytes; expected less than 2 GiB", bytes);
  google::protobuf::io::IstreamInputStream input(&*opened);
  google::protobuf::io::CodedInputStream coded(&input);
  coded.SetTotalBytesLimit(INT_MAX);
  return parse_quietly(
      [&] { return model.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage(); }, model);
}

Result<void> read_source(const OnnxSource& source, onnx::ModelProto& model) {
  return source.bytes ? parse_bytes(*source.bytes, model) : parse_file(source.path, model);
}

// Reads the constants that are in files of their own, where the model is a file, too.
Result<void> read_constants(const OnnxSource& source, onnx::ModelProto& model) {
  if (!source.bytes) return read_external_data(source.path, model);
  std::vector<const onnx::TensorProto*> constants;
  for (const auto& tensor : model.graph().initializer()) constants.push_back(&tensor);
  for (const auto& node : model.graph().node())
    for (const auto& attribute : node.attribute())
      if (attribute.has_t()) constants.push_back(&attribute.t());
  for (const onnx::TensorProto* tensor : constants)
    if (tensor->data_location() == onnx::TensorProto::EXTERNAL)
      return fail("initializer {} is stored in another file; expected the path of the model",
                  tensor->name());
  return {};
}

std::string print_dims(const onnx::TensorShapeProto& shape) {
  std::vector<std::string> dims;
  for (const auto& dim : shape.dim())
    dims.push_back(dim.has_dim_value()       ? fmt::format("{}", dim.dim_value())
                   : dim.dim_param().empty() ? "?"
                                             : dim.dim_param());
  return fmt::format("[{}]", fmt::join(dims, ","));
}

bool is_dynamic(const onnx::TensorShapeProto& shape) {
  return std::ranges::any_of(
      shape.dim(), [](const auto& dim) { return !dim.has_dim_value() || dim.dim_value() < 0; });
}

Result<void> set_shape(const std::string& name, const std::vector<int64_t>& dims,
                       onnx::TypeProto_Tensor& type) {
  if (type.has_shape()) {
    const auto& declared = type.shape();
    const bool fits = std::ranges::equal(declared.dim(), dims, [](const auto& dim, int64_t given) {
      return !dim.has_dim_value() || dim.dim_value() < 0 || dim.dim_value() == given;
    });
    if (!fits)
      return fail("--shape {}={} does not fit the model; expected {}", name, fmt::join(dims, ","),
                  print_dims(declared));
  }
  type.clear_shape();
  for (const int64_t dim : dims) type.mutable_shape()->add_dim()->set_dim_value(dim);
  return {};
}

// Sets the given shapes and refuses inputs whose shape is still dynamic.
Result<void> fix_inputs(const ImportOptions& options, onnx::GraphProto& graph) {
  std::set<std::string> initializers;
  for (const auto& tensor : graph.initializer()) initializers.insert(tensor.name());
  std::set<std::string> inputs;
  std::vector<std::string> dynamic;
  for (auto& input : *graph.mutable_input()) {
    if (initializers.contains(input.name())) continue;
    inputs.insert(input.name());
    if (!input.type().has_tensor_type())
      return fail("input {} is not a tensor; expected tensors only", input.name());
    auto& type = *input.mutable_type()->mutable_tensor_type();
    const auto given = options.shapes.find(input.name());
    if (given != options.shapes.end()) TRY(set_shape(input.name(), given->second, type));
    if (!type.has_shape() || is_dynamic(type.shape()))
      dynamic.push_back(input.name() + print_dims(type.shape()));
  }
  for (const auto& [name, dims] : options.shapes)
    if (!inputs.contains(name))
      return fail("--shape names {}, which is no input; expected one of {}", name,
                  fmt::join(inputs, " "));
  if (dynamic.empty()) return {};
  return fail("dynamic shapes of {}; expected --shape NAME=… for each", fmt::join(dynamic, " "));
}

// Checked here because ONNX's inference divides by strides.
Result<void> check_steps(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute())
    for (const std::string name : {"strides", "dilations"})
      if (attribute.name() == name &&
          std::ranges::any_of(attribute.ints(), [](int64_t step) { return step < 1; }))
        return fail("node {} ({}): attribute {} is [{}]; expected values from 1", node.name(),
                    node.op_type(), name, fmt::join(attribute.ints(), ","));
  return {};
}

// Constants of int4 are converted to bytes, so that a QuantizeLinear would saturate to the wrong
// range.
Result<void> check_int4(const onnx::GraphProto& graph) {
  std::map<std::string, int> types;
  for (const auto& tensor : graph.initializer()) types[tensor.name()] = tensor.data_type();
  for (const auto& node : graph.node())
    for (const auto& attribute : node.attribute())
      if (node.op_type() == "Constant" && attribute.name() == "value" && node.output_size() == 1)
        types[node.output(0)] = attribute.t().data_type();
  for (const auto& node : graph.node()) {
    if (node.op_type() != "QuantizeLinear") continue;
    const auto zero = types.find(node.input_size() > 2 ? node.input(2) : std::string());
    bool to_int4 = zero != types.end() && is_int4(zero->second);
    for (const auto& attribute : node.attribute())
      to_int4 = to_int4 ||
                (attribute.name() == "output_dtype" && is_int4(static_cast<int>(attribute.i())));
    if (to_int4)
      return fail("node {} (QuantizeLinear) quantizes to int4; expected int8 or uint8",
                  label_of(node));
  }
  return {};
}

// Checks the attributes and arities of every node whose rules the library knows.
Result<void> check_nodes(const onnx::ModelProto& model, int64_t opset) {
  onnx::checker::CheckerContext context;
  std::unordered_map<std::string, int> opsets;
  for (const auto& import : model.opset_import())
    opsets[import.domain() == "ai.onnx" ? "" : import.domain()] =
        static_cast<int>(import.version());
  context.set_ir_version(static_cast<int>(std::min(model.ir_version(), kKnownIrVersion)));
  context.set_schema_registry(&onnx_schemas());
  context.set_opset_imports(opsets);
  const onnx::checker::LexicalScopeContext scope;
  for (const auto& node : model.graph().node()) {
    const auto* schema =
        onnx_schemas().GetSchema(node.op_type(), static_cast<int>(opset), node.domain());
    const bool has_subgraph = std::ranges::any_of(
        node.attribute(), [](const auto& attribute) { return attribute.has_g(); });
    if (schema == nullptr || has_subgraph) continue;
    try {
      onnx::checker::check_node(node, context, scope);
    } catch (const std::exception& error) {
      return fail("node {} ({}): {}", node.name(), node.op_type(), one_line(error.what()));
    }
  }
  return {};
}

// The shapes found, as a serialised GraphProto; moves others out of the model.
std::string inferred(onnx::ModelProto& model, bool follows_shapes) {
  const onnx::ShapeInferenceOptions inference(false, 0, follows_shapes);
  onnx::shape_inference::InferShapes(model, &onnx_schemas(), inference);
  onnx::GraphProto found;
  found.mutable_value_info()->Swap(model.mutable_graph()->mutable_value_info());
  found.mutable_output()->Swap(model.mutable_graph()->mutable_output());
  return found.SerializeAsString();
}

Result<std::string> run_inference(Inference where, onnx::ModelProto& model, bool follows_shapes) {
  if (where == Inference::in_child)  // it changes its own copy of the model
    return run_isolated("shape inference", kInferenceCpuSeconds,
                        [&] { return inferred(model, follows_shapes); });
  try {
    onnx::ModelProto copy = model;
    return inferred(copy, follows_shapes);
  } catch (const std::exception& error) {
    return fail("shape inference: {}", error.what());
  }
}

Result<void> infer_shapes(const ImportOptions& options, onnx::ModelProto& model) {
  // The file's shapes of other tensors do not take the given shapes and constants into account.
  if (!options.shapes.empty() || !options.constants.empty()) {
    model.mutable_graph()->clear_value_info();
    for (auto& output : *model.mutable_graph()->mutable_output())
      if (output.type().has_tensor_type())
        output.mutable_type()->mutable_tensor_type()->clear_shape();
  }
  const auto infer = [&](bool follows_shapes) {
    return run_inference(options.inference, model, follows_shapes);
  };
  auto bytes = infer(true);
  // With data propagation libonnx 1.12 crashes at a Shape of a tensor without a type. Without it,
  // the error names that tensor.
  if (!bytes) bytes = infer(false);
  if (!bytes) return fail(one_line(bytes.error().message));
  onnx::GraphProto found;
  if (!found.ParseFromString(*bytes)) return fail("shape inference gave no answer");
  model.mutable_graph()->mutable_value_info()->Swap(found.mutable_value_info());
  model.mutable_graph()->mutable_output()->Swap(found.mutable_output());
  return {};
}

// Inference keeps a dimension that it has named, even if it could determine its extent now.
void forget_dynamic_shapes(onnx::GraphProto& graph) {
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> known;
  for (auto& info : *graph.mutable_value_info()) {
    const auto& type = info.type();
    if (!type.has_tensor_type() || !is_dynamic(type.tensor_type().shape()))
      known.Add()->Swap(&info);
  }
  graph.mutable_value_info()->Swap(&known);
  for (auto& output : *graph.mutable_output()) {
    if (!output.type().has_tensor_type()) continue;
    auto& type = *output.mutable_type()->mutable_tensor_type();
    if (is_dynamic(type.shape())) type.clear_shape();
  }
}

// The shape of a tensor as text, if it is known from inference or an initializer.
std::string known_shape(const onnx::GraphProto& graph, const std::string& name) {
  for (const auto& tensor : graph.initializer())
    if (tensor.name() == name) return fmt::format("[{}]", fmt::join(tensor.dims(), ","));
  for (const auto* infos : {&graph.value_info(), &graph.input(), &graph.output()})
    for (const auto& info : *infos)
      if (info.name() == name && info.type().has_tensor_type() &&
          info.type().tensor_type().has_shape() && !is_dynamic(info.type().tensor_type().shape()))
        return print_dims(info.type().tensor_type().shape());
  return "";
}

// Refuses branches of different shapes, which Where would broadcast. A branch of unknown shape gets
// the attribute `not_tuned`, with a hint in the reason.
Result<void> check_chosen(const std::vector<BranchChoice>& choices, onnx::ModelProto& model) {
  for (auto& node : *model.mutable_graph()->mutable_node()) {
    const bool has_three = node.op_type() == "Where" && node.input_size() == 3;
    const auto choice = std::ranges::find(choices, node.output(0), &BranchChoice::output);
    if (!has_three || choice == choices.end()) continue;
    const std::string then = known_shape(model.graph(), node.input(1));
    const std::string otherwise = known_shape(model.graph(), node.input(2));
    if (!then.empty() && !otherwise.empty() && then != otherwise)
      return fail(
          "node {}: an If whose condition is only known at run time gives {} or {}; "
          "expected one shape",
          label_of(node), then, otherwise);
    if (choice->input.empty() || (!then.empty() && !otherwise.empty())) continue;
    auto& reason = *node.add_attribute();
    reason.set_name("not_tuned");
    reason.set_type(onnx::AttributeProto::STRING);
    reason.set_s("a branch whose shape is only known at run time" +
                 constant_hint(choices, label_of(node)));
  }
  return {};
}

Result<void> load(const OnnxSource& source, const ImportOptions& options, LoadedModel& loaded) {
  onnx::ModelProto& model = *loaded.model;
  TRY(read_source(source, model));
  const int64_t opset = TRY(default_opset(model));
  drop_unread(model, opset);
  TRY(read_constants(source, model));
  TRY(fix_inputs(options, *model.mutable_graph()));
  TRY(hold_inputs(options.constants, model));
  for (const auto& node : model.graph().node()) TRY(check_steps(node));
  TRY(check_nodes(model, opset));
  TRY(check_int4(model.graph()));
  FoldBudget budget = fold_budget(model);
  for (;;) {
    // Inference may fail on a node of control flow, and succeed on the nodes that replace it.
    const auto inferred = infer_shapes(options, model);
    if (!inferred || TRY(fold_constants(model, budget)) == 0) {
      std::vector<BranchChoice> more = choose_between_branches(model);
      if (more.empty()) return inferred ? check_chosen(loaded.choices, model) : inferred;
      std::ranges::move(more, std::back_inserter(loaded.choices));
    }
    drop_unread(model, opset);
    forget_dynamic_shapes(*model.mutable_graph());
  }
}

}  // namespace

Result<int64_t> default_opset(const onnx::ModelProto& model) {
  constexpr int64_t kMostOpset = 1000;  // ONNX is at 26; the limit keeps versions within an int
  for (const auto& opset : model.opset_import()) {
    if (!opset.domain().empty() && opset.domain() != "ai.onnx") continue;
    if (opset.version() < 1 || opset.version() > kMostOpset)
      return fail("operator set {}; expected 1 to {}", opset.version(), kMostOpset);
    return opset.version();
  }
  return fail("found no version of the default operator set; expected an opset_import");
}

Result<LoadedModel> load_onnx(const OnnxSource& source, const ImportOptions& options) {
  LoadedModel loaded{.model = std::make_shared<onnx::ModelProto>(), .choices = {}};
  const auto done = load(source, options, loaded);
  if (done) return loaded;
  const std::string& message = done.error().message;
  return fail("model {}: {}{}", source.path, message, constant_hint(loaded.choices, message));
}

Result<std::vector<GraphTensor>> held_inputs(const std::string& path,
                                             const ImportOptions& options) {
  onnx::ModelProto model;
  TRY(parse_file(path, model));
  TRY(fix_inputs(options, *model.mutable_graph()));
  return held_tensors(options.constants, model.graph());
}

}  // namespace dovetail
