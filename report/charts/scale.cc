// SPDX-License-Identifier: Apache-2.0
#include "report/charts/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dovetail {
namespace {

// The range of the values that a scale covers; from infinity to minus infinity if there are none.
std::pair<double, double> range_of(std::span<const double> values, bool log) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return {low, high};
}

// The smallest of 1, 2, 5 times a power of ten that is at least `step`.
double nice_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::vector<double> linear_ticks(const Scale& scale, int most) {
  const double step = nice_step((scale.high - scale.low) / std::max(most - 1, 1));
  std::vector<double> values;
  const double slack = step * 1e-6;
  for (double k = std::ceil((scale.low - slack) / step); k * step <= scale.high + slack; ++k)
    values.push_back(k == 0 ? 0 : k * step);
  return values;
}

std::vector<double> powers(const Scale& scale, std::span<const double> factors, int stride) {
  std::vector<double> values;
  const int last = static_cast<int>(std::floor(std::log10(scale.high)));
  for (int power = static_cast<int>(std::floor(std::log10(scale.low))); power <= last; ++power) {
    if (power % stride != 0) continue;
    for (const double factor : factors) {
      const double value = factor * std::pow(10, power);
      const bool inside = value >= scale.low * (1 - 1e-9) && value <= scale.high * (1 + 1e-9);
      if (inside) values.push_back(value);
    }
  }
  return values;
}

std::vector<double> log_ticks(const Scale& scale, int most) {
  constexpr double kFine[] = {1, 2, 5};
  constexpr double kCoarse[] = {1, 3};
  constexpr double kDecades[] = {1};
  const std::vector<double> fine = powers(scale, kFine, 1);
  if (fine.size() < 2) return linear_ticks(scale, most);
  if (fine.size() <= static_cast<size_t>(most)) return fine;
  const std::vector<double> coarse = powers(scale, kCoarse, 1);
  if (coarse.size() <= static_cast<size_t>(most)) return coarse;
  for (int stride = 1;; ++stride) {
    const std::vector<double> decades = powers(scale, kDecades, stride);
    if (decades.size() <= static_cast<size_t>(most)) return decades.empty() ? coarse : decades;
  }
}

}  // namespace

Scale make_scale(std::span<const double> values, const ScaleOptions& options) {
  auto [low, high] = range_of(values, options.log);
  if (low > high)
    return {.low = options.log ? 1.0 : 0.0, .high = options.log ? 10.0 : 1.0, .log = options.log};
  // Equal but for rounding: no tick would lie between them.
  if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) high = low;
  if (options.log) {
    const double room = options.margins ? std::max(std::pow(high / low, 0.05), 1.02) : 1;
    if (high == low) high = low * 2;
    return {.low = low / room, .high = high * room, .log = true};
  }
  if (options.from_zero) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  if (high == low) {
    const double half = std::max(std::abs(low) * 0.05, 1e-12);
    low -= options.from_zero && low == 0 ? 0 : half;
    high += half;
  }
  const double room = options.margins ? 0.05 * (high - low) : 0;
  return {.low = options.from_zero && low == 0 ? 0 : low - room, .high = high + room};
}

double place(const Scale& scale, double value, const PixelRange& range) {
  const double share = scale.log ? std::log(value / scale.low) / std::log(scale.high / scale.low)
                                 : (value - scale.low) / (scale.high - scale.low);
  return range.from + std::clamp(share, 0.0, 1.0) * (range.to - range.from);
}

std::vector<double> ticks(const Scale& scale, int most) {
  return scale.log ? log_ticks(scale, most) : linear_ticks(scale, most);
}

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size != 0 && size < 1e-4) return fmt::format("{:.3g}", value);
  if (size >= 1e6) return fmt::format("{:.4g}M", value / 1e6);
  if (size >= 1e4) return fmt::format("{:.4g}k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

TimeUnit time_unit(double largest_seconds) {
  if (largest_seconds >= 1) return {"s", 1};
  if (largest_seconds >= 1e-3) return {"ms", 1e3};
  if (largest_seconds >= 1e-6) return {"µs", 1e6};
  return {"ns", 1e9};
}

std::string time_text(double seconds, const TimeUnit& unit) {
  const double value = seconds * unit.per_second;
  const int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : value >= 0.1 ? 3 : 4;
  return fmt::format("{:.{}f} {}", value, digits, unit.name);
}

std::string seconds_text(double seconds) { return time_text(seconds, time_unit(seconds)); }

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace dovetail
