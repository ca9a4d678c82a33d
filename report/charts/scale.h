// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scale: where a value lies on an axis, and which values get a tick.
//
//   const Scale x = make_scale({3, 870}, {.log = true});     3 .. 870
//   ticks(x, 5)                                              10, 100
//   place(x, 10, {46, 300})                                  100.0: pixels, 46 is the begin
//
// Ticks are 1, 2 or 5 times a power of ten. An axis of bars begins at 0; a logarithmic one asks for
// positive values.

#include <span>
#include <string>
#include <vector>

namespace dovetail {

struct Scale {
  double low = 0;
  double high = 1;
  bool log = false;
};

struct ScaleOptions {
  bool log = false;
  bool from_zero = false;  // linear scales only
  bool margins = true;     // some room above and below the values
};

// Covers all finite (log: positive) values; without any, 0 to 1 (log: 1 to 10).
Scale make_scale(std::span<const double> values, const ScaleOptions& options = {});

struct PixelRange {
  double from = 0;  // pixel of scale.low; may be greater than `to`
  double to = 0;
};
double place(const Scale& scale, double value, const PixelRange& range);

std::vector<double> ticks(const Scale& scale, int most);
std::string tick_text(double value);  // "0.5", "20", "15k", "1e-06"

// Seconds in the unit that makes the largest of them at least 1: {"µs", 1e6}.
struct TimeUnit {
  std::string name = {};
  double per_second = 1;
};
TimeUnit time_unit(double largest_seconds);
std::string time_text(double seconds, const TimeUnit& unit);
std::string seconds_text(double seconds);   // in the unit of its own: "24.2 µs", "1.31 s"
std::string duration_text(double seconds);  // "42 s", "3 min 20 s", "2 h 05 min"

}  // namespace dovetail
