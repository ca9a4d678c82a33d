// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/choose_layouts.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/ir/layout/restate.h"
#include "deploy/layouts/pbqp.h"
#include "deploy/network/region_forms.h"

namespace dovetail {
namespace {

// Rate of a conversion whose tensor exceeds the first caches, and the overhead of any call (Zen 4,
// one core: tensors of 0.1 to 5 MB at 15 to 40 GB/s).
constexpr double kConvertedBytesPerSecond = 20e9;
constexpr double kCallSeconds = 0.5e-6;
constexpr double kImpossible = 1e18;

class ChoiceProblem {
 public:
  ChoiceProblem(const Partition& parts, const LayoutAlternatives& found, const LayoutCosts& costs)
      : parts_(parts), found_(found), costs_(costs) {}

  Pbqp build() {
    for (size_t node = 0; node < found_.nodes.size(); ++node) problem_.add_node(alone(node));
    for (size_t node = 0; node < found_.nodes.size(); ++node)
      for (const auto& [name, id] : parts_.regions[node].made) makers_[id] = node;
    for (size_t node = 0; node < found_.nodes.size(); ++node) add_edges(node);
    return std::move(problem_);
  }

 private:
  static const NormalLayout* form_of(const LayoutAlternative& alternative, TensorId id) {
    const auto found = alternative.forms.find(id);
    return found == alternative.forms.end() ? nullptr : &found->second;
  }

  double conversion(TensorId id, const NormalLayout* from, const NormalLayout* to) const {
    return from == nullptr || to == nullptr || *from == *to ? 0 : costs_.conversion(id, *from, *to);
  }

  // The network's inputs and outputs are row-major.
  std::vector<double> alone(size_t node) const {
    const auto is_in = [](const std::vector<TensorId>& ids, TensorId id) {
      return std::ranges::find(ids, id) != ids.end();
    };
    std::vector<double> costs;
    for (const LayoutAlternative& own : found_.nodes[node]) {
      double cost = costs_.region(node, own);
      for (const auto& [name, id] : parts_.regions[node].given) {
        const NormalLayout outside = row_major_in(parts_.graph, id);
        if (is_in(parts_.graph.inputs, id)) cost += conversion(id, &outside, form_of(own, id));
      }
      for (const auto& [name, id] : parts_.regions[node].made) {
        const NormalLayout outside = row_major_in(parts_.graph, id);
        if (is_in(parts_.graph.outputs, id)) cost += conversion(id, form_of(own, id), &outside);
      }
      costs.push_back(cost);
    }
    return costs;
  }

  void add_edges(size_t reader) {
    for (const auto& [name, id] : parts_.regions[reader].given) {
      const auto maker = makers_.find(id);
      if (maker == makers_.end()) continue;
      problem_.add_edge(maker->second, reader,
                        conversions(id, found_.nodes[maker->second], found_.nodes[reader]));
    }
  }

  // Many alternatives share a layout of the tensor, so each pair of layouts is costed once.
  PbqpMatrix conversions(TensorId id, const std::vector<LayoutAlternative>& from,
                         const std::vector<LayoutAlternative>& to) const {
    const FormsInUse makes(from, id), reads(to, id);
    PbqpMatrix costs(makes.forms.size(), std::vector<double>(reads.forms.size()));
    for (size_t i = 0; i < costs.size(); ++i)
      for (size_t j = 0; j < costs[i].size(); ++j)
        costs[i][j] = conversion(id, makes.forms[i], reads.forms[j]);
    PbqpMatrix matrix(from.size(), std::vector<double>(to.size()));
    for (size_t i = 0; i < from.size(); ++i)
      for (size_t j = 0; j < to.size(); ++j) matrix[i][j] = costs[makes.which[i]][reads.which[j]];
    return matrix;
  }

  // The distinct layouts of one tensor over all alternatives, and the index of each alternative's.
  struct FormsInUse {
    FormsInUse(const std::vector<LayoutAlternative>& all, TensorId id) {
      for (const LayoutAlternative& own : all) {
        const NormalLayout* form = form_of(own, id);
        const auto known = std::ranges::find_if(forms, [&](const NormalLayout* other) {
          return form == nullptr || other == nullptr ? form == other : *form == *other;
        });
        which.push_back(static_cast<size_t>(known - forms.begin()));
        if (known == forms.end()) forms.push_back(form);
      }
    }

    std::vector<const NormalLayout*> forms;  // null: the alternative leaves the layout open
    std::vector<size_t> which;
  };

  const Partition& parts_;
  const LayoutAlternatives& found_;
  const LayoutCosts& costs_;
  std::map<TensorId, size_t> makers_;
  Pbqp problem_;
};

double conversion_seconds(const Partition& parts, TensorId id) {
  return kCallSeconds + static_cast<double>(bytes_in(parts.graph, id)) / kConvertedBytesPerSecond;
}

// Extra seconds of a region that writes another layout than it computes in.
double converting_seconds(const Partition& parts, size_t node) {
  double seconds = 0;
  for (const auto& [name, id] : parts.regions[node].made)
    seconds += conversion_seconds(parts, id) / 2;
  return seconds;
}

auto conversions_by_bytes(const Partition& parts) {
  return [&parts](TensorId id, const NormalLayout&, const NormalLayout&) {
    return conversion_seconds(parts, id);
  };
}

}  // namespace

LayoutCosts logged_costs(const Partition& parts, const LayoutAlternatives& alternatives) {
  std::vector<std::optional<double>> least;  // fastest trace of each region
  for (const std::vector<LayoutAlternative>& node : alternatives.nodes) {
    least.emplace_back();
    for (const LayoutAlternative& own : node)
      if (own.seconds) least.back() = std::min(least.back().value_or(*own.seconds), *own.seconds);
  }
  const auto region = [&parts, &alternatives, least = std::move(least)](
                          size_t node, const LayoutAlternative& own) {
    const double seconds = own.converts ? converting_seconds(parts, node) : 0;
    if (!own.choice.trace) return seconds;
    if (!own.adapted_from.empty()) return kImpossible;
    if (least[node]) return own.seconds ? seconds + *own.seconds - *least[node] : kImpossible;
    return own.key == alternatives.nodes[node].front().key ? seconds : kImpossible;
  };
  return {.region = region, .conversion = conversions_by_bytes(parts)};
}

LayoutCosts default_costs(const Partition& parts, const LayoutAlternatives& alternatives) {
  const auto region = [&parts, &alternatives](size_t node, const LayoutAlternative& own) {
    const double seconds = own.converts ? converting_seconds(parts, node) : 0;
    const bool has_one =
        std::ranges::any_of(alternatives.nodes[node], &LayoutAlternative::is_default);
    return !own.adapted_from.empty() || (has_one && !own.is_default) ? kImpossible : seconds;
  };
  return {.region = region, .conversion = conversions_by_bytes(parts)};
}

LayoutChoice choose_layouts(const Partition& parts, const LayoutAlternatives& alternatives,
                            const LayoutCosts& costs) {
  const PbqpSolution solution = solve(ChoiceProblem(parts, alternatives, costs).build());
  LayoutChoice chosen{.picked = solution.choice,
                      .network = {},
                      .cost = solution.cost,
                      .is_exact = solution.is_exact};
  for (size_t node = 0; node < solution.choice.size(); ++node)
    chosen.network.nodes.push_back(alternatives.nodes[node][solution.choice[node]].choice);
  return chosen;
}

double cost_of(const Partition& parts, const LayoutAlternatives& alternatives,
               const LayoutCosts& costs, const std::vector<size_t>& picked) {
  return cost_of(ChoiceProblem(parts, alternatives, costs).build(), picked);
}

Result<NetworkChoice> propagated(const Partition& parts, const Target& target,
                                 const TracesOfTask& traces_of, Propagation propagation) {
  const LayoutAlternatives found = TRY(layout_alternatives(parts, target, traces_of, propagation));
  return choose_layouts(parts, found, logged_costs(parts, found)).network;
}

}  // namespace dovetail
