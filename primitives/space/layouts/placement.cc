// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/layouts/placement.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "primitives/divisors.h"
#include "primitives/layout/axis_primitives.h"

namespace dovetail {
namespace {

constexpr int kOffPercent = 90;                // share of samples
constexpr int64_t kMaxThreadBytes = 64 << 10;  // per CPU thread: the limit for attached stages
constexpr int64_t kMaxItemBytes = 4 << 10;     // per work-item
constexpr int64_t kLargestUnrolledPart = 16;   // reductions may be padded to multiples of it
constexpr int64_t kElementBytes = 4;           // f32, the largest type

// Tiled output axes that index a tensor.
std::vector<std::string> own_axes(const Structure& s, const Access& access) {
  std::vector<std::string> axes;
  for (const std::string& axis : s.tiled)
    if (access_has(access, axis)) axes.push_back(axis);
  return axes;
}

std::vector<ParameterId> tiles_of(const std::vector<std::string>& axes) {
  std::vector<ParameterId> tiles;
  for (const std::string& axis : axes) {
    tiles.emplace_back(ParameterKind::register_tile, axis);
    tiles.emplace_back(ParameterKind::cache_tile, axis);
  }
  return tiles;
}

bool is_pad_moved(const Structure& s, const Choices& c) {
  return chosen(c, padding_place(s), kNowhere) != kNowhere;
}

// Whether a loop outside the register tiles, or the cache tiles, runs over one of the axes.
bool has_loop_around(const Structure& s, const Choices& c, const std::vector<std::string>& axes,
                     bool cache_tiles) {
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

std::vector<IndexSum> sums_of(const Structure& s, const Access& access) {
  std::map<std::string, int64_t> single;
  for (const StructureAxis& a : s.axes)
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
bool is_separable(const Structure& s, const Access& access) {
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

// Upper bound of the bytes that a register tile, or a cache tile, reads of a tensor over `reduced`
// elements of the pure reduction.
int64_t part_bytes(const Structure& s, const Choices& c, const std::vector<IndexSum>& sums,
                   bool cache_tiles, int64_t reduced) {
  int64_t bytes = kElementBytes;
  for (const IndexSum& sum : sums) {
    Spans in_tile, in_cache_tile;
    int64_t windows = 1;  // register tiles; their windows overlap where they are stored apart
    for (const auto& [axis, _] : sum.steps) {
      const int64_t m = cache_tiles ? cache_tile(c, axis) : 1;
      in_tile[axis] = axis == s.pure ? reduced : register_tile(c, axis);
      in_cache_tile[axis] = in_tile[axis] * m;
      windows *= m;
    }
    bytes *= std::max(sum.width(in_cache_tile), windows * sum.width(in_tile));
    if (bytes > kMaxThreadBytes * 64) return bytes;  // enough to refuse, before it overflows
  }
  return bytes;
}

int64_t whole_reduction(const Structure& s) {
  return s.pure.empty() ? 1 : round_up(s.axis(s.pure).extent, kLargestUnrolledPart);
}

// Whether some window leaves the tensor, so that padded storage needs a copy.
bool is_padded(const Structure& s, const Choices& c, const std::vector<IndexSum>& sums) {
  return std::ranges::any_of(sums, [&](const IndexSum& sum) {
    Range reached = sum.rest;
    for (const auto& [axis, step] : sum.steps) {
      const int64_t tile = s.axis(axis).ends ? 1 : register_tile(c, axis);
      const int64_t last = step * (round_up(s.axis(axis).extent, tile) - 1);
      (last > 0 ? reached.max : reached.min) += last;
    }
    return sum.has_row && (reached.min < 0 || reached.max >= sum.extent);
  });
}

bool is_constant(const Structure& s, const Access& access) {
  return s.tensor(access.tensor).role == TensorRole::constant;
}

// CPU: offers block, and tile except for weights, which every tile would copy again.
void add_thread_staging(const std::shared_ptr<const Structure>& s, const Access& access,
                        ParameterList& list) {
  const std::vector<std::string> axes = own_axes(*s, access);
  const bool weights = is_constant(*s, access);
  std::vector<ParameterId> reads = tiles_of(axes);
  if (access.tensor == s->inputs()[0].tensor) reads.push_back(padding_place(*s));
  if (weights)
    reads.insert(reads.end(), {{ParameterKind::unroll_part, s->pure},
                               {ParameterKind::inner_part, s->pure},
                               ParameterKind::reduction_outside});
  const auto domain = [s, sums = sums_of(*s, access), axes, weights](const Choices& c) {
    std::vector<int64_t> values = {kNowhere};
    if (is_pad_moved(*s, c)) return values;
    const bool in_parts = chosen(c, ParameterKind::reduction_outside, 0) == 1;
    const int64_t reduced =
        in_parts ? unroll_part(c, s->pure) * inner_part(c, s->pure) : whole_reduction(*s);
    if ((in_parts || has_loop_around(*s, c, axes, true)) &&
        part_bytes(*s, c, sums, true, reduced) <= kMaxThreadBytes)
      values.push_back(kInBlock);
    if (!weights && has_loop_around(*s, c, axes, false) &&
        part_bytes(*s, c, sums, false, reduced) <= kMaxThreadBytes)
      values.push_back(kInTile);
    return values;
  };
  list.add({ParameterKind::cache_read, access.tensor},
           "where tiles of " + access.tensor + " are copied", reads, domain,
           {"none", "block", "tile"})
      .off_percent = kOffPercent;
}

// OpenCL: offers blocks of the reduction in local memory.
void add_group_staging(const std::shared_ptr<const Structure>& s, const Access& access,
                       int64_t local_bytes, ParameterList& list) {
  if (s->pure.empty()) return;
  const std::vector<std::string> axes = own_axes(*s, access);
  std::vector<ParameterId> reads = tiles_of(axes);
  reads.insert(reads.end(), {{ParameterKind::unroll_part, s->pure},
                             {ParameterKind::inner_part, s->pure},
                             ParameterKind::rfactor});
  if (access.tensor == s->inputs()[0].tensor) reads.push_back(padding_place(*s));
  const auto domain = [s, sums = sums_of(*s, access), limit = local_bytes / 2](const Choices& c) {
    std::vector<int64_t> values = {kNowhere};
    const int64_t block = unroll_part(c, s->pure) * inner_part(c, s->pure);
    const bool has_top = block < round_up(s->axis(s->pure).extent, unroll_part(c, s->pure));
    if (!has_top || chosen(c, ParameterKind::rfactor, 0) == 1 || is_pad_moved(*s, c)) return values;
    if (part_bytes(*s, c, sums, true, block) <= limit) values.push_back(kInTop);
    return values;
  };
  list.add({ParameterKind::cache_read, access.tensor},
           "where tiles of " + access.tensor + " are copied", reads, domain,
           {"none", "block", "tile", "top"})
      .off_percent = kOffPercent;
}

}  // namespace

ParameterId padding_place(const Structure& s) {
  return {ParameterKind::pad_at, s.inputs()[0].tensor};
}

void add_padding_place(const std::shared_ptr<const Structure>& s, const Target& target,
                       ParameterList& list) {
  const Access& access = s->inputs()[0];
  const std::vector<std::string> axes = own_axes(*s, access);
  if (s->stage.empty() || axes.empty() || is_constant(*s, access) || !is_separable(*s, access))
    return;
  const auto domain = [s, sums = sums_of(*s, access), axes,
                       cpu = runs_threads(target)](const Choices& c) {
    std::vector<int64_t> values = {kNowhere};
    if (!is_padded(*s, c, sums)) return values;
    const int64_t reduced = whole_reduction(*s), limit = cpu ? kMaxThreadBytes : kMaxItemBytes;
    if (cpu && has_loop_around(*s, c, axes, true) &&
        part_bytes(*s, c, sums, true, reduced) <= limit)
      values.push_back(kInBlock);
    if (has_loop_around(*s, c, axes, false) && part_bytes(*s, c, sums, false, reduced) <= limit)
      values.push_back(kInTile);
    return values;
  };
  list.add(padding_place(*s), "where the padding pass of " + access.tensor + " runs",
           tiles_of(axes), domain, {"root", "block", "tile"})
      .off_percent = kOffPercent;
}

void add_staging(const std::shared_ptr<const Structure>& s, const Target& target,
                 ParameterList& list) {
  if (s->stage.empty()) return;
  for (const Access& access : s->inputs()) {
    if (own_axes(*s, access).empty() || list.has({ParameterKind::cache_read, access.tensor}))
      continue;
    if (!is_separable(*s, access)) continue;
    if (runs_threads(target))
      add_thread_staging(s, access, list);
    else if (target.local_memory_bytes > 0)
      add_group_staging(s, access, target.local_memory_bytes, list);
  }
}

}  // namespace dovetail
