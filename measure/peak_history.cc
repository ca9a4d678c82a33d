// SPDX-License-Identifier: Apache-2.0
#include "measure/peak_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "measure/timing.h"

namespace dovetail {
namespace {

constexpr double kNotableMove = 0.05;

}  // namespace

std::optional<std::string> PeakHistory::add(const PeakReply& peak) {
  l1_bytes_per_second_ = std::max(l1_bytes_per_second_, peak.l1_bytes_per_second);
  if (peak.fma_gflops <= 0) return std::nullopt;
  const double before = fma_gflops();
  gflops_.push_back(peak.fma_gflops);
  if (before <= 0 || std::fabs(peak.fma_gflops - before) <= kNotableMove * before) {
    return std::nullopt;
  }
  return fmt::format(
      "the FMA peak moved from {:.1f} to {:.1f} GFLOP/s: the machine is shared or its "
      "clock changed",
      before, peak.fma_gflops);
}

double PeakHistory::fma_gflops() const { return median(gflops_); }

double PeakHistory::least_seconds(double fmas, double bytes) const {
  // The fastest measurement, not the median: a true time must never be called impossible because a
  // neighbour was busy while the peak was measured.
  const double peak = gflops_.empty() ? 0 : std::ranges::max(gflops_);
  const double compute = peak > 0 ? 2 * fmas / (peak * 1e9) : 0;
  const double transfer = l1_bytes_per_second_ > 0 ? bytes / l1_bytes_per_second_ : 0;
  return std::max(compute, transfer);
}

}  // namespace dovetail
