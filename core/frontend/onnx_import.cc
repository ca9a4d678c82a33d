// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/onnx_import.h"

#include <algorithm>
#include <cmath>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/frontend/import_steps.h"

namespace dovetail {

#if DOVETAIL_HAVE_ONNX
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

}  // namespace

Result<Graph> import_onnx(const std::string& path, const ImportOptions& options) {
  auto loaded = load_onnx(path, options);
  if (!loaded) return fail(without_breaks(loaded.error().message));
  auto graph = import_model(std::move(loaded->model));
  if (graph) return graph;
  const std::string& message = graph.error().message;
  return fail(without_breaks(
      fmt::format("model {}: {}{}", path, message, constant_hint(loaded->choices, message))));
}
#else
Result<Graph> import_onnx(const std::string& path, const ImportOptions&) {
  return fail("model {}: this build reads no ONNX; expected one configured with -DDOVETAIL_ONNX=ON",
              path);
}
Result<std::vector<GraphTensor>> held_inputs(const std::string&, const ImportOptions&) {
  return std::vector<GraphTensor>();
}
#endif

Result<std::pair<std::string, std::vector<int64_t>>> parse_shape_option(std::string_view text) {
  const auto wrong = [&] {
    return fail("--shape {}: expected NAME=1,3,224,224 with extents from 1 to {}", text,
                kMaxSpecNumber);
  };
  const size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) return wrong();
  std::string extents(text.substr(equals + 1));
  std::ranges::replace(extents, 'x', ',');
  std::vector<int64_t> shape;
  for (const std::string_view word : split(extents, ',')) {
    const auto extent = read_number<int64_t>(word);
    if (!extent || *extent < 1 || *extent > kMaxSpecNumber) return wrong();
    shape.push_back(*extent);
  }
  return std::pair(std::string(text.substr(0, equals)), std::move(shape));
}

Result<std::pair<std::string, std::string>> parse_constant_option(std::string_view text) {
  const size_t equals = text.rfind('=');
  const bool has_both = equals != std::string_view::npos && equals > 0;
  const auto number = has_both ? read_number<double>(text.substr(equals + 1)) : std::nullopt;
  if (!number || !std::isfinite(*number))
    return fail("--constant {}: expected NAME=VALUE with a finite number", text);
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

}  // namespace dovetail
