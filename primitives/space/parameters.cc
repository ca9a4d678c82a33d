// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/parameters.h"

#include <algorithm>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/layout/apply_layout.h"
#include "primitives/space/layouts/decode_layouts.h"
#include "primitives/space/layouts/layout_levels.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/loop_orders.h"
#include "primitives/space/parameter_list.h"
#include "primitives/space/winograd/bands.h"
#include "primitives/space/winograd/inner_weights.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxUnrolledFmas = 256;  // beyond: spills and code size, rarely a gain
constexpr int64_t kMaxThreads = 1024;
constexpr int64_t kNumSearchedScopes = 4;  // global, texture, texture:weight, texture:nhwc

std::vector<std::string> storage_labels() {
  return {"pad", "unfold_tile", "unfold_cache", "guard"};
}

std::vector<int64_t> sorted_distinct(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// `values` and the cuts inside an axis of `extent` elements, ascending.
std::vector<int64_t> with_cuts(std::vector<int64_t> values, std::initializer_list<int64_t> cuts,
                               int64_t extent) {
  std::ranges::copy_if(cuts, std::back_inserter(values),
                       [&](int64_t cut) { return cut > 1 && cut < extent; });
  return sorted_distinct(std::move(values));
}

int64_t accumulators(const Structure& s, const Choices& c) {
  int64_t product = unrolled_phases(s, c);
  for (const std::string& axis : s.tiled) product *= register_tile(c, axis);
  return std::max<int64_t>(1, product / s.lanes);
}

// Multiply-adds that the choices so far unroll.
int64_t unrolled_fmas(const Structure& s, const Choices& c) {
  int64_t unrolled =
      accumulators(s, c) * (s.pairs ? s.pairs->of * s.pairs->signs : unroll_part(c, s.pure));
  for (const std::string& window : s.windows)
    if (chosen(c, {ParameterKind::unroll, window}, 0) == 1) unrolled *= s.axis(window).extent;
  return unrolled;
}

// Memory scopes that an input's layout fits on the target; global always does.
std::vector<int64_t> legal_scopes(const Structure& s, const Choices& c, const Access& access,
                                  const Target& target) {
  const Tensor& tensor = s.tensor(access.tensor);
  const TensorLayout lines = input_layout(s, c, access);
  Result<Layout> layout = apply_all(lines, identity_layout(stored_dims(s, c, tensor)));
  CHECK(layout.has_value(),
        "a layout of the space is illegal: " + (layout ? "" : layout.error().message));
  std::vector<int64_t> values;
  for (int64_t scope = 0; scope < kNumSearchedScopes; ++scope) {
    layout->scope = static_cast<MemoryScope>(scope);
    if (check_scope(tensor, *layout, target)) values.push_back(scope);
  }
  return values;
}

class ParameterBuilder {
 public:
  ParameterBuilder(std::shared_ptr<const Structure> structure, Target target)
      : s_(std::move(structure)), target_(std::move(target)) {}

  std::vector<Parameter> build() {
    add_phases();
    add_register_tiles();
    add_levels(*s_, list_);
    add_unrolling();
    for (const std::string& axis : s_->tiled) add_cache_tile(axis);
    add_bands(s_, target_, list_);
    add_padding_place(s_, target_, list_);
    for (const std::string& axis : s_->tiled) {
      if (s_->axis(axis).merged) continue;
      add_tile(s_->output(), "the output's", axis, axis == s_->vector_axis);
      add_row_storage(axis);
    }
    add_reduction_layouts();
    add_column_layout();
    add_phase_layouts();
    add_blocks(s_, list_);
    add_loop_orders(s_, target_, list_);
    if (target_.has_images) add_scopes();
    std::vector<Parameter> parameters = list_.take();
    for (Parameter& parameter : parameters) parameter.input = input_of(parameter.tensor);
    keep_bands_plain(*s_, parameters);
    keep_inner_weights_plain(*s_, parameters);
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
  static std::vector<ParameterId> tiles_of(const std::string& axis) {
    return {{ParameterKind::register_tile, axis}, {ParameterKind::cache_tile, axis}};
  }

  // Unrolled phases take at most half of the accumulators, which leaves room for rows.
  void add_phases() {
    const int64_t limit = s_->max_accumulators / 2;
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
      const auto domain = [s = s_, axis](const Choices& c) {
        std::vector<int64_t> values;
        for (int64_t r : register_sizes(*s, axis)) {
          Choices with = c;
          with.set({ParameterKind::register_tile, axis}, r);
          if (values.empty() || accumulators(*s, with) <= s->max_accumulators) values.push_back(r);
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
    const auto within = [s = s_](const Choices& c, int64_t factor) {
      return unrolled_fmas(*s, c) * factor <= kMaxUnrolledFmas;
    };
    if (!s_->pure.empty()) {
      const int64_t extent = s_->axis(s_->pure).extent;
      std::vector<int64_t> sizes = {1};
      for (int64_t u : {2, 3, 4, 8, 16})
        if (extent % u == 0) sizes.push_back(u);
      if (extent <= 16) sizes.push_back(extent);
      if (runs_work_groups(target_) && extent >= 3)
        sizes.push_back(4);  // a texel, padded if need be
      sizes = s_->pairs ? std::vector{group_of(*s_->pairs)} : sorted_distinct(sizes);
      list_.add({ParameterKind::unroll_part, s_->pure},
                "unrolled part of " + s_->pure + ", elements", reads,
                [sizes, within, pairs = s_->pairs](const Choices& c) {
                  std::vector<int64_t> values;
                  for (int64_t u : sizes)
                    if (pairs || u == 1 || within(c, u)) values.push_back(u);
                  return values;
                });
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

  void add_cache_tile(const std::string& axis) {
    const int64_t extent = s_->axis(axis).extent;
    const bool gpu = runs_work_groups(target_);
    const int64_t limit = gpu ? std::min(target_.max_work_group_size, kMaxThreads) : INT64_MAX;
    std::vector<ParameterId> reads = {{ParameterKind::register_tile, axis}};
    if (gpu)
      for (const std::string& other : s_->tiled)
        reads.emplace_back(ParameterKind::cache_tile, other);
    list_.add({ParameterKind::cache_tile, axis},
              gpu ? "work-items along " + axis : "cache tile of " + axis + ", register tiles",
              reads, [axis, extent, limit](const Choices& c) {
                int64_t items = 1;
                for (const Choice& choice : c)
                  items *= choice.kind == ParameterKind::cache_tile ? choice.value : 1;
                std::vector<int64_t> values;
                for (int64_t m :
                     divisors(round_up(extent, register_tile(c, axis)) / register_tile(c, axis)))
                  if (items * m <= limit) values.push_back(m);
                return values;
              });
  }

  // Whether the axis is stored in tiles and the last one would be padded.
  static bool cuts_inside(const Structure& s, const std::string& axis, int64_t tile) {
    return tile < s.axis(axis).extent && s.axis(axis).extent % tile != 0;
  }

  // Layout tiles end where loops are split, on the vector axis also at a vector; `whole`: one tile
  // may span the axis. Activations whose channels are not whole vectors are not padded.
  void add_tile(const std::string& tensor, const std::string& whose, const std::string& axis,
                bool whole) {
    const bool crops = whole && axis == s_->vector_axis && s_->axis(axis).ends &&
                       s_->tensor(tensor).role != TensorRole::constant;
    list_.add({ParameterKind::layout_tile, tensor, axis},
              "tile of " + axis + " in " + whose + " layout, elements; 0: none", tiles_of(axis),
              [s = s_, axis, whole, crops](const Choices& c) {
                const int64_t r = register_tile(c, axis),
                              padded = round_up(s->axis(axis).extent, r);
                std::vector<int64_t> values = {axis == s->vector_axis ? s->lanes : 0};
                if (whole) values.push_back(padded);
                values = with_cuts(std::move(values), {r, r * cache_tile(c, axis)}, padded);
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

  // CPUs load a vector that leaves the tensor at one end under a mask.
  bool masks_lanes() const { return runs_threads(target_); }

  // How an input stores the dimension that a row axis indexes.
  void add_row_storage(const std::string& axis) {
    if (s_->axis(axis).kind != AxisClass::row) return;
    const auto s = s_;
    for (const Access& access : s_->inputs()) {
      for (size_t dim = 0; dim < access.indices.size(); ++dim) {
        if (!access.indices[dim].mentions(axis)) continue;
        std::vector<ParameterId> reads = tiles_of(axis);
        reads.push_back(padding_place(*s));
        list_.add(
            {ParameterKind::storage, access.tensor, axis},
            "how " + access.tensor + " stores what " + axis + " reads", reads,
            [s, axis, access, dim, masks = masks_lanes()](const Choices& c) {
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

  void add_reduction_layouts() {
    if (s_->pure.empty()) return;
    const ParameterId unrolled(ParameterKind::unroll_part, s_->pure);
    const ParameterId inner(ParameterKind::inner_part, s_->pure);
    const int64_t extent = s_->axis(s_->pure).extent;
    list_.add(inner, "inner part of " + s_->pure + ", unrolled parts", {unrolled},
              [s = s_, extent](const Choices& c) {
                const int64_t unroll = unroll_part(c, s->pure);
                return divisors(round_up(extent, unroll) / unroll);
              });
    add_inner_weights(s_, target_, list_);
    for (const Access& access : s_->inputs()) {
      list_.add({ParameterKind::layout_tile, access.tensor, s_->pure},
                "tile of " + s_->pure + " in " + access.tensor + "'s layout, elements; 0: none",
                {unrolled, inner}, [s = s_, extent](const Choices& c) {
                  const int64_t unroll = unroll_part(c, s->pure), padded = round_up(extent, unroll);
                  const int64_t lanes = s->pairs ? s->lanes : 0;
                  return with_cuts({0, padded}, {lanes, unroll, unroll * inner_part(c, s->pure)},
                                   padded);
                });
    }
  }

  // Tiles of columns in the second input, and of a shared vector axis in both.
  void add_column_layout() {
    for (const Access& access : s_->inputs()) {
      for (const StructureAxis& a : s_->axes)
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
    for (const StructureAxis& a : s_->axes) {
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

  // Scopes are added last because an image must fit: its innermost axis is 4 and its extents are
  // within the device's limits. Ids borrow their names from the list, so they are collected anew
  // after each addition.
  std::vector<ParameterId> what_scopes_read() const {
    std::vector<ParameterId> reads;
    for (const Parameter& p : list_.parameters())
      if (!counts_orders(p.kind) && p.kind != ParameterKind::unroll) reads.push_back(id_of(p));
    return reads;
  }

  void add_scopes() {
    std::vector<std::string> labels;
    for (int64_t scope = 0; scope < kNumSearchedScopes; ++scope)
      labels.push_back(print(static_cast<MemoryScope>(scope)));
    for (const Access& access : s_->inputs()) {
      const auto domain = [s = s_, access, target = target_](const Choices& c) {
        return legal_scopes(*s, c, access, target);
      };
      list_.add({ParameterKind::scope, access.tensor}, "memory scope of " + access.tensor,
                what_scopes_read(), domain, labels);
    }
  }

  std::shared_ptr<const Structure> s_;
  Target target_;
  ParameterList list_;
};

}  // namespace

std::vector<int64_t> register_sizes(const Structure& s, const std::string& axis) {
  const int64_t extent = s.axis(axis).extent;
  const bool vector = axis == s.vector_axis;
  const int64_t unit = vector ? s.lanes : 1;
  std::vector<int64_t> sizes;
  for (int64_t r = unit; r <= (vector ? s.max_vectors * unit : 14) && r <= round_up(extent, unit);
       r += unit) {
    const int64_t padded = round_up(extent, r);
    if (r == unit || padded * 4 <= extent * 5 || s.axis(axis).merged) sizes.push_back(r);
  }
  return sizes;
}

std::vector<Parameter> derive_parameters(std::shared_ptr<const Structure> structure,
                                         const Target& target) {
  return ParameterBuilder(std::move(structure), target).build();
}

}  // namespace dovetail
