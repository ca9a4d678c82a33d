// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/points/points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/check.h"

namespace dovetail {
namespace {

using Domain = std::vector<int64_t>;

// Distance of two values, by ratio; 0 stands for "none", just below 1.
double distance(int64_t a, int64_t b) {
  const auto place = [](int64_t value) {
    const auto size = static_cast<double>(value);
    return value >= 0 ? std::log1p(size) : -std::log1p(-size);
  };
  return std::abs(place(a) - place(b));
}

// `point`, a prefix, extended by the rest of `wanted`, repaired.
Point completed(const Space& space, Point point, const Point& wanted) {
  for (size_t k = point.size(); k < space.parameters().size(); ++k) {
    const Parameter& parameter = space.parameters()[k];
    point.push_back(nearest_value(parameter, parameter.domain(point), wanted[k]));
  }
  return point;
}

Point changed(const Space& space, const Point& point, size_t parameter, int64_t value) {
  Point start(point.begin(), point.begin() + static_cast<ptrdiff_t>(parameter));
  start.push_back(value);
  return completed(space, std::move(start), point);
}

// The first point with this prefix.
Point first_from(const Space& space, Point point) {
  while (point.size() < space.parameters().size())
    point.push_back(space.parameters()[point.size()].domain(point).front());
  return point;
}

size_t position_in(const Domain& domain, int64_t value) {
  const auto found = std::ranges::find(domain, value);
  CHECK(found != domain.end(), "a value that its domain does not have");
  return static_cast<size_t>(found - domain.begin());
}

// Relative probability, in percent, that a parameter is drawn anew.
size_t weight_of(const Parameter& parameter, const Domain& domain, int64_t value) {
  if (domain.size() < 2) return 0;
  const bool off = parameter.off_percent > 0 && value == domain.front();
  return static_cast<size_t>(off ? std::max(1, 100 - parameter.off_percent) : 100);
}

// True at up to `count` different positions, drawn by weight.
std::vector<bool> drawn_positions(std::vector<size_t> weights, size_t count, std::mt19937_64& rng) {
  std::vector<bool> drawn(weights.size(), false);
  for (; count > 0; --count) {
    size_t total = 0;
    for (const size_t weight : weights) total += weight;
    if (total == 0) break;
    size_t left = draw_index(rng, total);
    size_t k = 0;
    while (left >= weights[k]) left -= weights[k++];
    drawn[k] = true;
    weights[k] = 0;
  }
  return drawn;
}

// Whether only `a`, or only `b`, has the parameter as a choice; empty: both or neither do.
std::optional<bool> only_first_chooses(const Parameter& parameter, const Point& a, const Point& b) {
  const bool of_a = is_choice(parameter, a), of_b = is_choice(parameter, b);
  return of_a == of_b ? std::nullopt : std::optional<bool>(of_a);
}

}  // namespace

size_t draw_index(std::mt19937_64& rng, size_t count) { return static_cast<size_t>(rng() % count); }

double draw_fraction(std::mt19937_64& rng) { return static_cast<double>(rng() >> 11) * 0x1p-53; }

size_t draw_rank(std::mt19937_64& rng, size_t count) {
  const double place = 1 - std::sqrt(1 - draw_fraction(rng));
  return std::min(static_cast<size_t>(place * static_cast<double>(count)), count - 1);
}

std::vector<std::vector<int64_t>> domains_along(const Space& space, const Point& point) {
  std::vector<Domain> domains;
  Point earlier;
  for (size_t k = 0; k < point.size(); ++k) {
    domains.push_back(space.parameters()[k].domain(earlier));
    earlier.push_back(point[k]);
  }
  return domains;
}

int64_t nearest_value(const Parameter& parameter, const Domain& domain, int64_t wanted) {
  if (std::ranges::find(domain, wanted) != domain.end()) return wanted;
  if (!parameter.labels.empty()) return domain.front();
  return *std::ranges::min_element(domain, {},
                                   [&](int64_t value) { return distance(value, wanted); });
}

Point repair(const Space& space, const Point& wanted) {
  CHECK(wanted.size() == space.parameters().size(), "a point has one value a parameter");
  return completed(space, {}, wanted);
}

std::vector<Neighbour> neighbours(const Space& space, const Point& point, Step step) {
  const std::vector<Domain> domains = domains_along(space, point);
  std::vector<Neighbour> found;
  for (size_t k = 0; k < point.size(); ++k) {
    const bool all = step == Step::any || !space.parameters()[k].labels.empty();
    const auto here = static_cast<ptrdiff_t>(position_in(domains[k], point[k]));
    for (size_t at = 0; at < domains[k].size(); ++at) {
      const ptrdiff_t direction = static_cast<ptrdiff_t>(at) - here;
      if (direction == 0 || (!all && std::abs(direction) > 1)) continue;
      found.push_back({.point = changed(space, point, k, domains[k][at]),
                       .parameter = k,
                       .direction = direction});
    }
  }
  return found;
}

std::optional<Neighbour> further(const Space& space, const Neighbour& neighbour) {
  const size_t k = neighbour.parameter;
  const Parameter& parameter = space.parameters()[k];
  if (!parameter.labels.empty()) return std::nullopt;
  const Point earlier(neighbour.point.begin(), neighbour.point.begin() + static_cast<ptrdiff_t>(k));
  const Domain domain = parameter.domain(earlier);
  const ptrdiff_t at = static_cast<ptrdiff_t>(position_in(domain, neighbour.point[k])) +
                       (neighbour.direction > 0 ? 1 : -1);
  if (at < 0 || at >= std::ssize(domain)) return std::nullopt;
  return Neighbour{.point = changed(space, neighbour.point, k, domain[static_cast<size_t>(at)]),
                   .parameter = k,
                   .direction = neighbour.direction > 0 ? 1 : -1};
}

Point mutate(const Space& space, const Point& point, size_t changes, std::mt19937_64& rng) {
  const std::vector<Domain> domains = domains_along(space, point);
  std::vector<size_t> weights;
  for (size_t k = 0; k < point.size(); ++k)
    weights.push_back(weight_of(space.parameters()[k], domains[k], point[k]));
  const std::vector<bool> drawn = drawn_positions(std::move(weights), changes, rng);
  Point result;
  for (size_t k = 0; k < point.size(); ++k) {
    const Parameter& parameter = space.parameters()[k];
    Domain domain = parameter.domain(result);
    if (drawn[k] && domain.size() > 1) {
      std::erase(domain, point[k]);
      result.push_back(domain[draw_index(rng, domain.size())]);
    } else {
      result.push_back(nearest_value(parameter, domain, point[k]));
    }
  }
  return result;
}

Point cross(const Space& space, const Point& a, const Point& b, std::mt19937_64& rng) {
  CHECK(a.size() == b.size(), "parents are points of one space");
  Point wanted;
  for (size_t k = 0; k < a.size(); ++k) {
    const bool coin = draw_index(rng, 2) == 0;
    const bool first = only_first_chooses(space.parameters()[k], a, b).value_or(coin);
    wanted.push_back(first ? a[k] : b[k]);
  }
  return repair(space, wanted);
}

double place_in(const Domain& domain, int64_t value) {
  const double last = static_cast<double>(std::max<size_t>(domain.size(), 2) - 1);
  return static_cast<double>(position_in(domain, value)) / last;
}

std::vector<double> encode(const Space& space, const Point& point) {
  std::vector<double> fractions;
  const std::vector<Domain> domains = domains_along(space, point);
  for (size_t k = 0; k < point.size(); ++k) fractions.push_back(place_in(domains[k], point[k]));
  return fractions;
}

Point point_at(const Space& space, std::span<const double> fractions) {
  CHECK(fractions.size() == space.parameters().size(), "a point has one number a parameter");
  Point point;
  for (size_t k = 0; k < fractions.size(); ++k) {
    const Domain domain = space.parameters()[k].domain(point);
    const double last = static_cast<double>(domain.size() - 1);
    const double at = std::round(std::clamp(fractions[k], 0.0, 1.0) * last);
    point.push_back(domain[static_cast<size_t>(at)]);
  }
  return point;
}

Point first_point(const Space& space) { return first_from(space, {}); }

std::optional<Point> next_point(const Space& space, Point point) {
  while (!point.empty()) {
    const int64_t last = point.back();
    point.pop_back();
    const Domain domain = space.parameters()[point.size()].domain(point);
    const size_t at = position_in(domain, last) + 1;
    if (at == domain.size()) continue;
    point.push_back(domain[at]);
    return first_from(space, std::move(point));
  }
  return std::nullopt;
}

}  // namespace dovetail
