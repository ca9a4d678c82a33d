// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/memory_bound_forms.h"

#include "core/ir/layout/restate.h"
#include "deploy/network/region_forms.h"

namespace dovetail {

std::vector<int64_t> MemoryBoundForms::shape(TensorId id) const { return shape_in(graph_, id); }

FormsOfTensors MemoryBoundForms::row_major() const {
  FormsOfTensors forms;
  for (const auto* tensors : {&node_.given, &node_.made})
    for (const auto& [name, id] : *tensors) forms[id] = row_major_in(graph_, id);
  return forms;
}

std::optional<NormalLayout> MemoryBoundForms::in_region(const std::string& name, TensorId id,
                                                        const NormalLayout& form) const {
  auto own = form_in_region(region_, name, form, shape(id));
  if (!own || *own == row_major_form(dims_named(region_, name))) return std::nullopt;
  return own;
}

std::optional<FormsOfTensors> MemoryBoundForms::following(const std::string& input,
                                                          const NormalLayout& form) const {
  StoredForms stored;
  for (const auto& [name, id] : node_.given)
    if (name == input)
      if (auto own = in_region(name, id, form)) stored[name] = *std::move(own);
  if (stored.empty()) return std::nullopt;
  const NormalLayout leader = stored.at(input);
  for (const auto& [name, id] : node_.made) {
    if (outputs_.wants_row_major(id)) continue;
    auto follows = followed_form(region_, name, input, leader);
    if (!follows) return std::nullopt;
    stored[name] = *std::move(follows);
  }
  lead_inputs(stored);
  return in_graph(stored);
}

std::optional<FormsOfTensors> MemoryBoundForms::leading(const NormalLayout& form) const {
  if (node_.made.empty()) return std::nullopt;
  const auto& [name, id] = node_.made[0];
  if (outputs_.wants_row_major(id)) return std::nullopt;
  auto own = in_region(name, id, form);
  if (!own) return std::nullopt;
  StoredForms stored{{name, *std::move(own)}};
  lead_inputs(stored);
  return in_graph(stored);
}

std::optional<FormsOfTensors> MemoryBoundForms::between(FormsOfTensors forms,
                                                        const NormalLayout& form) const {
  if (node_.made.empty() || outputs_.wants_row_major(node_.made[0].second)) return std::nullopt;
  forms[node_.made[0].second] = form;
  return if_stored(std::move(forms));
}

void MemoryBoundForms::lead_inputs(StoredForms& stored) const {
  if (node_.made.empty()) return;
  const std::string& output = node_.made[0].first;
  const auto form = stored.find(output);
  if (form == stored.end()) return;
  for (const auto& [name, id] : node_.given) {
    if (stored.contains(name)) continue;
    auto leads = leading_form(region_, output, name, form->second);
    if (leads && form_in_graph(region_, name, *leads, shape(id))) stored[name] = *std::move(leads);
  }
}

std::optional<FormsOfTensors> MemoryBoundForms::in_graph(const StoredForms& stored) const {
  FormsOfTensors forms = row_major();
  for (const auto* tensors : {&node_.given, &node_.made})
    for (const auto& [name, id] : *tensors) {
      const auto found = stored.find(name);
      if (found == stored.end()) continue;
      auto form = form_in_graph(region_, name, found->second, shape(id));
      if (!form) return std::nullopt;
      forms[id] = *std::move(form);
    }
  return if_stored(std::move(forms));
}

// A tensor that is given twice has one layout, so that the check is of what would be lowered.
std::optional<FormsOfTensors> MemoryBoundForms::if_stored(FormsOfTensors forms) const {
  const auto stored = forms_of_region(graph_, region_, node_, forms);
  if (!stored || !stored_region(region_, *stored)) return std::nullopt;
  return forms;
}

}  // namespace dovetail
