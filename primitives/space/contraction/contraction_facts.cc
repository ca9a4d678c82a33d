// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/contraction_facts.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/loop/loop_lookup.h"

namespace dovetail {
namespace {

// Output axis with coefficient 1 inside a `mod` of the condition; empty: none.
std::string divided_axis(const Bound& condition, const Computation& c) {
  for (const IndexTerm& term : condition.expr.terms()) {
    if (term.atom.kind != IndexAtom::Kind::mod) continue;
    for (const Axis& axis : c.axes)
      if (!axis.reduction && term.atom.inner->coefficient(axis.name) == 1) return axis.name;
  }
  return "";
}

void substitute_all(const IndexValues& values, const Ranges& ranges, Access& access) {
  access = substituted(std::move(access), values, ranges);
  std::erase_if(access.conditions, [](const Bound& bound) {
    return bound.expr.is_constant() && bound.expr.constant() >= bound.lower &&
           bound.expr.constant() < bound.upper;
  });
}

// Splits axes at the strides that divide their indices; see contraction_facts.h.
class PhaseCuts {
 public:
  explicit PhaseCuts(Computation c) : c_(std::move(c)), fixed_(fixed_digits(c_)) {
    for (const Access& access : element_reads(c_))
      for (const Bound& condition : access.conditions) cut(condition);
    for (const FixedDigit& low : fixed_) {
      const IndexExpr digit = substitute(low.digit, values_, ranges_);
      values_[low.axis] = IndexExpr::variable(low.axis) * low.step + digit;
      steps_[low.axis] = low.step;
    }
  }

  Computation computation() const {
    Computation result = c_;
    result.axes.clear();
    for (Axis axis : c_.axes) {
      const auto step = steps_.find(axis.name);
      if (step != steps_.end()) axis.extent = round_up(axis.extent, step->second) / step->second;
      result.axes.push_back(axis);
      if (step != steps_.end() && !axis.reduction)
        result.axes.push_back({phase_name(axis.name), step->second, false});
    }
    for (Access& access : result.reads) substitute_all(values_, ranges_, access);
    substitute_all(values_, ranges_, result.output);
    return result;
  }

  void mark(ContractionAxis& axis) const {
    const auto step = steps_.find(axis.name);
    if (step != steps_.end()) axis.phases = step->second;
    for (const auto& [name, _] : steps_) {
      if (phase_name(name) != axis.name) continue;
      axis.kind = AxisClass::phase;
      axis.sliding = false;
    }
    const auto low = std::ranges::find(fixed_, axis.name, &FixedDigit::axis);
    if (low == fixed_.end()) return;
    for (const std::string& name : low->digit.variables()) axis.phase_of = name;
  }

 private:
  void cut(const Bound& condition) {
    const std::string axis = divided_axis(condition, c_);
    if (axis.empty() || steps_.contains(axis)) return;
    const int64_t step = condition.expr.terms()[0].atom.divisor;
    steps_[axis] = step;
    ranges_[phase_name(axis)] = {0, step - 1};
    values_[axis] = IndexExpr::variable(axis) * step + IndexExpr::variable(phase_name(axis));
  }

  Computation c_;
  std::vector<FixedDigit> fixed_;
  IndexValues values_;
  Ranges ranges_;
  std::map<std::string, int64_t> steps_;
};

// Whether some index of some input adds `axis`, an output axis or a reduction, to an axis of the
// other kind.
bool shares_index(const Computation& c, const Axis& axis) {
  const auto adds_other = [&](const IndexExpr& index) {
    return index.mentions(axis.name) && std::ranges::any_of(c.axes, [&](const Axis& other) {
             return other.reduction != axis.reduction && index.mentions(other.name);
           });
  };
  return std::ranges::any_of(element_reads(c), [&](const Access& access) {
    return std::ranges::any_of(access.indices, adds_other);
  });
}

ContractionAxis classify(const Computation& c, const Axis& axis) {
  ContractionAxis result;
  result.name = axis.name;
  result.extent = axis.extent;
  const bool shares = shares_index(c, axis);
  if (axis.reduction) {
    result.kind = shares ? AxisClass::window : AxisClass::pure;
    return result;
  }
  result.sliding = shares;
  const bool everywhere = std::all_of(element_reads(c).begin(), element_reads(c).end(),
                                      [&](const Access& a) { return access_has(a, axis.name); });
  if (everywhere)
    result.kind = AxisClass::shared;
  else
    result.kind = access_has(element_reads(c)[0], axis.name) ? AxisClass::row : AxisClass::column;
  return result;
}

// Coefficient 1 wherever the axis occurs: adjacent lanes are adjacent in every tensor that has it.
bool moves_by_one(const Computation& c, const std::string& axis) {
  return std::ranges::all_of(element_reads(c), [&](const Access& access) {
    return std::ranges::all_of(access.indices, [&](const IndexExpr& index) {
      return !index.mentions(axis) || index.coefficient(axis) == 1;
    });
  });
}

int64_t next_power_of_two(int64_t n) {
  int64_t p = 1;
  while (p < n) p *= 2;
  return p;
}

// Axes that may be the vector axis, best first: columns and shared axes, those that fill a vector
// before those that do not; then rows; innermost first among equals.
std::vector<const ContractionAxis*> vector_candidates(const ContractionFacts& s,
                                                      const Target& target) {
  std::vector<const ContractionAxis*> candidates;
  for (auto a = s.axes.rbegin(); a != s.axes.rend(); ++a)
    if (s.is_output(a->name) && a->extent > 1 && moves_by_one(s.computation, a->name))
      candidates.push_back(&*a);
  const auto rank = [&](const ContractionAxis* a) {
    if (a->kind == AxisClass::row) return 2;
    return a->extent >= vector_lanes(target) ? 0 : 1;
  };
  std::ranges::stable_sort(candidates, {}, rank);
  return candidates;
}

// The first candidate that fills more than half a vector, else the first one.
void choose_vector_axis(ContractionFacts& s, const Target& target,
                        const std::optional<std::string>& only) {
  const auto fills = [&](const ContractionAxis& a) { return a.extent * 2 > vector_lanes(target); };
  std::vector<const ContractionAxis*> candidates = vector_candidates(s, target);
  // A fixed layout interleaves phases with lanes, so a phased axis is no candidate.
  const auto is_refused = [&](const ContractionAxis* a) {
    return a->name != *only || a->phases > 1;
  };
  if (only) std::erase_if(candidates, is_refused);
  if (candidates.empty()) return;
  const auto best = std::find_if(candidates.begin(), candidates.end(),
                                 [&](const ContractionAxis* a) { return fills(*a); });
  const ContractionAxis& chosen = best == candidates.end() ? *candidates.front() : **best;
  s.vector_axis = chosen.name;
  s.lanes = std::min<int64_t>(vector_lanes(target), next_power_of_two(chosen.extent));
}

// Only the longest pure reduction is split into unrolled, inner and outer parts. The others are
// looped over or unrolled like a window.
void keep_longest_pure(ContractionFacts& s) {
  ContractionAxis* longest = nullptr;
  for (ContractionAxis& a : s.axes) {
    if (a.kind != AxisClass::pure || a.extent == 1) continue;
    if (longest == nullptr || a.extent >= longest->extent) longest = &a;
  }
  if (longest == nullptr) return;
  for (ContractionAxis& a : s.axes)
    if (a.kind == AxisClass::pure && &a != longest) a.kind = AxisClass::window;
  s.pure = longest->name;
}

// Whether a window slides over the tensor: an index adds a reduction to an output axis.
bool is_slid_over(const Computation& c, const Access& access) {
  const auto moves = [&](const IndexExpr& index, bool reduction) {
    return std::ranges::any_of(c.axes, [&](const Axis& axis) {
      return axis.reduction == reduction && axis.extent > 1 && index.mentions(axis.name);
    });
  };
  return std::ranges::any_of(access.indices, [&](const IndexExpr& index) {
    return moves(index, true) && moves(index, false);
  });
}

// Moves weights to the second factor of a product: a user-written one may have them first, and they
// may be no constants.
void put_weights_last(Computation& c) {
  if (!is_product_sum(c) || element_reads(c).size() != 2) return;
  const auto rank = [&](const Access& access) {
    const bool constant = tensor_named(c, access.tensor).role == TensorRole::constant;
    return (is_slid_over(c, access) ? 0 : 2) + (constant ? 1 : 0);
  };
  if (rank(c.reads[0]) > rank(c.reads[1])) std::swap(c.reads[0], c.reads[1]);
}

}  // namespace

std::string phase_name(const std::string& axis) { return axis + ".1"; }

const ContractionAxis& ContractionFacts::axis(const std::string& name) const {
  const auto it = std::find_if(axes.begin(), axes.end(),
                               [&](const ContractionAxis& a) { return a.name == name; });
  CHECK(it != axes.end(), "no axis " + name);
  return *it;
}

bool ContractionFacts::is_output(const std::string& name) const {
  const AxisClass kind = axis(name).kind;
  return kind == AxisClass::row || kind == AxisClass::column || kind == AxisClass::shared;
}

bool ContractionFacts::tiles_channels(const std::string& name) const {
  const AxisClass kind = axis(name).kind;
  return kind == AxisClass::column || (kind == AxisClass::shared && name == vector_axis);
}

Result<ContractionFacts> derive_facts(const Computation& computation, const Target& target,
                                      const std::optional<std::string>& vector_axis) {
  ContractionFacts s;
  const PhaseCuts cuts(computation);
  s.computation = cuts.computation();
  put_weights_last(s.computation);
  for (const Axis& axis : s.computation.axes) {
    s.axes.push_back(classify(s.computation, axis));
    cuts.mark(s.axes.back());
  }
  choose_vector_axis(s, target, vector_axis);
  s.strided_vectors = runs_work_groups(target);
  keep_longest_pure(s);
  for (const ContractionAxis& a : s.axes) {
    const bool output = s.is_output(a.name);
    if (output && a.phases > 1) s.phased.push_back(a.name);
    if (a.extent == 1) continue;
    if (output) s.outer.push_back(a.name);
    if (output && a.kind != AxisClass::shared && a.name != s.vector_axis) s.tiled.push_back(a.name);
    if (a.kind == AxisClass::window) s.windows.push_back(a.name);
  }
  if (!s.vector_axis.empty()) s.tiled.push_back(s.vector_axis);
  return s;
}

ContractionFacts with_tails(ContractionFacts facts, const std::vector<std::string>& axes,
                            AxisTail tail) {
  for (ContractionAxis& axis : facts.axes)
    if (std::ranges::count(axes, axis.name) > 0) axis.tail = tail;
  return facts;
}

ContractionFacts in_part(ContractionFacts facts, const std::map<std::string, int64_t>& extents) {
  for (ContractionAxis& axis : facts.axes)
    if (const auto part = extents.find(axis.name); part != extents.end())
      axis.extent = part->second;
  return facts;
}

std::vector<int64_t> tile_cuts(const ContractionFacts& facts, const std::string& axis, int64_t tile,
                               int64_t cache) {
  return {facts.is_strided(axis) ? facts.lanes * cache : tile, tile * cache};
}

Range index_range(const IndexExpr& index, const ContractionFacts& facts,
                  const std::map<std::string, int64_t>& padded_extents) {
  Ranges ranges;
  for (const ContractionAxis& a : facts.axes) {
    const auto padded = padded_extents.find(a.name);
    ranges[a.name] = {0, (padded == padded_extents.end() ? a.extent : padded->second) - 1};
  }
  return range_of(index, ranges);
}

bool access_has(const Access& access, const std::string& axis) {
  return std::ranges::any_of(access.indices,
                             [&](const IndexExpr& index) { return index.mentions(axis); });
}

std::vector<std::string> row_axes(const ContractionFacts& s) {
  std::vector<std::string> rows;
  for (const std::string& axis : s.outer)
    if (s.axis(axis).kind == AxisClass::row && axis != s.vector_axis) rows.push_back(axis);
  return rows;
}

bool can_hold_sums(const Computation& c) {
  return tensor_named(c, c.output.tensor).type == ElementType::f32;
}

double terms_of(const ContractionFacts& s) {
  double terms = 1;
  for (const ContractionAxis& axis : s.axes)
    if (!s.is_output(axis.name)) terms *= static_cast<double>(axis.extent);
  return terms;
}

int64_t bytes_of(const ContractionFacts& s, const std::string& tensor) {
  return tensor_bytes(s.tensor(tensor));
}

int64_t element_bytes(const ContractionFacts& s, size_t input) {
  const std::string& tensor =
      input < s.inputs().size() ? s.inputs()[input].tensor : s.computation.output.tensor;
  return dovetail::bytes_of(find_table(s.computation, tensor) != nullptr ? ElementType::f32
                                                                         : s.tensor(tensor).type);
}

int64_t operand_bytes(const ContractionFacts& s) {
  int64_t bytes = bytes_of(s, s.output());
  for (const Access& access : s.inputs()) bytes += bytes_of(s, access.tensor);
  return bytes;
}

}  // namespace dovetail
