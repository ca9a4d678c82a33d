// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/canonical.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/base/check.h"
#include "core/ir/region/normal_region.h"
#include "core/ir/region/region_nodes.h"
#include "core/ir/region/region_text.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

// Limit of the search over ties; beyond it the best text so far is taken, so that at worst two
// equal regions do not share records.
constexpr size_t kMostLeaves = 720;

size_t number_of(const Colours& colours) {
  return std::set<size_t>(colours.begin(), colours.end()).size();
}

Colours ranked(const std::vector<std::string>& keys) {
  std::vector<std::string> sorted = keys;
  std::ranges::sort(sorted);
  Colours colours;
  for (const std::string& key : keys)
    colours.push_back(static_cast<size_t>(std::ranges::lower_bound(sorted, key) - sorted.begin()));
  return colours;
}

Colours refined(const RegionNodes& nodes, Colours colours) {
  for (size_t before = 0; before < number_of(colours);) {
    before = number_of(colours);
    std::vector<std::vector<std::string>> met(colours.size());
    for (size_t k = 0; k < nodes.region().computations.size(); ++k)
      for (const size_t node : nodes.nodes_in(k)) met[node].push_back(nodes.key(k, colours, node));
    std::vector<std::string> keys;
    for (size_t node = 0; node < colours.size(); ++node) {
      std::ranges::sort(met[node]);
      keys.push_back(fmt::format("{:08} {}", colours[node], fmt::join(met[node], ";")));
    }
    colours = ranked(keys);
  }
  return colours;
}

// The nodes of the least colour that several nodes share; empty if all colours are distinct.
std::vector<size_t> tied(const Colours& colours) {
  std::map<size_t, std::vector<size_t>> by_colour;
  for (size_t node = 0; node < colours.size(); ++node) by_colour[colours[node]].push_back(node);
  for (auto& [colour, nodes] : by_colour)
    if (nodes.size() > 1) return nodes;
  return {};
}

// Gives the node a colour of its own, before that of the nodes that it shared one with.
Colours told_apart(Colours colours, size_t node) {
  for (size_t other = 0; other < colours.size(); ++other)
    if (other != node && colours[other] >= colours[node]) ++colours[other];
  return colours;
}

// A letter, then letters with numbers: A … Z A1 … Z1 …
std::string letter(char first, size_t number) {
  std::string name(1, static_cast<char>(first + number % 26));
  return number < 26 ? name : name + std::to_string(number / 26);
}

// Renames and reorders the region by distinct colours.
class Renaming {
 public:
  Renaming(const RegionNodes& nodes, const Colours& colours) : nodes_(nodes), colours_(colours) {
    order_computations();
    for (const size_t k : order_) values_.push_back(sorted_values(k));
    name_given();
    for (const size_t k : order_) name_tensor(computation(k).output.tensor);
  }

  Region region() {
    Region renamed;
    for (size_t at = 0; at < order_.size(); ++at) {
      Computation c = renamed_computation(at);
      if (nodes_.region().anchor == nodes_.region().computations[order_[at]].name)
        renamed.anchor = c.output.tensor;
      renamed.computations.push_back({c.output.tensor, std::move(c)});
    }
    for (const std::string& name : nodes_.region().outputs)
      renamed.outputs.push_back(names_.at(name));
    return renamed;
  }
  const std::map<std::string, std::string, std::less<>>& names() const { return names_; }

 private:
  struct Values {
    Value element, result;
    std::vector<GatherIndex> gathers;
  };

  const Computation& computation(size_t k) const {
    return nodes_.region().computations[k].computation;
  }

  // Topological order; among ready computations, the one whose output has the least colour is next.
  void order_computations() {
    std::set<size_t> left;
    for (size_t k = 0; k < nodes_.region().computations.size(); ++k) left.insert(k);
    while (!left.empty()) {
      std::optional<size_t> next;
      for (const size_t k : left) {
        const bool ready = std::ranges::none_of(
            computation(k).reads, [&](const Access& read) { return makes(left, read.tensor); });
        if (ready && (!next || colour_of_output(k) < colour_of_output(*next))) next = k;
      }
      CHECK(next.has_value(), "a region in an order");
      order_.push_back(*next);
      left.erase(*next);
    }
  }

  bool makes(const std::set<size_t>& some, const std::string& tensor) const {
    return std::ranges::any_of(some,
                               [&](size_t k) { return computation(k).output.tensor == tensor; });
  }
  size_t colour_of_output(size_t k) const {
    return colours_[nodes_.tensor(computation(k).output.tensor)];
  }

  Value sorted(size_t k, const Value& value) const {
    const auto key = [&](const Value& v) { return nodes_.key(k, v, colours_, colours_.size()); };
    return rebuilt(value, [&](const Value& node) -> std::optional<Value> {
      const auto* b = node.as<Binary>();
      if (b == nullptr || !is_commutative(b->op) || key(b->left) <= key(b->right)) return {};
      return binary(b->op, b->right, b->left);
    });
  }

  Values sorted_values(size_t k) const {
    const Computation& c = computation(k);
    Values values{sorted(k, c.element), sorted(k, c.result), c.gathers};
    for (GatherIndex& index : values.gathers) index.value = sorted(k, index.value);
    return values;
  }

  void name_tensor(const std::string& name) {
    if (names_.contains(name)) return;
    names_.emplace(name, letter('A', names_.size()));
  }

  // Names the region's inputs in the order in which the text reads them.
  void name_given() {
    for (size_t at = 0; at < order_.size(); ++at) {
      name_given_in(at, values_[at].element);
      name_given_in(at, values_[at].result);
    }
  }
  void name_given_in(size_t at, const Value& value) {
    const Computation& c = computation(order_[at]);
    for_each_node(value, [&](const Value& node) {
      const auto* read = node.as<ReadOf>();
      if (read == nullptr) return;
      const Access& access = c.reads[static_cast<size_t>(read->position)];
      if (find_table(c, access.tensor) == nullptr && !is_made(nodes_.region(), access.tensor))
        name_tensor(access.tensor);
      for (const GatherIndex& chosen : values_[at].gathers) {
        const bool used = std::ranges::any_of(
            access.indices, [&](const IndexExpr& e) { return e.mentions(chosen.name); });
        if (used) name_given_in(at, chosen.value);
      }
    });
  }

  // The new order of a tensor's dimensions, as old positions; only inner tensors are permuted.
  std::vector<size_t> dims_of(const std::string& tensor, size_t count) const {
    std::vector<size_t> positions(count);
    for (size_t j = 0; j < count; ++j) positions[j] = j;
    if (is_inner(nodes_.region(), tensor))
      std::ranges::sort(positions, {}, [&](size_t j) { return colours_[nodes_.dim(tensor, j)]; });
    return positions;
  }

  // Output axes in the order of the output's dimensions, then reduction axes by colour.
  std::vector<Axis> ordered_axes(size_t k) const {
    const Computation& c = computation(k);
    std::vector<Axis> axes, reduced;
    for (const size_t j : dims_of(c.output.tensor, c.output.indices.size())) {
      const std::string name = c.output.indices[j].variables().front();
      axes.push_back(*std::ranges::find(c.axes, name, &Axis::name));
    }
    for (const Axis& axis : c.axes)
      if (axis.reduction) reduced.push_back(axis);
    std::ranges::sort(reduced, {},
                      [&](const Axis& axis) { return colours_[nodes_.axis(k, axis.name)]; });
    axes.insert(axes.end(), reduced.begin(), reduced.end());
    return axes;
  }

  // The first letter that no other axis of the computation and no axis of another extent uses.
  std::string axis_name(const Axis& axis, const std::set<std::string>& taken) {
    for (size_t number = 0;; ++number) {
      const std::string name = letter('a', number);
      if (taken.contains(name)) continue;
      if (extents_.emplace(name, axis.extent).first->second == axis.extent) return name;
    }
  }

  Computation renamed_computation(size_t at) {
    const size_t k = order_[at];
    const Computation& own = computation(k);
    Computation c = own;
    c.axes = ordered_axes(k);
    std::map<std::string, IndexExpr, std::less<>> axes;
    std::set<std::string> taken;
    for (Axis& axis : c.axes) {
      const std::string name = axis_name(axis, taken);
      taken.insert(name);
      axes.emplace(axis.name, IndexExpr::variable(name));
      axis.name = name;
    }
    for (const GatherIndex& index : own.gathers)
      axes.emplace(index.name, IndexExpr::variable(index.name));
    const Ranges ranges = axis_ranges(c);
    const auto index = [&](const IndexExpr& e) { return substitute(e, axes, ranges); };
    const auto value = [&](const Value& v) {
      return rebuilt(v, [&](const Value& node) {
        return with_indices(node, [&](const IndexExpr& e) { return std::optional(index(e)); });
      });
    };
    for (Access& access : c.reads) access = renamed(access, own, index);
    c.output = renamed(c.output, own, index);
    for (Tensor& tensor : c.tensors) tensor = renamed(tensor);
    c.element = value(values_[at].element);
    c.result = value(values_[at].result);
    c.gathers = values_[at].gathers;
    for (GatherIndex& chosen : c.gathers) chosen.value = value(chosen.value);
    return c;
  }

  template <typename RewriteIndices>
  Access renamed(const Access& access, const Computation& c, const RewriteIndices& index) const {
    Access result = access;
    if (find_table(c, access.tensor) == nullptr) {
      result.tensor = names_.at(access.tensor);
      result.indices.clear();
      for (const size_t j : dims_of(access.tensor, access.indices.size()))
        result.indices.push_back(access.indices[j]);
    }
    for (IndexExpr& e : result.indices) e = index(e);
    for (Bound& bound : result.conditions) bound.expr = index(bound.expr);
    return result;
  }

  Tensor renamed(const Tensor& tensor) const {
    Tensor result = tensor;
    result.name = names_.at(tensor.name);
    result.dims.clear();
    for (const size_t j : dims_of(tensor.name, tensor.dims.size()))
      result.dims.push_back(tensor.dims[j]);
    return result;
  }

  const RegionNodes& nodes_;
  const Colours& colours_;
  std::vector<size_t> order_;
  std::vector<Values> values_;  // in the order of order_
  std::map<std::string, std::string, std::less<>> names_;
  std::map<std::string, int64_t> extents_;  // by new axis name
};

using Names = std::map<std::string, std::string, std::less<>>;

Border renamed(const Border& border, const Region& region, const Names& names) {
  Border result = border;
  for (BorderTensor& tensor : result.tensors) tensor.tensor = names.at(tensor.tensor);
  const std::vector<Tensor> order = crossing_tensors(region);
  std::ranges::sort(result.tensors, {}, [&](const BorderTensor& tensor) {
    return std::ranges::find(order, tensor.tensor, &Tensor::name) - order.begin();
  });
  return result;
}

// Finds the least text over all ways to break ties.
class LeastText {
 public:
  explicit LeastText(const TaskSpec& spec) : spec_(spec), nodes_(spec.region) {
    visit(refined(nodes_, ranked(nodes_.first_keys())));
  }
  CanonicalTask task() && { return std::move(*best_); }

 private:
  void visit(const Colours& colours) {
    const std::vector<size_t> tie = tied(colours);
    if (tie.empty()) return take(colours);
    for (const size_t node : tie) {
      if (leaves_ >= kMostLeaves) return;
      visit(refined(nodes_, told_apart(colours, node)));
    }
  }

  void take(const Colours& colours) {
    ++leaves_;
    Renaming renaming(nodes_, colours);
    Result<Region> region = normalised(renaming.region());
    CHECK(region.has_value(), region ? "" : region.error().message);
    Border border = renamed(spec_.border, *region, renaming.names());
    const std::pair text{print(*region), print(border, *region)};
    if (best_ && least_ <= text) return;
    least_ = text;
    best_ = {.spec = {*std::move(region), std::move(border)}, .names = renaming.names()};
  }

  const TaskSpec& spec_;
  RegionNodes nodes_;
  size_t leaves_ = 0;
  std::pair<std::string, std::string> least_;
  std::optional<CanonicalTask> best_;
};

}  // namespace

CanonicalTask canonical(const TaskSpec& spec) {
  if (!spec.region.op) return LeastText(spec).task();
  CanonicalTask task{.spec = spec, .names = {}};
  for (const Tensor& tensor : tensors_of(spec.region)) task.names[tensor.name] = tensor.name;
  return task;
}

}  // namespace dovetail
