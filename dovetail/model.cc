// SPDX-License-Identifier: Apache-2.0
#include "dovetail/model.h"

#include <utility>

#include "core/base/fail.h"
#include "core/frontend/onnx_import.h"
#include "dovetail/handles/model_data.h"
#include "dovetail/handles/option_words.h"

namespace dovetail::api {
namespace {

ImportOptions import_options(const ModelOptions& options) {
  ImportOptions import{
      .shapes = options.shapes, .constants = {}, .inference = Inference::in_process};
  for (const auto& [name, number] : options.constants)
    import.constants[name] = fmt::format("{}", number);
  return import;
}

Result<std::vector<TensorInfo>> infos_of(const Graph& graph, const std::vector<TensorId>& ids) {
  std::vector<TensorInfo> infos;
  for (const TensorId id : ids) {
    const GraphTensor& tensor = graph.tensors[static_cast<size_t>(id)];
    if (!tensor.shape) return fail("{}: its shape is only known at run time", tensor.name);
    infos.push_back({.name = tensor.name, .type = tensor.type, .shape = *tensor.shape});
  }
  return infos;
}

Result<Model> model_of(std::string name, Graph graph) {
  auto data = std::make_shared<Model::Data>();
  data->name = std::move(name);
  data->inputs = TRY(infos_of(graph, graph.inputs));
  data->outputs = TRY(infos_of(graph, graph.outputs));
  data->graph = std::move(graph);
  return Model(std::move(data));
}

}  // namespace

Result<Model> Model::load(const std::string& path, const ModelOptions& options) {
  if (!path.ends_with(".graph"))
    return model_of(path, TRY(with_members(import_onnx(path, import_options(options)))));
  if (!options.shapes.empty() || !options.constants.empty())
    return fail("{} is a graph in text; shapes and constants are of ONNX models", path);
  return model_of(path, TRY(read_graph(path)));
}

Result<Model> Model::parse(std::span<const std::byte> onnx, const ModelOptions& options) {
  return model_of("model", TRY(with_members(import_onnx(onnx, import_options(options)))));
}

const std::string& Model::name() const { return data_->name; }
const std::vector<TensorInfo>& Model::inputs() const { return data_->inputs; }
const std::vector<TensorInfo>& Model::outputs() const { return data_->outputs; }

}  // namespace dovetail::api
