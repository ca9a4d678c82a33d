// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/onnx_import.h"

#include <algorithm>

#include "core/base/fail.h"
#include "core/frontend/import_steps.h"

namespace dovetail {

namespace {

Result<Graph> import_model(std::shared_ptr<onnx::ModelProto> model) {
  Graph graph = TRY(convert_onnx(*model));
  model.reset();
  drop_empty(graph);
  drop_identities(graph);
  TRY(expand_recurrences(graph));
  TRY(fold_nodes(graph));
  TRY(recognise_chains(graph));
  TRY(lower_operators(graph));
  TRY(check_elements(graph));
  TRY(fold_normalizations(graph));
  graph = compact(graph);
  TRY(check_graph(graph));
  return graph;
}

// A model's names may contain any bytes.
std::string without_breaks(std::string text) {
  const auto breaks = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  std::ranges::replace_if(text, breaks, '?');
  return text;
}

Result<Graph> import_from(const OnnxSource& source, const ImportOptions& options) {
  auto loaded = load_onnx(source, options);
  if (!loaded) return fail(without_breaks(loaded.error().message));
  auto graph = import_model(std::move(loaded->model));
  if (graph) return graph;
  const std::string& message = graph.error().message;
  return fail(without_breaks(fmt::format("model {}: {}{}", source.path, message,
                                         constant_hint(loaded->choices, message))));
}

}  // namespace

Result<Graph> import_onnx(const std::string& path, const ImportOptions& options) {
  return import_from({.path = path, .bytes = {}}, options);
}

Result<Graph> import_onnx(std::span<const std::byte> model, const ImportOptions& options) {
  return import_from({.path = "in memory", .bytes = model}, options);
}

}  // namespace dovetail
