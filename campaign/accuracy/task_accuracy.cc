// SPDX-License-Identifier: Apache-2.0
#include "campaign/accuracy/task_accuracy.h"

#include <map>
#include <utility>
#include <vector>

#include "campaign/accuracy/network_reference.h"
#include "core/ir/region/canonical.h"
#include "core/ir/region/region_text.h"

namespace dovetail {
namespace {

using InputsOfRegions = std::map<std::string, NamedArrays, std::less<>>;  // by canonical text

ElementType type_in(const Region& region, const std::string& name) {
  for (const Tensor& tensor : given_tensors(region))
    if (tensor.name == name) return tensor.type;
  return ElementType::f32;
}

// Keeps each distinct region's inputs, from the first node that computes it, in the types it reads.
void keep_inputs(const Region& region, const NamedArrays& given, InputsOfRegions& kept) {
  const CanonicalTask task = canonical(region);
  const auto [own, is_new] = kept.try_emplace(print(task.spec.region));
  if (!is_new) return;
  for (const auto& [name, values] : given) {
    const auto canonical_name = task.names.find(name);
    own->second[canonical_name == task.names.end() ? name : canonical_name->second] =
        converted(values, type_in(region, name));
  }
}

void let_go_of_constants(Workloads& workloads) {
  for (Partition& model : workloads.models)
    for (GraphTensor& tensor : model.graph.tensors) tensor.data.reset();
}

bool has_numbers(const Partition& model) {
  for (const GraphTensor& tensor : model.graph.tensors)
    if (tensor.constant && !tensor.data) return false;
  return true;
}

}  // namespace

Result<TaskAccuracy> task_accuracy(Workloads& workloads, const TaskAccuracyOptions& options) {
  TaskAccuracy accuracy{
      .rule = std::make_shared<AccuracyRule>(TRY(accuracy_rule(options.exact, options.max_error))),
      .own_inputs = {}};
  const auto kept = std::make_shared<InputsOfRegions>();
  for (const Partition& model : workloads.models) {
    if (!has_numbers(model)) continue;  // a graph in text has none
    const VisitNode visit = [&](size_t, const Region& region, const NamedArrays& given,
                                const NamedArrays& made) {
      accuracy.rule->learn(region, given, made);
      keep_inputs(region, given, *kept);
    };
    const std::vector<NDArray> inputs = TRY(options.inputs(model.graph));
    TRY(network_reference(model, inputs, visit, Listener()));
  }
  for (const Task& task : workloads.tasks)
    if (!accuracy.rule->knows(task.spec))
      if (const std::optional<RegionNumbers> drawn = drawn_numbers(task.spec.region))
        accuracy.rule->add(task.spec, *drawn);
  let_go_of_constants(workloads);
  if (!kept->empty())
    accuracy.own_inputs = [kept](const Region& region) -> std::optional<NamedArrays> {
      const auto own = kept->find(print(region));
      return own == kept->end() ? std::nullopt : std::optional(own->second);
    };
  return accuracy;
}

}  // namespace dovetail
