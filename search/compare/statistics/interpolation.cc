// SPDX-License-Identifier: Apache-2.0
#include "search/compare/statistics/interpolation.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace dovetail {
namespace {

double sign(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

// Slope at an end: that of the parabola through three points, kept monotone. h, m: widths and
// slopes of the nearest two pieces.
double end_slope(double h0, double h1, double m0, double m1) {
  const double slope = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);
  if (sign(slope) != sign(m0)) return 0;
  if (sign(m0) != sign(m1) && std::abs(slope) > 3 * std::abs(m0)) return 3 * m0;
  return slope;
}

// Slopes at the points: a weighted harmonic mean of those of the pieces on both sides.
std::vector<double> slopes_of(std::span<const double> h, std::span<const double> m) {
  if (m.size() == 1) return {m[0], m[0]};
  std::vector<double> slopes = {end_slope(h[0], h[1], m[0], m[1])};
  for (size_t k = 1; k < m.size(); ++k) {
    const double before = 2 * h[k] + h[k - 1], after = h[k] + 2 * h[k - 1];
    const bool turns = sign(m[k - 1]) * sign(m[k]) <= 0;
    slopes.push_back(turns ? 0 : (before + after) / (before / m[k - 1] + after / m[k]));
  }
  const size_t last = m.size() - 1;
  slopes.push_back(end_slope(h[last], h[last - 1], m[last], m[last - 1]));
  return slopes;
}

struct Level {
  double weight = 0;
  double mean = 0;
  size_t count = 0;
};

// Equal x become one point: the weighted mean of their y.
std::vector<Sample> distinct(const std::vector<Sample>& samples) {
  constexpr double kResolution = 1e-15;  // in x, as in scikit-learn
  std::vector<Sample> points;
  for (const Sample& sample : samples) {
    if (sample.weight == 0) continue;
    if (points.empty() || sample.x - points.back().x >= kResolution) {
      points.push_back(sample);
      continue;
    }
    Sample& point = points.back();
    const double weight = point.weight + sample.weight;
    point.y = (point.y * point.weight + sample.y * sample.weight) / weight;
    point.weight = weight;
  }
  return points;
}

// Pool adjacent violators: makes the y of the points fall.
void pool(std::vector<Sample>& points) {
  std::vector<Level> levels;
  for (const Sample& point : points) {
    levels.push_back({point.weight, point.y, 1});
    while (levels.size() > 1 && levels[levels.size() - 2].mean <= levels.back().mean) {
      const Level last = levels.back();
      levels.pop_back();
      Level& level = levels.back();
      const double weight = level.weight + last.weight;
      level.mean = (level.mean * level.weight + last.mean * last.weight) / weight;
      level.weight = weight;
      level.count += last.count;
    }
  }
  size_t next = 0;
  for (const Level& level : levels)
    for (size_t k = 0; k < level.count; ++k) points[next++].y = level.mean;
}

}  // namespace

std::vector<double> evenly_spaced(double first, double last, size_t n) {
  std::vector<double> values(n, first);
  for (size_t k = 1; k < n; ++k)
    values[k] = first + (last - first) / static_cast<double>(n - 1) * static_cast<double>(k);
  if (n > 1) values.back() = last;
  return values;
}

std::vector<double> monotone_cubic(std::span<const double> x, std::span<const double> y,
                                   std::span<const double> at) {
  CHECK(x.size() >= 2 && x.size() == y.size(), "a curve through fewer than two points");
  std::vector<double> h, m;
  for (size_t k = 0; k + 1 < x.size(); ++k) {
    h.push_back(x[k + 1] - x[k]);
    m.push_back((y[k + 1] - y[k]) / h.back());
  }
  const std::vector<double> slopes = slopes_of(h, m);
  std::vector<double> values;
  for (const double position : at) {
    const auto above = std::ranges::upper_bound(x, position) - x.begin();
    const auto k = static_cast<size_t>(std::clamp<ptrdiff_t>(above - 1, 0, std::ssize(h) - 1));
    const double t = position - x[k];
    const double excess = slopes[k] + slopes[k + 1] - 2 * m[k];
    const double c2 = (m[k] - slopes[k] - excess) / h[k], c3 = excess / (h[k] * h[k]);
    values.push_back(y[k] + t * (slopes[k] + t * (c2 + t * c3)));
  }
  return values;
}

std::vector<double> falling_fit(const std::vector<Sample>& samples, std::span<const double> at) {
  std::vector<Sample> points = distinct(samples);
  CHECK(!points.empty(), "a fit to no samples");
  pool(points);
  std::vector<double> values;
  size_t next = 0;  // the first point beyond
  for (const double x : at) {
    while (next < points.size() && points[next].x <= x) ++next;
    if (next == 0 || next == points.size()) {
      values.push_back(next == 0 ? points.front().y : points.back().y);
      continue;
    }
    const Sample &low = points[next - 1], &high = points[next];
    values.push_back(low.y + (high.y - low.y) / (high.x - low.x) * (x - low.x));
  }
  return values;
}

}  // namespace dovetail
