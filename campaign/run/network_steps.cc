// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/network_steps.h"

#include <algorithm>
#include <cmath>

#include "campaign/run/run_region.h"
#include "core/base/fail.h"
#include "core/base/stopwatch.h"
#include "core/frontend/computations/named_elements.h"
#include "core/ir/program/buffer_values.h"
#include "core/ir/region/region_text.h"

namespace dovetail {
namespace {

// Numbers are floats here: beyond 2^24 an integer may have been another one.
Result<void> check_exact(const GraphTensor& tensor, const std::vector<float>& values) {
  constexpr float kExactIntegers = 1 << 24;
  if (computed_type(tensor.type) != ComputedType::integer) return {};
  const auto large =
      std::ranges::find_if(values, [](float x) { return std::abs(x) > kExactIntegers; });
  if (large == values.end()) return {};
  return fail("element {} of {} is {}; expected integers to 2^24, which are exact",
              large - values.begin(), tensor.name, *large);
}

}  // namespace

TensorValues shared_values(std::vector<float> values) {
  return std::make_shared<const std::vector<float>>(std::move(values));
}

Result<TensorValues> constant_values(const GraphTensor& constant) {
  if (!constant.data)
    return fail("constant {} has no numbers; expected an ONNX model", constant.name);
  if (constant.data->integers.empty()) return TensorValues(constant.data, &constant.data->floats);
  std::vector<float> values = constant.data->floats;
  for (const int64_t number : constant.data->integers) values.push_back(static_cast<float>(number));
  TRY(check_exact(constant, values));
  return shared_values(std::move(values));
}

ConstantsOfGraph constants_of(const Graph& graph) {
  return [&graph, held = TensorValues()](
             const std::string& name) mutable -> Result<std::span<const float>> {
    const auto found = std::ranges::find(graph.tensors, name, &GraphTensor::name);
    if (found == graph.tensors.end()) return fail("no tensor {}", name);
    held = TRY(constant_values(*found));
    return std::span<const float>(*held);
  };
}

NetworkSteps::NetworkSteps(Partition& parts, const LoweredNetwork& lowered)
    : parts_(parts),
      lowered_(lowered),
      values_(parts.graph.tensors.size()),
      has_call_(parts.regions.size(), false) {
  for (const NetworkStep& step : lowered.steps)
    if (step.node) has_call_[*step.node] = true;
  last_read_by_.resize(parts.regions.size());
  std::vector<bool> is_kept(values_.size(), false);
  for (const auto* kept : {&parts.graph.inputs, &parts.graph.outputs})
    for (const TensorId id : *kept) is_kept[static_cast<size_t>(id)] = true;
  for (size_t node = parts.regions.size(); node-- > 0;) {
    for (const auto& [name, id] : parts.regions[node].given) {
      if (is_kept[static_cast<size_t>(id)]) continue;
      is_kept[static_cast<size_t>(id)] = true;
      last_read_by_[node].push_back(id);
    }
  }
}

void NetworkSteps::release_read_by(size_t node) {
  for (const TensorId id : last_read_by_[node]) {
    at(id).reset();
    tensor(id).data.reset();
  }
}

void NetworkSteps::give(TensorId id, TensorValues values) { at(id) = std::move(values); }

Result<void> NetworkSteps::run(LoadedNetwork& network, const std::string& name,
                               const Listener& listener) {
  constexpr double kSecondsBetween = 5;
  const Stopwatch watch;
  double said_seconds = 0;
  TRY(network.give_inputs());
  const size_t calls = lowered_.steps.size();
  for (size_t call = 0; call < calls && reason_.empty(); ++call) {
    TRY(run_call(network, call));
    const double elapsed = watch.seconds();
    if (elapsed < said_seconds + kSecondsBetween) continue;
    said_seconds = elapsed;
    const double rest = static_cast<double>(calls - call - 1) / static_cast<double>(call + 1);
    listener.note(fmt::format("{}: {} of {} calls checked, some {:.0f} s left", name, call + 1,
                              calls, elapsed * rest));
  }
  return reason_.empty() ? pass_nodes(parts_.regions.size()) : Result<void>();
}

Result<void> NetworkSteps::run_call(LoadedNetwork& network, size_t call) {
  const NetworkStep& step = lowered_.steps[call];
  if (step.node) TRY(pass_nodes(*step.node));
  TRY(network.store_constants(call, constants_of(parts_.graph)));
  TRY(network.run_call(call));
  for (const auto& [id, buffer] : step.made) {
    std::vector<float> values =
        load_values(network.program().buffers[buffer].buffer, network.bytes(buffer));
    if (step.node)
      TRY(keep(id, std::move(values)));
    else
      check_conversion(step, values);
  }
  return step.node ? check_node(step) : Result<void>();
}

Result<void> NetworkSteps::check_node(const NetworkStep& step) {
  const NodeRegion& node = parts_.regions[*step.node];
  passed_ = std::max(passed_, *step.node + 1);
  const Region region = TRY(parse_region(node.text));
  RegionViews inputs, outputs;
  for (const auto& [name, id] : node.given) inputs[name] = *TRY(values(id));
  for (const auto& [name, id] : node.made) outputs[name] = *at(id);
  const GraphNode& named_by = parts_.graph.nodes[*step.node];
  if (const auto named = named_elements(parts_.graph, named_by))
    TRY(check_indices(named_by, *named, *TRY(values(named->indices))));
  const RegionCheck check = check_region(region, step.trace, inputs, outputs);
  max_abs_error_ = std::max(max_abs_error_, check.max_abs_error);
  max_rel_error_ = std::max(max_rel_error_, check.max_rel_error);
  if (!check.reason.empty())
    reason_ = fmt::format("node {} ({}): {}", parts_.graph.nodes[*step.node].name, node.text,
                          check.reason);
  release_read_by(*step.node);
  return {};
}

void NetworkSteps::check_conversion(const NetworkStep& step, const std::vector<float>& converted) {
  const TensorId id = step.made[0].first;
  const TensorValues expected = at(id);
  const auto is_same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  if (!expected || std::ranges::equal(converted, *expected, is_same)) return;
  reason_ = fmt::format("tensor {} changed on its way into another layout ({})", tensor(id).name,
                        print(step.task));
}

Result<void> NetworkSteps::pass_nodes(size_t up_to) {
  for (; passed_ < up_to; ++passed_)
    if (!has_call_[passed_]) {
      TRY(pass_node(parts_.regions[passed_]));
      release_read_by(passed_);
    }
  return {};
}

Result<void> NetworkSteps::pass_node(const NodeRegion& node) {
  if (is_view(node)) {
    at(node.made[0].second) = TRY(values(node.given[0].second));
    return {};
  }
  const Region region = TRY(parse_region(node.text));
  RegionViews inputs;
  for (const auto& [name, id] : node.given) inputs[name] = *TRY(values(id));
  const RegionValues moved = evaluate_region(region, inputs);
  for (const auto& [name, id] : node.made) {
    const std::vector<double>& values = moved.at(name).values;
    give(id, shared_values({values.begin(), values.end()}));
  }
  return {};
}

Result<void> NetworkSteps::keep(TensorId id, std::vector<float> values) {
  TRY(check_exact(tensor(id), values));
  give(id, shared_values(std::move(values)));
  return {};
}

Result<TensorValues> NetworkSteps::values(TensorId id) {
  if (!at(id)) at(id) = TRY(constant_values(tensor(id)));
  return at(id);
}

}  // namespace dovetail
