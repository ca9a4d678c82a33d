// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/alternatives/pairs_space.h"

#include <algorithm>
#include <cmath>

#include "primitives/algorithm/pairs.h"
#include "primitives/divisors.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/merged_dims.h"

namespace dovetail {
namespace {

// Removes values from a parameter's domain, unless nothing would remain.
void leave_out(const std::vector<int64_t>& unwanted, Parameter& parameter) {
  parameter.domain = [own = parameter.domain, unwanted](const Point& earlier) {
    const std::vector<int64_t> all = own(earlier);
    std::vector<int64_t> values;
    std::ranges::copy_if(all, std::back_inserter(values),
                         [&](int64_t value) { return std::ranges::count(unwanted, value) == 0; });
    return values.empty() ? all : values;
  };
}

// At most 32: sums of small integers stay exact up to 10,000 terms (measure/reference/operands.h).
int64_t scale_of(const Structure& direct) {
  constexpr double kMost = 32;
  const double nearest = std::exp2(std::round(std::log2(terms_of(direct) / 2) / 2));
  return static_cast<int64_t>(std::clamp(nearest, 1.0, kMost));
}

// The row axis along which windows are adjacent in the planes of X, or two elements apart. Vectors
// over groups of channels would find the sums of a group far apart.
std::optional<WindowsInVectors> neighbouring_windows(const Structure& s) {
  constexpr int64_t kLeast = 4, kFarthest = 2;
  if (s.windows.empty() || s.vector_axis.empty() || s.axis(s.vector_axis).kind != AxisClass::column)
    return std::nullopt;
  const Access& input = s.inputs()[0];
  const IndexExpr& index = input.indices.back();
  for (const std::string& axis : row_axes(s)) {
    const int64_t step = index.is_affine() ? index.coefficient(axis) : 0;
    const int64_t lanes = largest_divisor(s.axis(axis).extent, s.lanes);
    if (step >= 1 && step <= kFarthest && lanes >= kLeast) return WindowsInVectors{axis, lanes};
  }
  return std::nullopt;
}

algorithm::Pairs groups_of(const Structure& direct, const Target& target) {
  if (direct.pure.empty()) return {.of = 4};
  const int64_t extent = direct.axis(direct.pure).extent;
  const bool spreads = spreads_while_loading(target);
  for (const int64_t of : spreads ? std::vector<int64_t>{3, 4} : std::vector<int64_t>{4})
    for (const int64_t signs : {2, 1})
      for (int64_t lanes = target.vector_lanes; lanes >= 4; lanes /= 2)
        if (extent % (of * lanes * signs) == 0) return {.of = of, .apart = lanes, .signs = signs};
  if (extent == 3 && neighbouring_windows(direct)) return {.of = 3};
  return {.of = 4, .signs = extent % 8 == 0 ? 2 : 1};
}

}  // namespace

algorithm::Pairs pairs_of(const Structure& direct, const Target& target) {
  algorithm::Pairs pairs = groups_of(direct, target);
  pairs.scale = scale_of(direct);
  return pairs;
}

std::optional<WindowsInVectors> windows_in_vectors(const Structure& s) {
  const bool is_one_group = !s.pure.empty() && s.axis(s.pure).extent == group_of(*s.pairs);
  if (s.pairs->apart > 1 || !is_one_group) return std::nullopt;
  return neighbouring_windows(s);
}

bool pays_in_pairs(const Structure& s) {
  constexpr int64_t kColumns = 32, kRows = 4, kTerms = 24, kTermsOfPlanes = 64;
  if (s.vector_axis.empty() || s.axis(s.vector_axis).kind != AxisClass::column) return false;
  int64_t rows = 1;
  for (const std::string& axis : row_axes(s)) rows *= s.axis(axis).extent;
  if (s.axis(s.vector_axis).extent < kColumns || rows < kRows) return false;
  return windows_in_vectors(s) ? terms_of(s) >= kTermsOfPlanes : s.axis(s.pure).extent >= kTerms;
}

void keep_groups(const Structure& s, std::vector<Parameter>& parameters) {
  const int64_t apart = s.pairs->apart, group = group_of(*s.pairs),
                extent = s.pure.empty() ? 1 : s.axis(s.pure).extent;
  const bool in_planes = windows_in_vectors(s).has_value();
  const std::string& input = s.inputs()[0].tensor;
  for (Parameter& parameter : parameters) {
    if (parameter.kind == ParameterKind::store_at) leave_out({1}, parameter);
    if (parameter.kind == ParameterKind::cache_read || id_of(parameter) == padding_place(s))
      parameter.domain = [](const Point&) { return std::vector<int64_t>{kNowhere}; };
    if (parameter.kind == ParameterKind::storage) leave_out({kUnfoldTile, kUnfoldCache}, parameter);
    if (in_planes && parameter.tensor == input) {
      if (parameter.kind == ParameterKind::storage) leave_out({kGuard}, parameter);
      if (parameter.kind == ParameterKind::channel_tiles) leave_out({1}, parameter);
    }
    if (parameter.axis != s.pure) continue;
    if (parameter.kind == ParameterKind::layout_block)
      parameter.domain = [](const Point&) { return std::vector<int64_t>{1}; };
    if (parameter.kind != ParameterKind::layout_tile) continue;
    parameter.domain = [own = parameter.domain, apart, group, extent](const Point& earlier) {
      std::vector<int64_t> values = own(earlier);
      std::erase_if(values, [&](int64_t tile) {
        return tile != 0 && tile != extent && (tile % apart != 0 || group % tile != 0);
      });
      return values;
    };
    if (parameter.tensor == input) leave_out({in_planes ? extent : 0}, parameter);
  }
}

namespace {

std::vector<LoopPrimitive> loops_over_windows(const Structure& s, const std::string& sums,
                                              const WindowsInVectors& windows) {
  std::vector<LoopPrimitive> list;
  std::string outer, lanes = windows.axis;
  if (windows.lanes < s.axis(windows.axis).extent) {
    list.emplace_back(loop::Split{windows.axis, windows.lanes});
    outer = windows.axis + ".0";
    lanes = windows.axis + ".1";
  }
  loop::Reorder order;
  if (!outer.empty()) order.loops.push_back(outer);
  order.loops.insert(order.loops.end(), s.windows.begin(), s.windows.end());
  order.loops.push_back(lanes);
  list.emplace_back(std::move(order));
  list.emplace_back(loop::Vectorize{lanes});
  if (!outer.empty()) list.emplace_back(loop::CacheWrite{sums, outer});
  return list;
}

}  // namespace

StageLoops loops_of_sums(const Structure& s, const Choices& choices) {
  const Access& input = s.inputs()[0];
  StageLoops loops{sums_of_pairs(input.tensor), {}};
  std::vector<std::string> rows;
  for (const Axis& axis : s.computation.axes)
    if (!axis.reduction && axis.extent > 1 && access_has(input, axis.name))
      rows.push_back(axis.name);
  take_apart(s.merged, rows);
  if (const auto windows = windows_in_vectors(s)) {
    loops.primitives = loops_over_windows(s, loops.stage, *windows);
    if (!s.serial && rows.front() != windows->axis)
      loops.primitives.push_back(loop::Parallel{rows.front()});
    return loops;
  }
  if (s.pairs->apart == 1 || rows.empty() || layout_tile(choices, input.tensor, s.pure) == 0)
    return loops;
  loops.primitives = {loop::Vectorize{pair_lanes(s.pure)},
                      loop::CacheWrite{loops.stage, rows.back()}};
  if (!s.serial) loops.primitives.push_back(loop::Parallel{rows.front()});
  return loops;
}

}  // namespace dovetail
