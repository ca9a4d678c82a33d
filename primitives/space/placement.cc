// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/placement.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "primitives/divisors.h"

namespace dovetail {
namespace {

constexpr int kOffPercent = 90;                // of samples
constexpr int64_t kMaxThreadBytes = 64 << 10;  // on a CPU; what attached stages may have at most
constexpr int64_t kMaxItemBytes = 4 << 10;     // a work-item's own
constexpr int64_t kLargestUnrolledPart = 16;   // of the reduction: what U.i may round it up to
constexpr int64_t kElementBytes = 4;           // or less

bool is_cpu(const Target& target) { return target.name.kind == TargetKind::cpu; }

// Tiled output axes over which a tensor is read.
std::vector<std::string> own_axes(const Structure& s, const Access& access) {
  std::vector<std::string> axes;
  for (const std::string& axis : s.tiled) {
    if (access_has(access, axis)) axes.push_back(axis);
  }
  return axes;
}

std::vector<std::string> tiles_of(const std::vector<std::string>& axes) {
  std::vector<std::string> names;
  for (const std::string& axis : axes) {
    names.push_back("R." + axis);
    names.push_back("M." + axis);
  }
  return names;
}

// A loop outside register tiles, or outside cache tiles, runs over one of the axes.
bool has_loop_around(const Structure& s, const Choices& c, const std::vector<std::string>& axes,
                     bool cache_tiles) {
  return std::ranges::any_of(axes, [&](const std::string& axis) {
    const int64_t r = chosen(c, "R." + axis), m = cache_tiles ? chosen(c, "M." + axis) : 1;
    return round_up(s.axis(axis).extent, r) > r * m;
  });
}

// An index of an access as a sum: what output axes and the pure reduction add to it, and the rest
// (windows, phases) as a range.
struct IndexSum {
  std::vector<std::pair<std::string, int64_t>> steps;  // of axes
  Range rest;
  int64_t extent = 1;  // stored of the dimension
  bool has_row = false;

  int64_t width(const std::map<std::string, int64_t, std::less<>>& spans) const {
    int64_t result = rest.max - rest.min + 1;
    for (const auto& [axis, step] : steps) result += std::abs(step) * (spans.at(axis) - 1);
    return result;
  }
};

std::vector<IndexSum> sums_of(const Structure& s, const Access& access) {
  std::map<std::string, int64_t> single;
  for (const StructureAxis& a : s.axes) {
    if (s.is_output(a.name) || a.name == s.pure) single[a.name] = 1;
  }
  const Tensor& tensor = tensor_named(s.computation, access.tensor);
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

// Every part of such an access is a box: no division mixes a loop with another.
bool is_separable(const Access& access) {
  return std::ranges::all_of(access.indices, [](const IndexExpr& index) {
    return std::ranges::all_of(index.terms(), [](const IndexTerm& term) {
      return IndexExpr::of({term}, 0).variables().size() <= 1;
    });
  });
}

using Spans = std::map<std::string, int64_t, std::less<>>;

// Bound of what is read of a tensor while register tiles, or cache tiles, run over `reduced`
// elements of the pure reduction.
int64_t part_bytes(const Structure& s, const Choices& c, const std::vector<IndexSum>& sums,
                   bool cache_tiles, int64_t reduced) {
  int64_t bytes = kElementBytes;
  for (const IndexSum& sum : sums) {
    Spans in_tile, in_cache_tile;
    int64_t windows = 1;  // of tiles that are stored apart overlap
    for (const auto& [axis, _] : sum.steps) {
      const int64_t m = cache_tiles ? chosen(c, "M." + axis) : 1;
      in_tile[axis] = axis == s.pure ? reduced : chosen(c, "R." + axis);
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

// Some window leaves the tensor, so that storing it padded makes a copy.
bool is_padded(const Structure& s, const Choices& c, const std::vector<IndexSum>& sums) {
  return std::ranges::any_of(sums, [&](const IndexSum& sum) {
    Range reached = sum.rest;
    for (const auto& [axis, step] : sum.steps) {
      const int64_t last = step * (round_up(s.axis(axis).extent, chosen(c, "R." + axis)) - 1);
      (last > 0 ? reached.max : reached.min) += last;
    }
    return sum.has_row && (reached.min < 0 || reached.max >= sum.extent);
  });
}

bool is_constant(const Structure& s, const Access& access) {
  return tensor_named(s.computation, access.tensor).role == TensorRole::constant;
}

// On a CPU: block, and tile unless the tensor is the weights, which every tile would copy again.
void add_thread_staging(const std::shared_ptr<const Structure>& s, const Access& access,
                        ParameterList& list) {
  const std::vector<std::string> axes = own_axes(*s, access);
  const std::string place = padding_place_name(*s), u = "U." + s->pure, k = "K." + s->pure;
  const bool weights = is_constant(*s, access);
  std::vector<std::string> reads = tiles_of(axes);
  if (access.tensor == element_reads(s->computation)[0].tensor) reads.push_back(place);
  if (weights) reads.insert(reads.end(), {u, k, "kout"});
  const auto domain = [s, sums = sums_of(*s, access), axes, place, u, k,
                       weights](const Choices& c) {
    std::vector<int64_t> values = {kNowhere};
    if (chosen(c, place, kNowhere) != kNowhere) return values;
    const bool in_parts = chosen(c, "kout", 0) == 1;
    const int64_t reduced = in_parts ? chosen(c, u) * chosen(c, k) : whole_reduction(*s);
    if ((in_parts || has_loop_around(*s, c, axes, true)) &&
        part_bytes(*s, c, sums, true, reduced) <= kMaxThreadBytes)
      values.push_back(kInBlock);
    if (!weights && has_loop_around(*s, c, axes, false) &&
        part_bytes(*s, c, sums, false, reduced) <= kMaxThreadBytes)
      values.push_back(kInTile);
    return values;
  };
  list.add("stage." + access.tensor, "where tiles of " + access.tensor + " are copied", reads,
           domain, {"none", "block", "tile"})
      .off_percent = kOffPercent;
}

// On a device: blocks of the reduction, in local memory.
void add_group_staging(const std::shared_ptr<const Structure>& s, const Access& access,
                       int64_t local_bytes, ParameterList& list) {
  if (s->pure.empty()) return;
  const std::string place = padding_place_name(*s), u = "U." + s->pure, k = "K." + s->pure;
  std::vector<std::string> reads = tiles_of(own_axes(*s, access));
  reads.insert(reads.end(), {u, k, "rfactor"});
  if (access.tensor == element_reads(s->computation)[0].tensor) reads.push_back(place);
  const auto domain = [s, sums = sums_of(*s, access), place, u, k,
                       limit = local_bytes / 2](const Choices& c) {
    std::vector<int64_t> values = {kNowhere};
    const int64_t block = chosen(c, u) * chosen(c, k);
    const bool has_top = block < round_up(s->axis(s->pure).extent, chosen(c, u));
    if (!has_top || chosen(c, "rfactor", 0) == 1 || chosen(c, place, kNowhere) != kNowhere)
      return values;
    if (part_bytes(*s, c, sums, true, block) <= limit) values.push_back(kInTop);
    return values;
  };
  list.add("stage." + access.tensor, "where tiles of " + access.tensor + " are copied", reads,
           domain, {"none", "block", "tile", "top"})
      .off_percent = kOffPercent;
}

}  // namespace

std::string padding_place_name(const Structure& s) {
  return "at." + element_reads(s.computation)[0].tensor + ".pad";
}

void add_padding_place(const std::shared_ptr<const Structure>& s, const Target& target,
                       ParameterList& list) {
  const Access& access = element_reads(s->computation)[0];
  const std::vector<std::string> axes = own_axes(*s, access);
  if (s->stage.empty() || axes.empty() || is_constant(*s, access) || !is_separable(access)) return;
  const auto domain = [s, sums = sums_of(*s, access), axes,
                       cpu = is_cpu(target)](const Choices& c) {
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
  list.add(padding_place_name(*s), "where the padding pass of " + access.tensor + " runs",
           tiles_of(axes), domain, {"root", "block", "tile"})
      .off_percent = kOffPercent;
}

void add_staging(const std::shared_ptr<const Structure>& s, const Target& target,
                 ParameterList& list) {
  if (s->stage.empty()) return;
  for (const Access& access : element_reads(s->computation)) {
    if (own_axes(*s, access).empty() || list.has("stage." + access.tensor)) continue;
    if (!is_separable(access)) continue;
    if (is_cpu(target)) {
      add_thread_staging(s, access, list);
    } else if (target.local_memory_bytes > 0) {
      add_group_staging(s, access, target.local_memory_bytes, list);
    }
  }
}

}  // namespace dovetail
