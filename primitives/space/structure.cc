// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/structure.h"

#include <algorithm>

#include "core/base/check.h"

namespace dovetail {
namespace {

bool access_has(const Access& access, const std::string& axis) {
  return std::any_of(access.indices.begin(), access.indices.end(),
                     [&](const IndexExpr& e) { return e.mentions(axis); });
}

// True when some index of some input adds an axis of the other side (output against reduction) to
// `axis`.
bool shares_index(const Computation& c, const Axis& axis) {
  for (const Access& access : c.inputs) {
    for (const IndexExpr& index : access.indices) {
      if (!index.mentions(axis.name)) continue;
      for (const Axis& other : c.axes) {
        if (other.reduction != axis.reduction && index.mentions(other.name)) return true;
      }
    }
  }
  return false;
}

StructureAxis classify(const Computation& c, const Axis& axis) {
  StructureAxis result{axis.name, axis.extent, AxisClass::row, false};
  const bool shares = shares_index(c, axis);
  if (axis.reduction) {
    result.kind = shares ? AxisClass::window : AxisClass::pure;
    return result;
  }
  result.sliding = shares;
  const bool everywhere = std::all_of(c.inputs.begin(), c.inputs.end(),
                                      [&](const Access& a) { return access_has(a, axis.name); });
  if (everywhere) {
    result.kind = AxisClass::shared;
  } else {
    result.kind = access_has(c.inputs[0], axis.name) ? AxisClass::row : AxisClass::column;
  }
  return result;
}

// Coefficient 1 wherever it occurs: neighbouring lanes are neighbours in every tensor that has the
// axis.
bool moves_by_one(const Computation& c, const std::string& axis) {
  for (const Access& access : c.inputs) {
    for (const IndexExpr& index : access.indices) {
      if (index.mentions(axis) && index.coefficient(axis) != 1) return false;
    }
  }
  return true;
}

int64_t next_power_of_two(int64_t n) {
  int64_t p = 1;
  while (p < n) p *= 2;
  return p;
}

// Axes that may be the vector axis, best first: columns and shared axes, those that fill a vector
// before those that do not; then rows; the innermost of equals.
std::vector<const StructureAxis*> vector_candidates(const Structure& s, const Target& target) {
  std::vector<const StructureAxis*> candidates;
  for (auto a = s.axes.rbegin(); a != s.axes.rend(); ++a) {
    const bool output = a->kind != AxisClass::pure && a->kind != AxisClass::window;
    if (output && a->extent > 1 && moves_by_one(s.computation, a->name)) candidates.push_back(&*a);
  }
  const auto rank = [&](const StructureAxis* a) {
    if (a->kind == AxisClass::row) return 2;
    return a->extent >= target.vector_lanes ? 0 : 1;
  };
  std::ranges::stable_sort(candidates, {}, rank);
  return candidates;
}

// The first candidate, unless it fills less than half a vector and another does better.
void choose_vector_axis(Structure& s, const Target& target,
                        const std::optional<std::string>& only) {
  const auto fills = [&](const StructureAxis& a) { return a.extent * 2 > target.vector_lanes; };
  std::vector<const StructureAxis*> candidates = vector_candidates(s, target);
  if (only) std::erase_if(candidates, [&](const StructureAxis* a) { return a->name != *only; });
  if (candidates.empty()) return;
  const auto best = std::find_if(candidates.begin(), candidates.end(),
                                 [&](const StructureAxis* a) { return fills(*a); });
  const StructureAxis& chosen = best == candidates.end() ? *candidates.front() : **best;
  s.vector_axis = chosen.name;
  s.lanes = std::min<int64_t>(target.vector_lanes, next_power_of_two(chosen.extent));
}

// Only one reduction is cut into unrolled, inner and outer parts: the longest. Other pure ones are
// looped over or written out like a window.
void keep_longest_pure(Structure& s) {
  StructureAxis* longest = nullptr;
  for (StructureAxis& a : s.axes) {
    if (a.kind != AxisClass::pure || a.extent == 1) continue;
    if (longest == nullptr || a.extent >= longest->extent) longest = &a;
  }
  if (longest == nullptr) return;
  for (StructureAxis& a : s.axes) {
    if (a.kind == AxisClass::pure && &a != longest) a.kind = AxisClass::window;
  }
  s.pure = longest->name;
}

}  // namespace

const StructureAxis& Structure::axis(const std::string& name) const {
  const auto it = std::find_if(axes.begin(), axes.end(),
                               [&](const StructureAxis& a) { return a.name == name; });
  CHECK(it != axes.end(), "no axis " + name);
  return *it;
}

bool Structure::is_output(const std::string& name) const {
  const AxisClass kind = axis(name).kind;
  return kind != AxisClass::pure && kind != AxisClass::window;
}

bool Structure::tiles_channels(const std::string& name) const {
  const AxisClass kind = axis(name).kind;
  return kind == AxisClass::column || (kind == AxisClass::shared && name == vector_axis);
}

Result<Structure> derive_structure(const Computation& computation, const Target& target,
                                   const std::optional<std::string>& vector_axis) {
  Structure s;
  s.computation = computation;
  for (const Axis& axis : computation.axes) s.axes.push_back(classify(computation, axis));
  choose_vector_axis(s, target, vector_axis);
  keep_longest_pure(s);
  for (const StructureAxis& a : s.axes) {
    const bool output = a.kind != AxisClass::pure && a.kind != AxisClass::window;
    if (a.extent == 1) continue;
    if (output) s.outer.push_back(a.name);
    if (output && a.kind != AxisClass::shared && a.name != s.vector_axis) s.tiled.push_back(a.name);
    if (a.kind == AxisClass::window) s.windows.push_back(a.name);
  }
  if (!s.vector_axis.empty()) s.tiled.push_back(s.vector_axis);
  s.max_accumulators = target.vector_registers >= 32 ? 28 : 12;
  return s;
}

Range index_range(const IndexExpr& index, const Structure& structure,
                  const std::map<std::string, int64_t>& padded_extents) {
  Ranges ranges;
  for (const StructureAxis& a : structure.axes) {
    const auto padded = padded_extents.find(a.name);
    ranges[a.name] = {0, (padded == padded_extents.end() ? a.extent : padded->second) - 1};
  }
  return range_of(index, ranges);
}

}  // namespace dovetail
