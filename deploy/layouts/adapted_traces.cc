// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/adapted_traces.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/ir/layout/restate.h"
#include "core/ir/region/canonical.h"
#include "deploy/layouts/trace_forms.h"
#include "deploy/network/region_forms.h"
#include "primitives/layout/primitives_of_form.h"

namespace dovetail {
namespace {

constexpr size_t kMostAdapted = 3;   // fastest traces of a region that are adapted
constexpr size_t kMostMetForms = 6;  // layouts of a tensor, its producer's fastest first

class Adapting {
 public:
  Adapting(const Partition& parts, const Target& target, LayoutAlternatives& found)
      : parts_(parts), graph_(parts.graph), target_(target), found_(found), outputs_(parts) {
    for (size_t node = 0; node < found_.nodes.size(); ++node)
      for (const auto& [name, id] : parts_.regions[node].made) makers_[id] = node;
  }

  void add(size_t number) {
    std::vector<LayoutAlternative>& own = found_.nodes[number];
    if (own.empty() || !own.front().choice.trace) return;
    const Result<Region>& region = parts_.regions[number].spec.value();
    CHECK(region.has_value(), "a region that has alternatives was read");
    const CanonicalTask task = canonical(*region);
    const std::vector<LayoutAlternative> fastest = fastest_of(own);
    for (const auto& [name, id] : parts_.regions[number].given) {
      if (graph_.tensors[static_cast<size_t>(id)].constant) continue;
      for (const NormalLayout& form : forms_made(id))
        for (const LayoutAlternative& base : fastest) {
          auto adapted = adapt(number, *region, task, base, {task.names.at(name), id}, form);
          if (adapted && !has_no_slower(own, *adapted)) own.push_back(*std::move(adapted));
        }
    }
  }

 private:
  // The first alternatives: logged traces where there is a log.
  static std::vector<LayoutAlternative> fastest_of(const std::vector<LayoutAlternative>& own) {
    std::vector<LayoutAlternative> fastest;
    for (const LayoutAlternative& one : own)
      if (fastest.size() < kMostAdapted && one.seconds.has_value() == own[0].seconds.has_value())
        fastest.push_back(one);
    return fastest;
  }

  // Network inputs are row-major.
  std::vector<NormalLayout> forms_made(TensorId id) const {
    const auto maker = makers_.find(id);
    if (maker == makers_.end()) return {row_major_in(graph_, id)};
    std::vector<NormalLayout> forms;
    for (const LayoutAlternative& made : found_.nodes[maker->second]) {
      const auto form = made.forms.find(id);
      if (form == made.forms.end() || forms.size() >= kMostMetForms) continue;
      if (std::ranges::find(forms, form->second) == forms.end()) forms.push_back(form->second);
    }
    return forms;
  }

  std::optional<LayoutAlternative> adapt(size_t number, const Region& region,
                                         const CanonicalTask& task, const LayoutAlternative& base,
                                         const std::pair<std::string, TensorId>& tensor,
                                         const NormalLayout& form) const {
    const auto reads = base.forms.find(tensor.second);
    if (reads == base.forms.end() || reads->second == form) return std::nullopt;
    const std::vector<LogicalDim> dims = dims_named(task.spec.region, tensor.first);
    const auto own_form = restated(form, shape_in(graph_, tensor.second), extents_of(dims));
    const auto primitives = own_form ? primitives_of(*own_form, dims) : std::nullopt;
    if (!primitives) return std::nullopt;
    LayoutAlternative adapted = base;
    std::vector<TensorLayout>& lines = adapted.choice.trace->layouts;
    std::erase_if(lines, [&](const TensorLayout& line) { return line.tensor == tensor.first; });
    if (!primitives->empty()) lines.push_back({.tensor = tensor.first, .primitives = *primitives});
    const NodeRegion& node = parts_.regions[number];
    Result<TraceForms> now =
        trace_forms(graph_, node, region, *adapted.choice.trace, outputs_, target_);
    if (!now || now->copies_output != base.converts) return std::nullopt;
    const auto meets = now->forms.find(tensor.second);
    if (meets == now->forms.end() || meets->second != form) return std::nullopt;
    adapted.forms = std::move(now->forms);
    adapted.constant_bytes = now->constant_bytes;
    adapted.temporary_bytes = now->temporary_bytes;
    adapted.is_default = false;
    adapted.adapted_from = base.key;
    adapted.key = node.spec.text() + print(*adapted.choice.trace);
    return adapted;
  }

  // True if an alternative with the same layouts is known to be no slower.
  static bool has_no_slower(const std::vector<LayoutAlternative>& all,
                            const LayoutAlternative& adapted) {
    return std::ranges::any_of(all, [&](const LayoutAlternative& other) {
      const bool is_timed = other.seconds.has_value() == adapted.seconds.has_value();
      return is_timed && other.forms == adapted.forms && other.seconds <= adapted.seconds;
    });
  }

  const Partition& parts_;
  const Graph& graph_;
  const Target& target_;
  LayoutAlternatives& found_;
  NetworkOutputs outputs_;
  std::map<TensorId, size_t> makers_;
};

}  // namespace

void add_adapted_traces(const Partition& parts, const Target& target, LayoutAlternatives& found) {
  Adapting adapting(parts, target, found);
  for (size_t node = 0; node < found.nodes.size(); ++node) adapting.add(node);
}

}  // namespace dovetail
