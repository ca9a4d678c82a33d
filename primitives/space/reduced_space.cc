// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/reduced_space.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/fail.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {
namespace {

// Domains that are widened together: those of one kind. Layout tiles are either those that the
// default rule uses or the "row tiles" that it leaves out.
struct Opening {
  ParameterKind kind;
  size_t values;
  bool row_tiles = false;
};
constexpr size_t kAll = SIZE_MAX;
constexpr bool kRowTiles = true;

bool is_opened(const Parameter& parameter, int64_t by_default, const Opening& opening) {
  ParameterKind kind = parameter.kind;
  if (kind == ParameterKind::phase_order || kind == ParameterKind::cache_order)
    kind = ParameterKind::outer_order;
  if (kind == ParameterKind::phase_storage) kind = ParameterKind::storage;
  const bool row_tile = kind == ParameterKind::layout_tile && by_default == 0;
  return kind == opening.kind && row_tile == opening.row_tiles;
}

// Most influential first: register tiles explain most of the variance of log time, then guards and
// padding (storage), cache tiles and unrolling. Layouts come early, since a space of loops alone
// would say nothing about a joint search.
constexpr std::array kOpenings = {
    Opening{ParameterKind::algorithm, kAll},
    Opening{ParameterKind::register_tile, 2},
    Opening{ParameterKind::storage, 2},
    Opening{ParameterKind::layout_tile, 2},
    Opening{ParameterKind::unroll_part, 2},
    Opening{ParameterKind::register_tile, 3},
    Opening{ParameterKind::cache_tile, 2},
    Opening{ParameterKind::unroll, 2},
    Opening{ParameterKind::reduction_order, 2},
    Opening{ParameterKind::register_tile, 4},
    Opening{ParameterKind::unroll_part, 3},
    Opening{ParameterKind::phase, 2},
    Opening{ParameterKind::cache_tile, 3},
    Opening{ParameterKind::layout_tile, 2, kRowTiles},
    Opening{ParameterKind::inner_part, 2},
    Opening{ParameterKind::channel_tiles, 2},
    Opening{ParameterKind::storage, 3},
    Opening{ParameterKind::reduction_outside, 2},
    Opening{ParameterKind::outer_order, 2},
    Opening{ParameterKind::layout_tile, 3},
    Opening{ParameterKind::layout_levels, 2},
    Opening{ParameterKind::cache_read, 2},
    Opening{ParameterKind::pad_at, 2},
    Opening{ParameterKind::rfactor, 2},
    Opening{ParameterKind::register_tile, 6},
    Opening{ParameterKind::cache_tile, 4},
    Opening{ParameterKind::storage, kAll},
    Opening{ParameterKind::unroll_part, kAll},
    Opening{ParameterKind::inner_part, 4},
    Opening{ParameterKind::reduction_order, kAll},
    Opening{ParameterKind::outer_order, kAll},
    Opening{ParameterKind::cache_tile, kAll},
    Opening{ParameterKind::layout_tile, kAll},
    Opening{ParameterKind::register_tile, kAll},
    Opening{ParameterKind::inner_part, kAll},
    Opening{ParameterKind::layout_tile, kAll, kRowTiles},
    Opening{ParameterKind::layout_block, 2},
    Opening{ParameterKind::stores, kAll},
    Opening{ParameterKind::prefetch, kAll},
    Opening{ParameterKind::store_at, 2},
    Opening{ParameterKind::fuse, kAll},
    Opening{ParameterKind::layout_block, kAll},
    Opening{ParameterKind::cache_read, kAll},
    Opening{ParameterKind::pad_at, kAll},
    Opening{ParameterKind::scope, kAll},
};

// Log of the ratio; 0, which means "none", is below 1.
double distance(int64_t a, int64_t b) {
  const auto size = [](int64_t value) { return value <= 0 ? 0.5 : static_cast<double>(value); };
  return std::abs(std::log(size(a) / size(b)));
}

Space with_limits(const Space& space, const std::vector<size_t>& limits) {
  std::vector<Parameter> parameters = space.parameters();
  for (size_t k = 0; k < parameters.size(); ++k)
    change_domain(parameters[k],
                  [wanted = space.default_point()[k], values = limits[k],
                   named = !parameters[k].labels.empty()](const std::vector<int64_t>& domain) {
                    return values_around(domain, wanted, values, named);
                  });
  return Space(
      space.spec(), space.target(), std::move(parameters),
      [space](const Point& point) { return space.decode(point); }, space.default_point());
}

}  // namespace

std::vector<int64_t> values_around(const std::vector<int64_t>& domain, int64_t wanted,
                                   size_t values, bool named) {
  if (domain.size() <= values) return domain;
  auto anchor = std::ranges::find(domain, wanted);
  if (anchor == domain.end()) {
    anchor = named ? domain.begin() : std::ranges::min_element(domain, {}, [&](int64_t value) {
      return distance(value, wanted);
    });
  }
  auto first = anchor, last = anchor;  // inclusive
  for (size_t kept = 1; kept < values; ++kept) {
    const bool above = last + 1 != domain.end();
    const bool nearer_above = last - anchor <= anchor - first;
    if (first == domain.begin() || (above && nearer_above))
      ++last;
    else
      --first;
  }
  return {first, last + 1};
}

ReducedSpaceOptions at_most(int64_t points) {
  const auto most = static_cast<double>(points);
  return {.least_points = std::min(ReducedSpaceOptions().least_points, most / 2),
          .most_points = most};
}

Result<Space> reduced_space(const Space& space, const ReducedSpaceOptions& options) {
  std::vector<size_t> limits(space.parameters().size(), 1);
  double points = 1;
  for (const Opening& opening : kOpenings) {
    for (size_t k = 0; k < limits.size(); ++k) {
      const Parameter& parameter = space.parameters()[k];
      if (!is_opened(parameter, space.default_point()[k], opening)) continue;
      // Adds one value at a time, as long as the number of points grows and fits.
      while (limits[k] < opening.values) {
        ++limits[k];
        const SpaceSize size = with_limits(space, limits).size();
        if (size.exact && size.points > points && size.points <= options.most_points) {
          points = size.points;
          continue;
        }
        --limits[k];
        break;
      }
    }
  }
  if (points < options.least_points) {
    return fail("a reduced space of {} has {} points, expected {} at least", print(space.spec()),
                points, options.least_points);
  }
  return with_limits(space, limits);
}

}  // namespace dovetail
