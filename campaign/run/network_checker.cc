// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/network_checker.h"

#include <algorithm>
#include <cmath>

#include "campaign/run/graph_walk.h"
#include "campaign/run/run_region.h"
#include "core/base/fail.h"
#include "core/frontend/computations/named_elements.h"
#include "core/ir/program/buffer_values.h"

namespace dovetail {
namespace {

// For elements that were only moved: real numbers may differ in the bits of a NaN only.
bool is_same(const NDArray& a, const NDArray& b) {
  if (std::ranges::equal(a.bytes(), b.bytes())) return true;
  if (computed_type(a.type()) != ComputedType::real || a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a.real(i) != b.real(i) && !(std::isnan(a.real(i)) && std::isnan(b.real(i)))) return false;
  return true;
}

}  // namespace

Result<NDArray> constant_values(const GraphTensor& constant) {
  if (!constant.data)
    return fail("constant {} has no numbers; expected an ONNX model", constant.name);
  return *constant.data;
}

ValuesOfTensor constants_of(const Graph& graph) {
  return [&graph](const std::string& name) -> Result<NDArray> {
    const auto found = std::ranges::find(graph.tensors, name, &GraphTensor::name);
    if (found == graph.tensors.end()) return fail("no tensor {}", name);
    return constant_values(*found);
  };
}

NetworkChecker::NetworkChecker(Partition& parts, const LoweredNetwork& lowered,
                               const Target& target, GraphConstants constants)
    : parts_(parts),
      lowered_(lowered),
      target_(target),
      constants_(constants),
      values_(parts.graph.tensors.size()),
      has_call_(parts.regions.size(), false),
      last_read_by_(last_reads(parts, {&parts.graph.inputs, &parts.graph.outputs})) {
  for (const NetworkStep& step : lowered.steps)
    if (step.node) has_call_[*step.node] = true;
}

void NetworkChecker::release_read_by(size_t node) {
  for (const TensorId id : last_read_by_[node]) {
    at(id).reset();
    if (constants_ == GraphConstants::released) tensor(id).data.reset();
  }
}

void NetworkChecker::give(TensorId id, NDArray values) { at(id) = std::move(values); }

Result<void> NetworkChecker::run(LoadedNetwork& network, const std::string& name,
                                 const Listener& listener) {
  StepNotes notes(listener, name, "calls checked");
  const size_t calls = lowered_.steps.size();
  for (size_t call = 0; call < calls && reason_.empty(); ++call) {
    TRY(run_call(network, call));
    notes.done(call + 1, calls);
  }
  return reason_.empty() ? pass_nodes(parts_.regions.size()) : Result<void>();
}

Result<void> NetworkChecker::run_call(LoadedNetwork& network, size_t call) {
  const NetworkStep& step = lowered_.steps[call];
  if (step.node) TRY(pass_nodes(*step.node));
  TRY(network.store_constants(call, constants_of(parts_.graph)));
  TRY(network.run_call(call));
  for (const auto& [id, buffer] : step.made) {
    const NDArray stored = TRY(network.read(buffer));
    NDArray values = load_values(network.program().buffers[buffer].buffer, stored.bytes());
    if (step.node)
      give(id, std::move(values));
    else
      check_conversion(step, values);
  }
  return step.node ? check_node(step) : Result<void>();
}

Result<void> NetworkChecker::check_node(const NetworkStep& step) {
  const NodeRegion& node = parts_.regions[*step.node];
  passed_ = std::max(passed_, *step.node + 1);
  const Region region = TRY(node.spec.value());
  NamedArrays given;
  for (const auto& [name, id] : node.given) given[name] = TRY(values(id));
  NamedArrays made;
  for (const auto& [name, id] : node.made) made[name] = *at(id);
  const GraphNode& named_by = parts_.graph.nodes[*step.node];
  if (const auto named = named_elements(parts_.graph, named_by))
    TRY(check_indices(named_by, *named, integers_of(TRY(values(named->indices)))));
  KeyedTask task = step.task;
  task.border = step.border;
  const RegionCheck check =
      check_region(region, step.trace, sum_bound(task, step.trace, target_), given, made);
  max_abs_error_ = std::max(max_abs_error_, check.max_abs_error);
  max_rel_error_ = std::max(max_rel_error_, check.max_rel_error);
  errors_.push_back({.call = static_cast<size_t>(&step - lowered_.steps.data()),
                     .task = step.task,
                     .algorithm = step.trace.algorithm,
                     .range_error = check.range_error});
  if (!check.reason.empty())
    keep(fmt::format("node {} ({}): {}", named_by.name, node.spec.text(), check.reason),
         step.trace.algorithm);
  release_read_by(*step.node);
  return {};
}

void NetworkChecker::keep(std::string reason, const std::optional<Algorithm>& algorithm) {
  std::string& kept = algorithm ? reason_of_algorithm_ : reason_;
  if (kept.empty()) kept = std::move(reason);
}

void NetworkChecker::check_conversion(const NetworkStep& step, const NDArray& converted) {
  const TensorId id = step.made[0].first;
  if (!at(id) || is_same(converted, *at(id))) return;
  reason_ = fmt::format("tensor {} changed on its way into another layout ({})", tensor(id).name,
                        print(step.task));
}

Result<void> NetworkChecker::pass_nodes(size_t up_to) {
  for (; passed_ < up_to; ++passed_)
    if (!has_call_[passed_]) {
      TRY(pass_node(parts_.regions[passed_]));
      release_read_by(passed_);
    }
  return {};
}

Result<void> NetworkChecker::pass_node(const NodeRegion& node) {
  if (is_view(node)) {
    at(node.made[0].second) = TRY(values(node.given[0].second));
    return {};
  }
  const Region region = TRY(node.spec.value());
  NamedArrays given;
  for (const auto& [name, id] : node.given) given[name] = TRY(values(id));
  const RegionValues moved = evaluate_region(region, given);
  for (const auto& [name, id] : node.made)
    give(id, converted(moved.at(name).values, tensor(id).type));
  return {};
}

Result<NDArray> NetworkChecker::values(TensorId id) {
  if (!at(id)) at(id) = TRY(constant_values(tensor(id)));
  return *at(id);
}

}  // namespace dovetail
