// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operations of strategies on the points of a space: change, mix, enumerate. Domains may depend on
// earlier values (docs/decisions/0007), so changing one parameter may invalidate later values;
// every function here returns a point of the space, by one rule, repair:
//
//     tile.o   16 32 48      tile.w   1 2 4 7   (at tile.o=48: 1 2)
//
//     {tile.o=16, tile.w=7}   tile.o to 48   {tile.o=48, tile.w=7}   repair   {tile.o=48, tile.w=2}
//
// From the first parameter to the last, a value that its domain lacks becomes the nearest that it
// has, by ratio, since most are sizes; for named choices, the first. A change of the k-th parameter
// thus never alters an earlier one, and from any point every other can be reached by changing one
// parameter after another. Random draws use the generator's bits alone, so that a seed means the
// same with every standard library.

#include <cstddef>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "primitives/space/space.h"

namespace dovetail {

size_t draw_index(std::mt19937_64& rng, size_t count);  // uniform in [0, count)
double draw_fraction(std::mt19937_64& rng);             // uniform in [0, 1)
// Draws from [0, count), linearly falling: 0, the best, twice as often as the middle one.
size_t draw_rank(std::mt19937_64& rng, size_t count);
inline const Point& draw_by_rank(const std::vector<Point>& points, std::mt19937_64& rng) {
  return points[draw_rank(rng, points.size())];
}
// std::shuffle would not do: its result differs between standard libraries.
template <typename Item>
void shuffle(std::vector<Item>& items, std::mt19937_64& rng) {
  for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[draw_index(rng, i)]);
}

// The domain of each parameter, given the values of `point` before it.
std::vector<std::vector<int64_t>> domains_along(const Space& space, const Point& point);

// Repairs one value: `wanted` if the domain has it, else by the rule above.
int64_t nearest_value(const Parameter& parameter, const std::vector<int64_t>& domain,
                      int64_t wanted);
// The point of the space nearest to `wanted`, which has a value for each parameter.
Point repair(const Space& space, const Point& wanted);

// adjacent: the values next to the present one, and every other one of named choices, which have no
// order; any: every other value.
enum class Step { adjacent, any };

struct Neighbour {
  Point point;
  size_t parameter = 0;     // changed one; later ones may have been repaired
  ptrdiff_t direction = 0;  // positions moved in its domain
};
std::vector<Neighbour> neighbours(const Space& space, const Point& point, Step step);
// One step further in a neighbour's direction; empty where the domain ends, or choices are named.
std::optional<Neighbour> further(const Space& space, const Neighbour& neighbour);

// Redraws `changes` parameters (fewer if there are not so many choices) and repairs the rest. One
// that is off, and mostly is (off_percent), is redrawn as much more rarely.
Point mutate(const Space& space, const Point& point, size_t changes, std::mt19937_64& rng);

// Uniform crossover: each parameter from either parent; a choice of only one parent (Winograd's
// tiles, when the other computes directly) comes from that one.
Point cross(const Space& space, const Point& a, const Point& b, std::mt19937_64& rng);

// Position of a value in its domain: 0 the first, 1 the last; 0 where there is no choice.
double place_in(const std::vector<int64_t>& domain, int64_t value);
// A point as numbers in [0, 1]: each value's position in its domain.
std::vector<double> encode(const Space& space, const Point& point);
// The inverse of encode: the point with values nearest to these positions. Any numbers in [0, 1]
// make a point, such as an agent's actions.
Point point_at(const Space& space, std::span<const double> fractions);

// The first point in lexicographic order of the domains, and the one after another; empty after the
// last.
Point first_point(const Space& space);
std::optional<Point> next_point(const Space& space, Point point);

}  // namespace dovetail
