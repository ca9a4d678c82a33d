// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/layouts/placement.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>

#include "core/ir/index/range_arithmetic.h"
#include "primitives/divisors.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/lowering/nest/staged_fill.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/contraction/group_sum.h"
#include "primitives/space/contraction/loop_orders.h"
#include "primitives/space/machine_facts.h"
#include "primitives/space/rounds_ahead.h"

namespace dovetail {
namespace {

constexpr int kOffPercent = 90;               // share of samples
constexpr int64_t kLargestUnrolledPart = 16;  // reductions may be padded to multiples of it
constexpr int64_t kElementBytes = 4;          // f32, the largest type
constexpr int kOffLocalPercent = 40;
constexpr int64_t kVectorBytes = 16;  // one wide load

// Tiled output axes that index a tensor.
std::vector<std::string> own_axes(const ContractionFacts& s, const Access& access) {
  std::vector<std::string> axes;
  for (const std::string& axis : s.tiled)
    if (access_has(access, axis)) axes.push_back(axis);
  return axes;
}

bool is_pad_moved(const ContractionFacts& s, const Choices& c) {
  return chosen(c, padding_place(s), kNowhere) != kNowhere;
}

// Whether a loop outside the register tiles, or the cache tiles, runs over one of the axes.
bool has_loop_around(const ContractionFacts& s, const Choices& c,
                     const std::vector<std::string>& axes, bool cache_tiles) {
  return std::ranges::any_of(axes, [&](const std::string& axis) {
    const int64_t r = register_tile(c, axis), m = cache_tiles ? cache_tile(c, axis) : 1;
    return round_up(s.axis(axis).extent, r) > r * m;
  });
}

// An index of an access as a sum: the steps of output axes and of the pure reduction, and the rest
// (windows, phases) as a range.
struct IndexSum {
  std::vector<std::pair<std::string, int64_t>> steps;  // axis, coefficient
  Range rest;
  int64_t extent = 1;  // the tensor's, in this dimension
  bool has_row = false;

  int64_t width(const std::map<std::string, int64_t, std::less<>>& spans) const {
    int64_t result = rest.max - rest.min + 1;
    for (const auto& [axis, step] : steps) result += std::abs(step) * (spans.at(axis) - 1);
    return result;
  }
};

std::vector<IndexSum> sums_of(const ContractionFacts& s, const Access& access) {
  std::map<std::string, int64_t> single;
  for (const ContractionAxis& a : s.axes)
    if (s.is_output(a.name) || a.name == s.pure) single[a.name] = 1;
  const Tensor& tensor = s.tensor(access.tensor);
  std::vector<IndexSum> sums;
  for (size_t dim = 0; dim < access.indices.size(); ++dim) {
    const IndexExpr& index = access.indices[dim];
    IndexSum sum{
        .steps = {}, .rest = index_range(index, s, single), .extent = tensor.dims[dim].extent};
    for (const auto& [axis, _] : single) {
      if (!index.mentions(axis)) continue;
      sum.steps.emplace_back(axis, index.coefficient(axis));
      const bool tiled = std::ranges::find(s.tiled, axis) != s.tiled.end();
      sum.has_row = sum.has_row || (tiled && s.axis(axis).kind == AxisClass::row);
    }
    sums.push_back(std::move(sum));
  }
  return sums;
}

// Whether every tile of the access is a box: no division mixes two loops, and no row axis merges
// several dims.
bool is_separable(const ContractionFacts& s, const Access& access) {
  const bool is_merged = std::ranges::any_of(s.merged, [&](const auto& pair) {
    return access_has(access, fused_name(pair.first, pair.second));
  });
  return !is_merged && std::ranges::all_of(access.indices, [](const IndexExpr& index) {
    return std::ranges::all_of(index.terms(), [](const IndexTerm& term) {
      return IndexExpr::of({term}, 0).variables().size() <= 1;
    });
  });
}

using Spans = std::map<std::string, int64_t, std::less<>>;

// X stores its windows apart, as a copied tile would hold them anyway.
bool is_unfolded(const ContractionFacts& s, const Choices& c) {
  return std::ranges::any_of(s.tiled, [&](const std::string& row) {
    const int64_t stored = storage(c, s.inputs()[0].tensor, row);
    return stored == kUnfoldTile || stored == kUnfoldCache;
  });
}

// Upper bound of the bytes that a register tile, or a cache tile, reads of a tensor over `reduced`
// elements of the pure reduction. Vectors that are a cache tile apart span it. With `windows_apart`
// register tiles' windows count one by one, as they are stored by unfold.
int64_t part_bytes(const ContractionFacts& s, const Choices& c, const std::vector<IndexSum>& sums,
                   bool cache_tiles, int64_t reduced, bool windows_apart = true) {
  int64_t bytes = kElementBytes;
  for (const IndexSum& sum : sums) {
    Spans in_tile, in_cache_tile;
    int64_t windows = 1;
    for (const auto& [axis, _] : sum.steps) {
      const int64_t m = cache_tiles || s.is_strided(axis) ? cache_tile(c, axis) : 1;
      in_tile[axis] = axis == s.pure ? reduced : register_tile(c, axis);
      in_cache_tile[axis] = in_tile[axis] * m;
      if (windows_apart) windows *= m;
    }
    bytes *= std::max(sum.width(in_cache_tile), windows * sum.width(in_tile));
    if (bytes > kThreadBytes * 64) return bytes;  // enough to refuse, before it overflows
  }
  return bytes;
}

int64_t whole_reduction(const ContractionFacts& s) {
  return s.pure.empty() ? 1 : round_up(s.axis(s.pure).extent, kLargestUnrolledPart);
}

// Whether some window leaves the tensor, so that padded storage needs a copy.
bool is_padded(const ContractionFacts& s, const Choices& c, const std::vector<IndexSum>& sums) {
  return std::ranges::any_of(sums, [&](const IndexSum& sum) {
    Range reached = sum.rest;
    for (const auto& [axis, step] : sum.steps) {
      const int64_t tile = s.axis(axis).tail == AxisTail::cut_untiled ? 1 : register_tile(c, axis);
      const int64_t last = step * (round_up(s.axis(axis).extent, tile) - 1);
      (last > 0 ? reached.max : reached.min) += last;
    }
    return sum.has_row && (reached.min < 0 || reached.max >= sum.extent);
  });
}

bool is_constant(const ContractionFacts& s, const Access& access) {
  return s.tensor(access.tensor).role == TensorRole::constant;
}

// Adds cache_read of each input that output axes index and whose tiles are boxes. `reads`: besides
// the tiles of the axes; `domain`: of the axes and the input's index sums.
void add_copies(const std::shared_ptr<const ContractionFacts>& s,
                const std::function<std::vector<ParameterId>(const Access&)>& reads,
                const std::function<ParameterList::Domain(const Access&)>& domain,
                const std::vector<std::string>& labels, ParameterList& list) {
  for (const Access& access : s->inputs()) {
    const ParameterId id(ParameterKind::cache_read, access.tensor);
    const std::vector<std::string> axes = own_axes(*s, access);
    if (axes.empty() || list.has(id) || !is_separable(*s, access)) continue;
    std::vector<ParameterId> all = tiles_of(axes);
    if (access.tensor == s->inputs()[0].tensor) all.push_back(padding_place(*s));
    for (const ParameterId& read : reads(access)) all.push_back(read);
    list.add(
            id, "where tiles of " + access.tensor + " are copied", all,
            [s, own = domain(access)](const Choices& c) {
              return is_pad_moved(*s, c) ? std::vector<int64_t>{kNowhere} : own(c);
            },
            labels)
        .off_percent = kOffPercent;
  }
}

}  // namespace

void add_copies_of_threads(const std::shared_ptr<const ContractionFacts>& s, ParameterList& list) {
  const auto reads = [&](const Access& access) {
    return is_constant(*s, access) ? std::vector<ParameterId>{{ParameterKind::unroll_part, s->pure},
                                                              {ParameterKind::inner_part, s->pure},
                                                              ParameterKind::reduction_outside}
                                   : std::vector<ParameterId>();
  };
  const auto domain = [&](const Access& access) {
    return [s, sums = sums_of(*s, access), axes = own_axes(*s, access),
            weights = is_constant(*s, access)](const Choices& c) {
      std::vector<int64_t> values = {kNowhere};
      const bool in_parts = chosen(c, ParameterKind::reduction_outside, 0) == 1;
      const int64_t reduced =
          in_parts ? unroll_part(c, s->pure) * inner_part(c, s->pure) : whole_reduction(*s);
      const auto fits = [&](bool cache_tiles) {
        return part_bytes(*s, c, sums, cache_tiles, reduced) <= kThreadBytes;
      };
      if ((in_parts || has_loop_around(*s, c, axes, true)) && fits(true))
        values.push_back(kInBlock);
      if (!weights && has_loop_around(*s, c, axes, false) && fits(false)) values.push_back(kInTile);
      return values;
    };
  };
  add_copies(s, reads, domain, {"none", "block", "tile"}, list);
}

namespace {

// The fill of a local tile is rounded up to whole vectors of all work-items of the group, and
// padded rows have a vector at least, or all channels of a round; rows of pixels, where vectors are
// along one, those of all its vectors in the group.
int64_t local_bytes(const ContractionFacts& s, const Choices& c, const Access& access,
                    const std::vector<IndexSum>& sums) {
  if (chosen(c, {ParameterKind::cache_read, access.tensor}, kNowhere) == kNowhere) return 0;
  const int64_t unroll = unroll_part(c, s.pure), block = unroll * inner_part(c, s.pure);
  const int64_t shared = block * chosen(c, {ParameterKind::reduction_items, s.pure});
  const int64_t part =
      round_up(s.axis(s.pure).extent, unroll) / chosen(c, {ParameterKind::reduction_parts, s.pure});
  const int64_t channels = std::min(shared, part);
  const int64_t bytes =
      part_bytes(s, c, sums, true, channels, is_unfolded(s, c)) + kVectorBytes * work_items(s, c);
  const int64_t pad = chosen(c, {ParameterKind::row_pad, access.tensor}, 0);
  const bool has_rows_of_pixels =
      access.tensor == s.inputs()[0].tensor && access_has(access, s.vector_axis);
  const int64_t row = has_rows_of_pixels
                          ? register_tile(c, s.vector_axis) * cache_tile(c, s.vector_axis)
                          : std::min(kVectorBytes / kElementBytes, channels);
  return bytes + ceil_quotient(bytes * pad, row);
}

int64_t rounds_of(const ContractionFacts& s, const Choices& c) {
  const int64_t unroll = unroll_part(c, s.pure), block = unroll * inner_part(c, s.pure);
  return round_up(s.axis(s.pure).extent, unroll) /
         (block * chosen(c, {ParameterKind::reduction_parts, s.pure}) *
          chosen(c, {ParameterKind::reduction_items, s.pure}));
}

}  // namespace

struct LocalCopies::Input {
  std::vector<IndexSum> sums;
  bool may_copy = false;
};

LocalCopies::LocalCopies(const ContractionFacts& facts) : facts_(&facts) {
  auto inputs = std::make_shared<std::vector<Input>>();
  for (const Access& access : facts.inputs()) {
    const bool may_copy =
        !facts.pure.empty() && !own_axes(facts, access).empty() && is_separable(facts, access);
    inputs->push_back({sums_of(facts, access), may_copy});
  }
  inputs_ = std::move(inputs);
}

int64_t LocalCopies::bytes(const Choices& choices) const {
  const int64_t copies = 1 + chosen(choices, ParameterKind::double_buffer, 0);
  int64_t bytes = bytes_of_group_sum(*facts_, choices);
  for (size_t k = 0; k < inputs_->size(); ++k)
    bytes += copies * local_bytes(*facts_, choices, facts_->inputs()[k], (*inputs_)[k].sums);
  return bytes;
}

bool LocalCopies::may_load_ahead(const Choices& choices, int64_t rounds) const {
  Choices single = choices;
  single.set(ParameterKind::double_buffer, 0);
  for (const Access& access : facts_->inputs())
    single.set({ParameterKind::row_pad, access.tensor}, 0);
  const int64_t tiles = bytes(single) - bytes_of_group_sum(*facts_, single);
  const bool fits_registers =
      tiles <= kElementBytes * kMostStagedElements * work_items(*facts_, choices);
  return tiles > 0 && rounds_of(*facts_, choices) > rounds && (rounds > 1 || fits_registers);
}

bool LocalCopies::may_copy(size_t input) const { return inputs_->at(input).may_copy; }

void add_copies_of_groups(const std::shared_ptr<const ContractionFacts>& s, const Target& target,
                          ParameterList& list) {
  if (s->pure.empty()) return;
  std::vector<ParameterId> reads = {{ParameterKind::unroll_part, s->pure},
                                    {ParameterKind::inner_part, s->pure},
                                    {ParameterKind::reduction_parts, s->pure},
                                    {ParameterKind::reduction_items, s->pure},
                                    padding_place(*s)};
  for (const ParameterId& tile : tiles_of(s->tiled)) reads.push_back(tile);
  for (const std::string& row : s->tiled)
    reads.push_back({ParameterKind::storage, s->inputs()[0].tensor, row});
  const LocalCopies copies(*s);
  const auto fits = [s, copies, limit = target.local_memory_bytes](const Choices& c) {
    return copies.bytes(c) <= limit;
  };
  // `values` use local memory, and are offered where that fits.
  const auto add = [&](const ParameterId& id, std::vector<int64_t> values,
                       const std::string& meaning, std::vector<std::string> labels, auto may) {
    const auto domain = [id, values, may, fits](const Choices& c) {
      std::vector<int64_t> offered = {0};
      for (const int64_t value : values) {
        Choices with = c;
        with.set(id, value);
        if (may(c, value) && fits(with)) offered.push_back(value);
      }
      return offered;
    };
    list.add(id, meaning, reads, domain, std::move(labels)).off_percent = kOffLocalPercent;
    reads.push_back(id);
  };
  for (size_t k = 0; k < s->inputs().size(); ++k) {
    const Access& access = s->inputs()[k];
    if (!copies.may_copy(k)) continue;
    const std::vector<std::string> axes = own_axes(*s, access);
    const ParameterId copied(ParameterKind::cache_read, access.tensor);
    add(copied, {kInTop}, "where tiles of " + access.tensor + " are copied",
        {"none", "block", "tile", "top"}, [s, axes](const Choices& c, int64_t) {
          const bool has_loop = has_loop_around(*s, c, axes, false) || has_top(*s, c);
          return has_loop && !is_pad_moved(*s, c) && !is_unfolded(*s, c);
        });
    if (k > 0) continue;
    add({ParameterKind::row_pad, access.tensor}, {kPadElements},
        "padding elements after each row of a copied tile of " + access.tensor, {},
        [copied](const Choices& c, int64_t) { return chosen(c, copied, kNowhere) != kNowhere; });
  }
  add(ParameterKind::double_buffer, rounds_ahead(target), kRoundsAheadMeaning, {},
      [copies](const Choices& c, int64_t rounds) { return copies.may_load_ahead(c, rounds); });
}

ParameterId padding_place(const ContractionFacts& s) {
  return {ParameterKind::pad_at, s.inputs()[0].tensor};
}

void add_padding_place(const std::shared_ptr<const ContractionFacts>& s, const Target& target,
                       ParameterList& list) {
  const Access& access = s->inputs()[0];
  const std::vector<std::string> axes = own_axes(*s, access);
  if (axes.empty() || is_constant(*s, access) || !is_separable(*s, access)) return;
  const auto domain = [s, sums = sums_of(*s, access), axes,
                       &rules = execution_rules(target)](const Choices& c) {
    std::vector<int64_t> values = {kNowhere};
    if (!is_padded(*s, c, sums)) return values;
    const auto may_be_inside = [&](bool cache_tiles) {
      return has_loop_around(*s, c, axes, cache_tiles) &&
             part_bytes(*s, c, sums, cache_tiles, whole_reduction(*s)) <= rules.padded_bytes;
    };
    if (rules.pads_in_block && may_be_inside(true)) values.push_back(kInBlock);
    if (may_be_inside(false)) values.push_back(kInTile);
    return values;
  };
  list.add(padding_place(*s), "where the padding pass of " + access.tensor + " runs",
           tiles_of(axes), domain, {"root", "block", "tile"})
      .off_percent = kOffPercent;
}

}  // namespace dovetail
