// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/access.h"

#include <algorithm>
#include <set>

#include "core/base/fail.h"
#include "core/ir/index/bounded_range.h"
#include "core/ir/index/range_arithmetic.h"
#include "core/ir/value/ndarray.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

// Whether a div or mod shows that a split of the layout is no split of the loops. Legal are those
// of a whole loop, which a fuse leaves, those that the `logical` index already has, by a phase of a
// transposed convolution, and those of taps alone beside pixels, which choose a phase of a strided
// one: X[w.1:2, w.0:28] at 2*w + kw - 1 is X[(kw - 1) mod 2, w + (kw - 1) div 2].
bool breaks_chain(const IndexExpr& e, const IndexExpr& logical, const Stage& stage) {
  const auto reduces = [](const std::vector<StageLoop>& loops, const std::string& variable) {
    const auto found = std::ranges::find(loops, variable, &StageLoop::name);
    return found != loops.end() && found->reduction;
  };
  const auto is_tap = [&](const std::string& variable) {  // a copy has its reader's around it
    return reduces(stage.loops, variable) ||
           (stage.attachment && reduces(stage.attachment->around, variable));
  };
  const bool has_pixels = !std::ranges::all_of(logical.variables(), is_tap);
  return std::ranges::any_of(e.terms(), [&](const IndexTerm& term) {
    if (!term.atom.inner) return false;
    const IndexExpr& inner = *term.atom.inner;
    const bool lone =
        inner.constant() == 0 && inner.terms().size() == 1 && inner.terms()[0].coefficient == 1;
    if (lone && !breaks_chain(inner, logical, stage)) return false;
    if (has_pixels && std::ranges::all_of(inner.variables(), is_tap)) return false;
    return std::ranges::none_of(logical.terms(),
                                [&](const IndexTerm& own) { return own.atom == term.atom; });
  });
}

struct Dimension {
  std::string tensor;
  std::string name;
  const Stage& stage;
  const Ranges& ranges;
  const IndexExpr& logical;
};

Unexpected broken_chain(const Dimension& dim, const IndexExpr& rest, int64_t step) {
  return refuse("layout " + dim.tensor,
                "the cut at {} of axis {} is no cut of the loops ({} = {}); use a multiple or a "
                "divisor of theirs",
                step, dim.name, dim.name, print(rest));
}

bool moves_with_reduction(const IndexAtom& atom, const Stage& stage) {
  const IndexExpr e = IndexExpr::of({IndexTerm{1, atom}}, 0);
  return std::any_of(stage.loops.begin(), stage.loops.end(), [&](const StageLoop& loop) {
    return loop.reduction && e.mentions(loop.name);
  });
}

struct TileIndex {
  IndexExpr index, inside;
  Range tiles, reached;
};

// Terms that are multiples of the step and move with the output, except `held`, index the tile.
TileIndex tile_index(const Dimension& dim, const IndexExpr& rest, int64_t step, int64_t last_inside,
                     const IndexAtom* held) {
  std::vector<IndexTerm> outer, inner;
  for (const IndexTerm& term : rest.terms()) {
    const bool own = term.coefficient % step == 0 && &term.atom != held &&
                     !moves_with_reduction(term.atom, dim.stage);
    (own ? outer : inner).push_back({own ? term.coefficient / step : term.coefficient, term.atom});
  }
  TileIndex result;
  result.inside = IndexExpr::of(std::move(inner), rest.constant());
  const Range r = range_of(result.inside, dim.ranges);
  const int64_t shift = floor_quotient(r.min, step);
  const bool fits_unshifted = r.min >= 0 && r.max <= last_inside;
  const int64_t moved = fits_unshifted ? 0 : shift;
  result.inside = result.inside - IndexExpr(moved * step);
  result.index = IndexExpr::of(std::move(outer), moved);
  result.reached = range_of(result.inside, dim.ranges);
  result.tiles = range_of(result.index, dim.ranges);
  return result;
}

// The tile, indexed by the output's own loops, and the rest inside the tile. A phase may be a
// multiple of the step, too: if the tile then leaves the storage, the phase stays inside.
Result<std::pair<IndexExpr, IndexExpr>> take_tile(const Dimension& dim, const IndexExpr& rest,
                                                  const Digit& tile, int64_t last_inside) {
  const auto fits = [&](const TileIndex& found) {
    return found.reached.min >= 0 && found.reached.max <= last_inside && found.tiles.min >= 0 &&
           found.tiles.max < tile.extent;
  };
  const TileIndex whole = tile_index(dim, rest, tile.step, last_inside, nullptr);
  if (fits(whole)) return std::pair(whole.index, whole.inside);
  for (const IndexTerm& term : rest.terms()) {
    const TileIndex found = tile_index(dim, rest, tile.step, last_inside, &term.atom);
    if (fits(found)) return std::pair(found.index, found.inside);
  }
  return refuse("layout " + dim.tensor,
                "unfold of axis {}: a window reaches elements {} to {} of tiles {} to {}, stored "
                "are 0 to {} of 0 to {}; size and stride must follow a cut of the output",
                dim.name, whole.reached.min, whole.reached.max, whole.tiles.min, whole.tiles.max,
                last_inside, tile.extent - 1);
}

// Index of each digit of one dimension; `rest` is the logical index minus the offset.
Result<std::vector<IndexExpr>> digit_indices(const Dimension& dim, IndexExpr rest,
                                             const std::vector<DigitPlace>& places) {
  std::vector<IndexExpr> result;
  for (size_t k = 0; k < places.size(); ++k) {
    const Digit& digit = places[k].digit;
    if (digit.extent == 1) {
      result.emplace_back(0);
      continue;
    }
    int64_t last_inside = 0;  // largest value that the finer digits express
    for (size_t f = k + 1; f < places.size(); ++f)
      last_inside += places[f].digit.step * (places[f].digit.extent - 1);
    if (last_inside >= digit.step) {
      auto [tile, inside] = TRY(take_tile(dim, rest, digit, last_inside));
      result.push_back(std::move(tile));
      rest = std::move(inside);
      continue;
    }
    const IndexExpr below = floor_mod(rest, digit.step, dim.ranges);
    IndexExpr index = floor_div(rest, digit.step, dim.ranges);
    if (breaks_chain(index, dim.logical, dim.stage) || breaks_chain(below, dim.logical, dim.stage))
      return broken_chain(dim, rest, digit.step);
    if (range_of(below, dim.ranges).max > last_inside) return broken_chain(dim, rest, digit.step);
    result.push_back(std::move(index));
    rest = below;
  }
  return result;
}

// Whether indices beyond the storage of this dimension still identify an element.
bool goes_on(const Layout& layout, int dim) {
  bool moves = false;
  for (const DigitPlace& place : digits_of_dim(layout, dim)) {
    moves = moves || place.digit.extent > 1;
    if (layout.axes[place.axis].digits.size() > 1) return false;
  }
  return moves;
}

// unfold at stride 1 makes two digits of equal step; the loops decide which of them is the tile.
bool swap_equal_steps(std::vector<DigitPlace>& places) {
  for (size_t k = 0; k + 1 < places.size(); ++k) {
    if (places[k].digit.step != places[k + 1].digit.step || places[k].digit.extent == 1) continue;
    std::swap(places[k], places[k + 1]);
    return true;
  }
  return false;
}

// A physical axis whose dimensions are indexed by fused axes is indexed by the fused loop. Returns
// the dimensions of such axes.
std::set<size_t> take_fused(const Access& access, const Layout& layout, const Stage& stage,
                            std::vector<IndexExpr>& indices) {
  std::set<size_t> done;
  if (stage.fused.empty()) return done;
  for (size_t a = 0; a < layout.axes.size(); ++a) {
    std::vector<std::string> axes;
    std::vector<size_t> dims;
    for (const Digit& digit : layout.axes[a].digits) {
      const size_t dim = digit.dim < 0 ? access.indices.size() : static_cast<size_t>(digit.dim);
      if (dim >= access.indices.size() || layout.logical[dim].extent != digit.extent ||
          layout.offsets[dim] != 0)
        break;
      const std::vector<std::string> names = access.indices[dim].variables();
      const auto axis =
          std::ranges::find(stage.computation.axes, names.size() == 1 ? names[0] : "", &Axis::name);
      if (axis == stage.computation.axes.end() || axis->extent != digit.extent ||
          !(access.indices[dim] == IndexExpr::variable(axis->name)))
        break;
      axes.push_back(axis->name);
      dims.push_back(dim);
    }
    if (axes.size() != layout.axes[a].digits.size() || axes.size() < 2) continue;
    const auto fused = std::ranges::find(stage.fused, axes, &FusedAxes::axes);
    if (fused == stage.fused.end()) continue;
    indices[a] = fused->whole;
    done.insert(dims.begin(), dims.end());
  }
  return done;
}

// Range of the index over the iterations that exist.
Range reached_range(const IndexExpr& index, const Ranges& ranges, const Stage& stage) {
  if (stage.bounds.empty()) return range_of(index, ranges);
  return bounded_range(index, ranges, stage.bounds).value_or(range_of(index, ranges));
}

}  // namespace

Result<RewrittenAccess> rewrite_access(const Access& access, const ScheduledTensor& tensor,
                                       const Stage& stage) {
  const Layout& layout = tensor.layout;
  const Ranges ranges = loop_ranges(stage);
  RewrittenAccess result;
  result.indices.assign(layout.axes.size(), IndexExpr(0));
  const std::set<size_t> done = take_fused(access, layout, stage, result.indices);
  for (size_t j = 0; j < access.indices.size(); ++j) {
    if (done.contains(j)) continue;
    const int d = static_cast<int>(j);
    const IndexExpr logical = substitute(access.indices[j], stage.axis_values, ranges);
    const Range reached = reached_range(logical, ranges, stage);
    const Range stored = holds_outside(tensor.type, access.outside)
                             ? stored_range(layout, d)
                             : Range{0, layout.logical[j].extent - 1};
    const bool bounded = reached.min < stored.min || reached.max > stored.max;
    if (bounded) {
      result.bounds.push_back({logical, stored.min, stored.max + 1});
      result.implied.push_back(goes_on(layout, d));
    }
    const Dimension dim{tensor.name, layout.logical[j].name, stage, ranges, logical};
    const IndexExpr stored_index = logical - IndexExpr(layout.offsets[j]);
    std::vector<DigitPlace> places = digits_of_dim(layout, d);
    Result<std::vector<IndexExpr>> found = digit_indices(dim, stored_index, places);
    if (!found && swap_equal_steps(places)) found = digit_indices(dim, stored_index, places);
    const std::vector<IndexExpr> digits = TRY(std::move(found));
    for (size_t k = 0; k < places.size(); ++k) {
      const std::vector<Digit>& axis = layout.axes[places[k].axis].digits;
      int64_t finer = 1;
      for (size_t p = static_cast<size_t>(places[k].position) + 1; p < axis.size(); ++p)
        finer *= axis[p].extent;
      IndexExpr& index = result.indices[places[k].axis];
      index = index + digits[k] * finer;
    }
  }
  for (const Bound& condition : access.conditions) {
    const Bound bound{substitute(condition.expr, stage.axis_values, ranges), condition.lower,
                      condition.upper};
    if (always_holds(bound, ranges)) continue;
    result.bounds.push_back(bound);
    result.implied.push_back(false);
  }
  return result;
}

bool holds_outside(ElementType type, double outside) {
  return computed_type(type) == ComputedType::real ||
         static_cast<double>(integer_of(outside, type)) == outside;
}

}  // namespace dovetail
