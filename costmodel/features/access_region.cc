// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/access_region.h"

#include <algorithm>

namespace dovetail {
namespace {

constexpr int kNoLoop = -1;

int loop_named(std::string_view variable, std::span<const OpenLoop> open) {
  for (size_t i = open.size(); i-- > 0;)
    if (open[i].variable == variable) return open[i].loop;
  return kNoLoop;
}

auto term_of(auto& axis, int loop) {
  return std::ranges::find(axis.terms, loop, &std::pair<int, double>::first);
}

void add_term(RegionAxis& axis, int loop, double coefficient) {
  if (loop == kNoLoop || coefficient == 0) return;
  const auto known = term_of(axis, loop);
  if (known == axis.terms.end())
    axis.terms.emplace_back(loop, coefficient);
  else
    known->second += coefficient;
}

void add_expression(RegionAxis& axis, const IndexExpr& e, double factor,
                    std::span<const OpenLoop> open) {
  axis.low += factor * static_cast<double>(e.constant());
  for (const IndexTerm& term : e.terms()) {
    const double coefficient = factor * static_cast<double>(term.coefficient);
    switch (term.atom.kind) {
      case IndexAtom::Kind::variable:
        add_term(axis, loop_named(term.atom.variable, open), coefficient);
        break;
      case IndexAtom::Kind::div:
        add_expression(axis, *term.atom.inner, coefficient / static_cast<double>(term.atom.divisor),
                       open);
        break;
      case IndexAtom::Kind::mod: add_expression(axis, *term.atom.inner, coefficient, open); break;
    }
  }
}

double span_of(const RegionAxis& axis) {
  return std::clamp(axis.high - axis.low + 1, 1.0, std::max(axis.extent, 1.0));
}

double values_of(const RegionAxis& axis) { return std::min(span_of(axis), axis.count); }

}  // namespace

AccessRegion region_of(std::span<const IndexExpr> indices, std::span<const int64_t> extents,
                       std::span<const OpenLoop> open) {
  AccessRegion region;
  region.axes.resize(indices.size());
  for (size_t i = 0; i < indices.size(); ++i) {
    RegionAxis& axis = region.axes[i];
    axis.extent = i < extents.size() ? static_cast<double>(extents[i]) : 1;
    add_expression(axis, indices[i], 1, open);
    axis.high = axis.low;
  }
  return region;
}

void close_loop(AccessRegion& region, int loop, double iterations) {
  bool moves = false;
  for (RegionAxis& axis : region.axes) {
    const auto term = term_of(axis, loop);
    if (term == axis.terms.end()) continue;
    const double reach = term->second * (iterations - 1);
    (reach < 0 ? axis.low : axis.high) += reach;
    axis.count *= iterations;
    axis.terms.erase(term);
    moves = true;
  }
  if (moves) region.count *= iterations;
}

bool join(AccessRegion& into, const AccessRegion& other) {
  if (into.storage != other.storage || into.axes.size() != other.axes.size()) return false;
  for (size_t i = 0; i < into.axes.size(); ++i)
    if (into.axes[i].terms != other.axes[i].terms) return false;
  bool same = true;
  for (size_t i = 0; i < into.axes.size(); ++i) {
    RegionAxis& axis = into.axes[i];
    const RegionAxis& more = other.axes[i];
    const bool covers = axis.low <= more.low && more.high <= axis.high;
    same = same && covers;
    axis.count = covers ? std::max(axis.count, more.count) : axis.count + more.count;
    axis.low = std::min(axis.low, more.low);
    axis.high = std::max(axis.high, more.high);
  }
  into.count = same ? std::max(into.count, other.count) : into.count + other.count;
  return true;
}

double distinct_elements(const AccessRegion& region) {
  double elements = 1;
  for (const RegionAxis& axis : region.axes) elements *= values_of(axis);
  return std::min(elements, region.count);
}

double line_bytes(const AccessRegion& region) {
  const double elements = distinct_elements(region);
  double run = 1;  // contiguous elements
  for (size_t i = region.axes.size(); i-- > 0;) {
    const RegionAxis& axis = region.axes[i];
    if (values_of(axis) < span_of(axis)) break;
    run *= span_of(axis);
    if (span_of(axis) < axis.extent) break;
  }
  run = std::min(run, elements);
  const double run_bytes = run * region.element_bytes;
  return elements / run * std::max(run_bytes, kCacheLineBytes);
}

double storage_stride(const AccessRegion& region, int loop) {
  double stride = 0, below = 1;
  for (size_t i = region.axes.size(); i-- > 0;) {
    const RegionAxis& axis = region.axes[i];
    const auto term = term_of(axis, loop);
    if (term != axis.terms.end()) stride += term->second * below;
    below *= axis.extent;
  }
  return stride;
}

}  // namespace dovetail
