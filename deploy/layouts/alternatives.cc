// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/alternatives.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/ir/layout/restate.h"
#include "core/ir/region/canonical.h"
#include "deploy/layouts/memory_bound_forms.h"
#include "deploy/layouts/trace_forms.h"
#include "deploy/network/region_call.h"
#include "deploy/network/region_forms.h"
#include "primitives/copy.h"

namespace dovetail {
namespace {

// Limits; more alternatives are rarely of use.
constexpr size_t kMostForms = 24;    // layouts of a tensor
constexpr size_t kMostTraces = 96;   // traces of a region with a product
constexpr double kSmaller = 0.9;     // constants this much smaller justify a slower trace
constexpr size_t kMostBetween = 60;  // alternatives of a region that converts its output
constexpr size_t kMostJoined = 3;    // layouts of each operand of a join, the first ones
constexpr size_t kMostProduct = 27;  // combinations of operand layouts; else one operand varies

using Forms = std::vector<NormalLayout>;  // distinct layouts of one tensor

void add_form(Forms& forms, const NormalLayout& form) {
  if (std::ranges::find(forms, form) == forms.end() && forms.size() < kMostForms)
    forms.push_back(form);
}

// Traces come first: they fix layouts. A backward pass then tells regions the layouts that their
// consumers want, and a forward pass the layouts that their producers write.
class Alternatives {
 public:
  Alternatives(const Partition& parts, const Target& target, const TracesOfTask& traces_of,
               Propagation propagation)
      : parts_(parts),
        graph_(parts.graph),
        target_(target),
        traces_of_(traces_of),
        propagation_(propagation),
        outputs_(parts),
        made_(graph_.tensors.size()),
        wanted_(graph_.tensors.size()) {}

  Result<LayoutAlternatives> find() {
    for (size_t node = 0; node < parts_.regions.size(); ++node) TRY(read(node));
    found_.nodes.resize(regions_.size());
    for (const TensorId id : graph_.inputs) add_form(made_[index(id)], row_major_in(graph_, id));
    for (size_t node = 0; node < regions_.size(); ++node)
      if (is_anchor(node)) TRY(add_traces(node));
    const bool goes_back =
        propagation_ == Propagation::backward || propagation_ == Propagation::both;
    if (goes_back)
      for (size_t node = regions_.size(); node-- > 0;) want(node);
    for (size_t node = 0; node < regions_.size(); ++node)
      if (!is_anchor(node)) follow(node);
    return std::move(found_);
  }

 private:
  static size_t index(TensorId id) { return static_cast<size_t>(id); }
  std::vector<int64_t> shape(TensorId id) const { return shape_in(graph_, id); }
  bool is_constant(TensorId id) const { return graph_.tensors[index(id)].constant; }
  bool is_anchor(size_t node) const { return regions_[node] && !regions_[node]->anchor.empty(); }

  Result<void> read(size_t number) {
    const NodeRegion& node = parts_.regions[number];
    const std::string& name = graph_.nodes[number].name;
    if (!node.reason.empty()) return fail("node {}: {}", name, node.reason);
    regions_.push_back(is_view(node) ? std::optional<Region>()
                                     : std::optional(TRY(node.spec.value())));
    orders_.push_back(regions_.back() ? moved_dims(*regions_.back()) : std::nullopt);
    return {};
  }

  // True if the node is a view or a transpose that can run without moving an element.
  bool moves_nothing(size_t number) const {
    const NodeRegion& node = parts_.regions[number];
    if (node.given.empty() || is_constant(node.given[0].second) || has_nothing(node)) return false;
    if (!regions_[number]) return true;
    if (propagation_ == Propagation::none || !orders_[number]) return false;
    const Computation& copy = regions_[number]->computations[0].computation;
    return shape_of(tensor_named(copy, copy.reads[0].tensor)) == shape(node.given[0].second) &&
           shape_of(tensor_named(copy, copy.output.tensor)) == shape(node.made[0].second);
  }

  std::optional<NormalLayout> moved(size_t number, const NormalLayout& form) const {
    const NodeRegion& node = parts_.regions[number];
    const auto from = shape(node.given[0].second);
    if (orders_[number]) return permuted(form, from, *orders_[number]);
    return restated(form, from, shape(node.made[0].second));
  }

  std::optional<NormalLayout> moved_back(size_t number, const NormalLayout& form) const {
    const NodeRegion& node = parts_.regions[number];
    const auto to = shape(node.made[0].second);
    if (!orders_[number]) return restated(form, to, shape(node.given[0].second));
    std::vector<size_t> back(to.size());
    for (size_t o = 0; o < back.size(); ++o) back[(*orders_[number])[o]] = o;
    return permuted(form, to, back);
  }

  // Anchors (regions with a product): the fastest trace of each combination of layouts, in the
  // order of the log; slower ones with smaller constants; and the default trace, because logged
  // times are of another day.
  Result<void> add_traces(size_t number) {
    const std::string& name = graph_.nodes[number].name;
    const KeyedTask task = canonical(*regions_[number]).spec;
    Result<std::vector<TimedTrace>> traces = traces_of_(task);
    if (!traces) return fail("node {}: {}", name, traces.error().message);
    std::map<std::string, ConstantBytes> known;  // by layouts
    std::optional<Error> refused;
    for (const TimedTrace& trace : *traces) {
      if (found_.nodes[number].size() >= kMostTraces && !trace.is_default) continue;
      Result<TraceForms> found = trace_forms(graph_, parts_.regions[number], *regions_[number],
                                             trace.trace, outputs_, target_);
      if (!found) {
        if (!refused) refused = found.error();
        continue;
      }
      const int64_t bytes = found->constant_bytes;
      const auto [same, is_new] =
          known.try_emplace(form_text(number, found->forms), ConstantBytes{bytes, bytes});
      // An untimed trace may be faster than a logged one that is as small.
      const bool is_smaller =
          is_worth(bytes, trace.seconds ? same->second.least : same->second.of_fastest);
      same->second.least = std::min(same->second.least, bytes);
      if (is_new || is_smaller || trace.is_default)
        add(number, {.choice = {.trace = trace.trace, .forms = {}},
                     .forms = std::move(found->forms),
                     .seconds = trace.seconds,
                     .converts = found->copies_output,
                     .is_default = trace.is_default,
                     .constant_bytes = bytes,
                     .temporary_bytes = found->temporary_bytes,
                     .key = {}});
    }
    if (found_.nodes[number].empty())
      return fail("node {} ({}): {}", name, parts_.regions[number].spec.text(), refused->message);
    return {};
  }

  struct ConstantBytes {
    int64_t of_fastest, least;
  };
  static bool is_worth(int64_t bytes, int64_t others) {
    return static_cast<double>(bytes) < kSmaller * static_cast<double>(others);
  }

  void want(size_t number) {
    const NodeRegion& node = parts_.regions[number];
    for (const auto& [name, id] : node.made)
      for (const NormalLayout& form : Forms(wanted_[index(id)])) {
        if (is_anchor(number) || id != node.made[0].second || has_nothing(node)) continue;
        if (moves_nothing(number)) {
          if (const auto back = moved_back(number, form))
            add_form(wanted_[index(node.given[0].second)], *back);
        } else if (const auto forms = memory_bound(number).leading(form)) {
          add_memory_bound(number, *forms);
        }
      }
  }

  // Called in graph order, so that the layouts of the region's inputs are known.
  void follow(size_t number) {
    const NodeRegion& node = parts_.regions[number];
    if (is_view(node) && (is_constant(node.given[0].second) || has_nothing(node)))
      return add(number, {});
    if (moves_nothing(number)) return move(number);
    const bool goes_on = propagation_ == Propagation::forward || propagation_ == Propagation::both;
    if (goes_on && !has_nothing(node))
      for (const auto& [name, id] : node.given)
        if (!is_constant(id))
          for (const NormalLayout& form : Forms(made_[index(id)]))
            if (const auto forms = memory_bound(number).following(name, form))
              add_memory_bound(number, *forms);
    if (propagation_ == Propagation::both && !has_nothing(node)) add_between(number);
    add_memory_bound(number, memory_bound(number).row_major());
    if (propagation_ == Propagation::both && !has_nothing(node) && is_join(number))
      add_joined(number);
  }

  bool is_join(size_t number) const {
    return regions_[number]->computations.size() == 1 && parts_.regions[number].given.size() > 1 &&
           moves_elements(regions_[number]->computations[0].computation);
  }

  // Each operand of a join may be read in its own layout; the output is stored as in another
  // alternative, or as a consumer wants it.
  void add_joined(size_t number) {
    const TensorId out = parts_.regions[number].made[0].second;
    Forms made = made_[index(out)];
    for (const NormalLayout& form : wanted_[index(out)]) add_form(made, form);
    const std::vector<FormsOfTensors> given = given_apart(number);
    const size_t most = found_.nodes[number].size() + kMostBetween;
    for (const FormsOfTensors& forms : given)
      for (const NormalLayout& form : made) {
        if (found_.nodes[number].size() >= most) return;
        const auto stored = memory_bound(number).between(forms, form);
        if (stored) add_memory_bound(number, *stored, /*converts=*/true);
      }
  }

  // Combinations of the layouts that the producers of the region's inputs write.
  std::vector<FormsOfTensors> given_apart(size_t number) const {
    std::vector<FormsOfTensors> combined{memory_bound(number).row_major()};
    for (const auto& [name, id] : parts_.regions[number].given) {
      if (first_made(id).empty()) continue;  // a constant
      std::vector<FormsOfTensors> longer;
      for (const FormsOfTensors& so_far : combined)
        for (const NormalLayout& form : first_made(id)) longer.push_back(with(so_far, id, form));
      combined = std::move(longer);
      if (combined.size() > kMostProduct) return one_apart(number);
    }
    return combined;
  }

  std::vector<FormsOfTensors> one_apart(size_t number) const {
    std::vector<FormsOfTensors> combined;
    for (const LayoutAlternative& known : found_.nodes[number])
      for (const auto& [name, id] : parts_.regions[number].given)
        for (const NormalLayout& form : first_made(id))
          combined.push_back(with(known.choice.forms, id, form));
    return combined;
  }

  std::span<const NormalLayout> first_made(TensorId id) const {
    const Forms& forms = made_[index(id)];
    return std::span(forms).first(std::min(forms.size(), kMostJoined));
  }

  static FormsOfTensors with(FormsOfTensors forms, TensorId id, const NormalLayout& form) {
    forms[id] = form;
    return forms;
  }

  void move(size_t number) {
    const NodeRegion& node = parts_.regions[number];
    const auto [from, to] = std::pair(node.given[0].second, node.made[0].second);
    Forms forms{row_major_in(graph_, from)};  // valid in every shape
    for (const NormalLayout& form : made_[index(from)]) add_form(forms, form);
    for (const NormalLayout& form : wanted_[index(from)]) add_form(forms, form);
    for (const NormalLayout& form : forms)
      if (const auto there = moved(number, form))
        add(number, {.choice = {.trace = {}, .forms = {{from, form}}, .stays = true},
                     .forms = {{from, form}, {to, *there}},
                     .seconds = {},
                     .converts = false,
                     .key = {}});
  }

  // Alternatives that read one layout and write another one that a consumer wants.
  void add_between(size_t number) {
    const TensorId out = parts_.regions[number].made[0].second;
    for (const LayoutAlternative& known : std::vector<LayoutAlternative>(found_.nodes[number])) {
      if (known.converts || found_.nodes[number].size() >= kMostBetween) continue;
      for (const NormalLayout& wanted : wanted_[index(out)]) {
        if (known.forms.at(out) == wanted) continue;
        const auto forms = memory_bound(number).between(known.choice.forms, wanted);
        if (forms) add_memory_bound(number, *forms, /*converts=*/true);
      }
    }
  }

  void add_memory_bound(size_t number, const FormsOfTensors& forms, bool converts = false) {
    add(number, {.choice = {.trace = {}, .forms = forms},
                 .forms = activations(forms),
                 .seconds = {},
                 .converts = converts,
                 .key = {}});
  }

  void add(size_t number, LayoutAlternative alternative) {
    const NodeRegion& node = parts_.regions[number];
    alternative.key = node.spec.text() + form_text(number, alternative.choice.forms) +
                      (alternative.choice.trace ? print(*alternative.choice.trace) : "");
    auto& known = found_.nodes[number];
    if (std::ranges::find(known, alternative.key, &LayoutAlternative::key) != known.end()) return;
    for (const auto& [name, id] : node.made)
      if (alternative.forms.contains(id)) add_form(made_[index(id)], alternative.forms.at(id));
    for (const auto& [name, id] : node.given)
      if (alternative.forms.contains(id)) add_form(wanted_[index(id)], alternative.forms.at(id));
    known.push_back(std::move(alternative));
  }

  FormsOfTensors activations(FormsOfTensors forms) const {
    std::erase_if(forms, [&](const auto& entry) { return is_constant(entry.first); });
    return forms;
  }

  std::string form_text(size_t number, const FormsOfTensors& forms) const {
    std::string text;
    const NodeRegion& node = parts_.regions[number];
    for (const auto* tensors : {&node.given, &node.made})
      for (const auto& [name, id] : *tensors)
        if (const auto form = forms.find(id); form != forms.end())
          text += fmt::format(" {}[{}]: {}", name, fmt::join(shape(id), ","),
                              print(form->second, numbered_dims(shape(id))));
    return text;
  }

  bool has_nothing(const NodeRegion& node) const {
    const auto is_empty = [&](const auto& tensor) {
      return num_elements(shape(tensor.second)) == 0;
    };
    return std::ranges::any_of(node.given, is_empty) || std::ranges::any_of(node.made, is_empty);
  }

  MemoryBoundForms memory_bound(size_t number) const {
    return {graph_, parts_.regions[number], *regions_[number], outputs_};
  }

  const Partition& parts_;
  const Graph& graph_;
  const Target& target_;
  const TracesOfTask& traces_of_;
  const Propagation propagation_;
  NetworkOutputs outputs_;
  std::vector<std::optional<Region>> regions_;              // empty for a view
  std::vector<std::optional<std::vector<size_t>>> orders_;  // permutation of a transpose
  std::vector<Forms> made_, wanted_;                        // by tensor
  LayoutAlternatives found_;
};

}  // namespace

TracesOfTask only(const TraceOfTask& trace_of) {
  return [trace_of](const KeyedTask& task) -> Result<std::vector<TimedTrace>> {
    return std::vector<TimedTrace>{{.trace = TRY(trace_of(task))}};
  };
}

Result<LayoutAlternatives> layout_alternatives(const Partition& parts, const Target& target,
                                               const TracesOfTask& traces_of,
                                               Propagation propagation) {
  return Alternatives(parts, target, traces_of, propagation).find();
}

}  // namespace dovetail
