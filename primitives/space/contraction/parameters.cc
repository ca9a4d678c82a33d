// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/contraction_plan.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/contraction/loop_orders.h"
#include "primitives/space/layouts/decode_layouts.h"
#include "primitives/space/layouts/layout_levels.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/machine_facts.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxUnrolledFmas = 256;  // beyond: spills and code size, rarely a gain

std::vector<std::string> storage_labels() {
  return {"pad", "unfold_tile", "unfold_cache", "guard"};
}

std::vector<int64_t> sorted_distinct(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// `values` and the cuts inside an axis of `extent` elements, ascending.
std::vector<int64_t> with_cuts(std::vector<int64_t> values, const std::vector<int64_t>& cuts,
                               int64_t extent) {
  std::ranges::copy_if(cuts, std::back_inserter(values),
                       [&](int64_t cut) { return cut > 1 && cut < extent; });
  return sorted_distinct(std::move(values));
}

int64_t accumulators(const ContractionFacts& s, const Choices& c) {
  int64_t product = unrolled_phases(s, c);
  for (const std::string& axis : s.tiled) product *= register_tile(c, axis);
  return std::max<int64_t>(1, product / s.lanes);
}

// Multiply-adds that the choices so far unroll.
int64_t unrolled_fmas(const ContractionPlan& plan, const Choices& c) {
  const ContractionFacts& s = plan.facts;
  const int64_t reduced =
      plan.group ? plan.group->elements / plan.group->apart : unroll_part(c, s.pure);
  int64_t unrolled = accumulators(s, c) * reduced;
  for (const std::string& window : s.windows)
    if (chosen(c, {ParameterKind::unroll, window}, 0) == 1) unrolled *= s.axis(window).extent;
  return unrolled;
}

class ParameterBuilder {
 public:
  ParameterBuilder(const std::shared_ptr<const ContractionPlan>& plan, const Target& target)
      : plan_(plan), s_(facts_of(plan)), target_(target), rules_(execution_rules(target)) {}

  std::vector<Parameter> build(const OwnParameters& own) {
    add_phases();
    add_register_tiles();
    add_levels(*s_, list_);
    add_unrolling();
    rules_.add_cache_tiles(s_, target_, list_);
    if (own.after_cache_tiles) own.after_cache_tiles(list_);
    if (!plan_->stage.empty() && !plan_->inputs_are_made) add_padding_place(s_, target_, list_);
    for (const std::string& axis : s_->tiled) {
      if (s_->axis(axis).merged) continue;
      add_tile(s_->output(), "the output's", axis, axis == s_->vector_axis);
      add_row_storage(axis);
    }
    add_reduction_layouts(own);
    add_column_layout();
    add_phase_layouts();
    add_blocks(s_, list_);
    add_loop_orders(plan_, target_, list_);
    if (rules_.add_scopes != nullptr) rules_.add_scopes(s_, target_, list_);
    std::vector<Parameter> parameters = list_.take();
    for (Parameter& parameter : parameters) parameter.input = input_of(parameter.tensor);
    return parameters;
  }

 private:
  std::optional<size_t> input_of(std::string_view tensor) const {
    const std::span<const Access> inputs = s_->inputs();
    const auto at = std::ranges::find(inputs, tensor, &Access::tensor);
    if (at == inputs.end()) return std::nullopt;
    return static_cast<size_t>(at - inputs.begin());
  }

  static std::vector<ParameterId> of_each(ParameterKind kind,
                                          const std::vector<std::string>& axes) {
    std::vector<ParameterId> ids;
    for (const std::string& axis : axes) ids.emplace_back(kind, axis);
    return ids;
  }

  static std::vector<ParameterId> tiles_of_axis(const std::string& axis) {
    return {{ParameterKind::register_tile, axis}, {ParameterKind::cache_tile, axis}};
  }

  // Unrolled phases take at most half of the accumulators, which leaves room for rows.
  void add_phases() {
    const int64_t limit = max_accumulators(target_) / 2;
    for (auto axis = s_->phased.rbegin(); axis != s_->phased.rend(); ++axis) {
      list_.add({ParameterKind::phase, *axis}, "where the phases of " + *axis + " are",
                of_each(ParameterKind::phase, s_->phased),
                [s = s_, axis = *axis, limit](const Choices& c) {
                  Choices with = c;
                  with.set({ParameterKind::phase, axis}, 1);
                  return count_up_to(unrolled_phases(*s, with) <= limit ? 2 : 1);
                },
                {"outermost", "registers"});
    }
  }

  // The vector axis comes first, so that rows see how many accumulators are left.
  void add_register_tiles() {
    std::vector<std::string> order = s_->tiled;
    std::reverse(order.begin(), order.end());
    for (const std::string& axis : order) {
      const auto domain = [plan = plan_, axis, most = max_accumulators(target_)](const Choices& c) {
        std::vector<int64_t> values;
        for (int64_t r : register_sizes(*plan, axis)) {
          Choices with = c;
          with.set({ParameterKind::register_tile, axis}, r);
          if (values.empty() || accumulators(plan->facts, with) <= most) values.push_back(r);
        }
        return values;
      };
      std::vector<ParameterId> reads = of_each(ParameterKind::register_tile, order);
      for (const std::string& phased : s_->phased) reads.emplace_back(ParameterKind::phase, phased);
      list_.add({ParameterKind::register_tile, axis}, "register tile of " + axis + ", elements",
                reads, domain);
    }
  }

  void add_unrolling() {
    std::vector<ParameterId> reads = of_each(ParameterKind::register_tile, s_->tiled);
    for (const std::string& phased : s_->phased) reads.emplace_back(ParameterKind::phase, phased);
    const auto within = [plan = plan_](const Choices& c, int64_t factor) {
      return unrolled_fmas(*plan, c) * factor <= kMaxUnrolledFmas;
    };
    if (!s_->pure.empty()) {
      const auto domain = [sizes = unrolled_parts(), within](const Choices& c) {
        std::vector<int64_t> values = sizes;
        if (sizes.size() > 1)
          std::erase_if(values, [&](int64_t u) { return u > 1 && !within(c, u); });
        return values;
      };
      list_.add({ParameterKind::unroll_part, s_->pure},
                "unrolled part of " + s_->pure + ", elements", reads, domain);
      reads.emplace_back(ParameterKind::unroll_part, s_->pure);
    }
    for (auto window = s_->windows.rbegin(); window != s_->windows.rend(); ++window) {
      const int64_t taps = s_->axis(*window).extent;
      list_.add({ParameterKind::unroll, *window}, "0: " + *window + " is a loop, 1: written out",
                reads, [taps, within](const Choices& c) {
                  return within(c, taps) ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{0};
                });
      reads.emplace_back(ParameterKind::unroll, *window);
    }
  }

  std::vector<int64_t> unrolled_parts() const {
    if (plan_->group) return {plan_->group->elements};
    const int64_t extent = s_->axis(s_->pure).extent;
    std::vector<int64_t> sizes = {1};
    for (int64_t u : {2, 3, 4, 8, 16})
      if (extent % u == 0) sizes.push_back(u);
    if (extent <= 16) sizes.push_back(extent);
    if (const int64_t padded = rules_.padded_unroll; padded > 0 && extent >= padded - 1)
      sizes.push_back(padded);
    return sorted_distinct(sizes);
  }

  // Whether the axis is stored in tiles and the last one would be padded.
  static bool cuts_inside(const ContractionFacts& s, const std::string& axis, int64_t tile) {
    return tile < s.axis(axis).extent && s.axis(axis).extent % tile != 0;
  }

  // Layout tiles end where loops are split, on the vector axis also at a vector; `whole`: one tile
  // may span the axis. Activations whose channels are not whole vectors are not padded.
  void add_tile(const std::string& tensor, const std::string& whose, const std::string& axis,
                bool whole) {
    const bool crops = whole && axis == s_->vector_axis &&
                       s_->axis(axis).tail == AxisTail::cut_untiled &&
                       s_->tensor(tensor).role != TensorRole::constant;
    list_.add({ParameterKind::layout_tile, tensor, axis},
              "tile of " + axis + " in " + whose + " layout, elements; 0: none",
              tiles_of_axis(axis), [s = s_, axis, whole, crops](const Choices& c) {
                const int64_t r = register_tile(c, axis),
                              padded = round_up(s->axis(axis).extent, r);
                std::vector<int64_t> values = {axis == s->vector_axis ? s->lanes : 0};
                if (whole) values.push_back(padded);
                values = with_cuts(std::move(values), tile_cuts(*s, axis, r, cache_tile(c, axis)),
                                   padded);
                if (crops)
                  std::erase_if(values, [&](int64_t v) { return cuts_inside(*s, axis, v); });
                return values;
              });
  }

  // With stride and dilation several terms of the index contain the phase, and some of them could
  // be mistaken for steps of tiles.
  static bool shifts_by_phase(const IndexExpr& index, const std::string& axis) {
    return std::ranges::count_if(index.terms(), [&](const IndexTerm& term) {
             return IndexExpr::of({term}, 0).mentions(phase_name(axis));
           }) > 1;
  }

  // How an input stores the dimension that a row axis indexes.
  void add_row_storage(const std::string& axis) {
    if (s_->axis(axis).kind != AxisClass::row) return;
    const auto s = s_;
    for (const Access& access : s_->inputs()) {
      for (size_t dim = 0; dim < access.indices.size(); ++dim) {
        if (!access.indices[dim].mentions(axis)) continue;
        std::vector<ParameterId> reads = tiles_of_axis(axis);
        reads.push_back(padding_place(*s));
        list_.add(
            {ParameterKind::storage, access.tensor, axis},
            "how " + access.tensor + " stores what " + axis + " reads", reads,
            [s, axis, access, dim, masks = rules_.masks_lanes](const Choices& c) {
              std::vector<int64_t> values = {kPad};
              const bool may_guard = chosen(c, padding_place(*s), kNowhere) == kNowhere &&
                                     leaves_tensor(*s, c, access, dim);
              if (axis == s->vector_axis) {
                if (masks && may_guard) values.push_back(kGuard);
                return values;
              }
              // Unfolded tiles start at the tensor's first element, but a transposed convolution
              // may crop elements before the first one that is read.
              const int64_t first = index_range(access.indices[dim], *s, padded_extents(*s, c)).min;
              const bool unfolds = first <= 0 && !shifts_by_phase(access.indices[dim], axis);
              const int64_t r = register_tile(c, axis), m = cache_tile(c, axis),
                            padded = round_up(s->axis(axis).extent, r);
              if (unfolds && r > 1 && r < padded) values.push_back(kUnfoldTile);
              if (unfolds && m > 1 && r * m < padded) values.push_back(kUnfoldCache);
              if (may_guard) values.push_back(kGuard);
              return values;
            },
            storage_labels());
      }
    }
  }

  void add_reduction_layouts(const OwnParameters& own) {
    if (s_->pure.empty()) return;
    const ParameterId unrolled(ParameterKind::unroll_part, s_->pure);
    const ParameterId inner(ParameterKind::inner_part, s_->pure);
    const int64_t extent = s_->axis(s_->pure).extent;
    list_.add(inner, "inner part of " + s_->pure + ", unrolled parts", {unrolled},
              [s = s_, extent](const Choices& c) {
                const int64_t unroll = unroll_part(c, s->pure);
                return divisors(round_up(extent, unroll) / unroll);
              });
    if (own.after_inner_part) own.after_inner_part(list_);
    for (const Access& access : s_->inputs()) {
      list_.add({ParameterKind::layout_tile, access.tensor, s_->pure},
                "tile of " + s_->pure + " in " + access.tensor + "'s layout, elements; 0: none",
                {unrolled, inner},
                [s = s_, extent, lanes = plan_->group ? s_->lanes : 0](const Choices& c) {
                  const int64_t unroll = unroll_part(c, s->pure), padded = round_up(extent, unroll);
                  return with_cuts({0, padded}, {lanes, unroll, unroll * inner_part(c, s->pure)},
                                   padded);
                });
    }
  }

  // Tiles of columns in the second input, and of a shared vector axis in both.
  void add_column_layout() {
    for (const Access& access : s_->inputs()) {
      for (const ContractionAxis& a : s_->axes)
        if (access_has(access, a.name) && a.extent > 1 && s_->tiles_channels(a.name))
          add_tile(access.tensor, access.tensor + "'s", a.name, /*whole=*/true);
    }
    if (const std::string host = host_of_bias(*s_); !host.empty()) {
      list_.add_values({ParameterKind::store_at, "bias"}, "where the bias is kept", {0, 1},
                       {"apart", "under_" + host});
    }
    std::vector<std::string> tensors;
    for (const Access& access : s_->inputs()) tensors.push_back(access.tensor);
    tensors.push_back(s_->output());
    for (const std::string& tensor : tensors) {
      list_.add_values({ParameterKind::channel_tiles, tensor},
                       "where " + tensor + "'s channel tiles stand", {0, 1}, {"before", "after"});
    }
  }

  // Parameters for the padding after the last tap and for the storage of phases.
  void add_phase_layouts() {
    for (const ContractionAxis& a : s_->axes) {
      if (a.phase_of.empty()) continue;
      for (const Access& access : s_->inputs()) {
        const Tensor& tensor = s_->tensor(access.tensor);
        const auto dim = std::ranges::find(tensor.dims, a.name, &LogicalDim::name);
        if (dim == tensor.dims.end() || dim->extent % a.phases == 0) continue;
        list_.add_values({ParameterKind::storage, access.tensor, a.name},
                         "what follows the last tap of " + a.name, {kPad, kGuard},
                         storage_labels());
      }
    }
    if (s_->phased.empty()) return;
    list_.add_values(ParameterKind::phase_storage, "where phases are stored", {0, 1},
                     {"natural", "outermost"});
  }

  std::shared_ptr<const ContractionPlan> plan_;
  std::shared_ptr<const ContractionFacts> s_;
  const Target& target_;
  const ExecutionRules& rules_;
  ParameterList list_;
};

}  // namespace

std::vector<int64_t> register_sizes(const ContractionPlan& plan, const std::string& axis) {
  const ContractionFacts& s = plan.facts;
  const int64_t extent = s.axis(axis).extent;
  const bool vector = axis == s.vector_axis;
  const int64_t unit = vector ? s.lanes : 1;
  std::vector<int64_t> sizes;
  for (int64_t r = unit;
       r <= (vector ? plan.max_vectors * unit : 14) && r <= round_up(extent, unit); r += unit) {
    const int64_t padded = round_up(extent, r);
    if (r == unit || padded * 4 <= extent * 5 || s.axis(axis).merged) sizes.push_back(r);
  }
  return sizes;
}

std::vector<Parameter> derive_parameters(const std::shared_ptr<const ContractionPlan>& plan,
                                         const Target& target, const OwnParameters& own) {
  return ParameterBuilder(plan, target).build(own);
}

}  // namespace dovetail
