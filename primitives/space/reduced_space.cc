// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/reduced_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace dovetail {
namespace {

// What a parameter decides, by its name (choices.h); in an alternative's space behind its prefix.
// Of a tensor's layout: "storage" of the input's rows and of phases, "tile" of channels, and
// "row tile", which the default rule leaves out.
std::string_view kind_of(const Parameter& parameter, int64_t by_default) {
  std::string_view name = parameter.name;
  if (name.starts_with("winograd_")) name.remove_prefix(name.find('.') + 1);
  constexpr std::array<std::string_view, 21> kKinds = {
      "algorithm", "R.",   "M.",     "U.",     "K.",     "unroll.",         "phase.",
      "levels.",   "at.",  "block.", "store.", "place.", "order.reduction", "order.",
      "rfactor",   "kout", "fuse",   "stage.", "stores", "prefetch.",       "scope."};
  const auto found =
      std::ranges::find_if(kKinds, [&](std::string_view kind) { return name.starts_with(kind); });
  if (found != kKinds.end()) return *found;
  if (!parameter.labels.empty()) return "storage";
  return by_default == 0 ? "row tile" : "tile";
}

struct Opening {
  std::string_view kind;
  size_t values;
};
constexpr size_t kAll = SIZE_MAX;

// First what decides: register tiles explain most of the variance of log time, then guards and
// padding (storage), cache tiles and unrolling. Layouts come early, since a space of loops alone
// would say nothing about a joint search.
constexpr std::array kOpenings = {
    Opening{"algorithm", kAll}, Opening{"R.", 2},        Opening{"storage", 2},
    Opening{"tile", 2},         Opening{"U.", 2},        Opening{"R.", 3},
    Opening{"M.", 2},           Opening{"unroll.", 2},   Opening{"order.reduction", 2},
    Opening{"R.", 4},           Opening{"U.", 3},        Opening{"phase.", 2},
    Opening{"M.", 3},           Opening{"row tile", 2},  Opening{"K.", 2},
    Opening{"place.", 2},       Opening{"storage", 3},   Opening{"kout", 2},
    Opening{"order.", 2},       Opening{"tile", 3},      Opening{"levels.", 2},
    Opening{"stage.", 2},       Opening{"at.", 2},       Opening{"rfactor", 2},
    Opening{"R.", 6},           Opening{"M.", 4},        Opening{"storage", kAll},
    Opening{"U.", kAll},        Opening{"K.", 4},        Opening{"order.reduction", kAll},
    Opening{"order.", kAll},    Opening{"M.", kAll},     Opening{"tile", kAll},
    Opening{"R.", kAll},        Opening{"K.", kAll},     Opening{"row tile", kAll},
    Opening{"block.", 2},       Opening{"stores", kAll}, Opening{"prefetch.", kAll},
    Opening{"store.", 2},       Opening{"fuse", kAll},   Opening{"block.", kAll},
    Opening{"stage.", kAll},    Opening{"at.", kAll},    Opening{"scope.", kAll},
};

// By ratio; 0, which says "none", is below 1.
double distance(int64_t a, int64_t b) {
  const auto size = [](int64_t value) { return value <= 0 ? 0.5 : static_cast<double>(value); };
  return std::abs(std::log(size(a) / size(b)));
}

Space with_limits(const Space& space, const std::vector<size_t>& limits) {
  std::vector<Parameter> parameters = space.parameters();
  for (size_t k = 0; k < parameters.size(); ++k) {
    Parameter& parameter = parameters[k];
    parameter.domain = [own = std::move(parameter.domain), wanted = space.default_point()[k],
                        values = limits[k],
                        named = !parameter.labels.empty()](const Point& earlier) {
      return values_around(own(earlier), wanted, values, named);
    };
  }
  return Space(
      space.op(), space.target(), std::move(parameters),
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
  auto first = anchor, last = anchor;  // both kept
  for (size_t kept = 1; kept < values; ++kept) {
    const bool above = last + 1 != domain.end();
    const bool nearer_above = last - anchor <= anchor - first;
    if (first == domain.begin() || (above && nearer_above)) {
      ++last;
    } else {
      --first;
    }
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
      if (kind_of(parameter, space.default_point()[k]) != opening.kind) continue;
      // One value more at a time, as long as that gives points and they fit.
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
    return fail(fmt::format("a reduced space of {} has {} points, expected {} at least",
                            print(space.op()), points, options.least_points));
  }
  return with_limits(space, limits);
}

}  // namespace dovetail
