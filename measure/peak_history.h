// SPDX-License-Identifier: Apache-2.0
#pragma once

// PeakHistory: the FMA peak as it was measured along a campaign, and what it says of a time.
//
//   history.add({.fma_gflops = 288, .l1_bytes_per_second = 5.2e11});
//   history.fma_gflops()                         // the median of all measurements
//   history.least_seconds(fmas, bytes)           // no program that does this much is faster
//
// A neighbour on the machine, or its clock, moves the peak: a move over 5 % is a warning, because
// percentages of a campaign are then not comparable within it.

#include <optional>
#include <string>
#include <vector>

#include "measure/messages.h"

namespace dovetail {

class PeakHistory {
 public:
  // A warning when this measurement is more than 5 % from the median of those before.
  std::optional<std::string> add(const PeakReply& peak);
  double fma_gflops() const;  // 0: none yet, or this device does not say
  // 0 when there is no measurement.
  double least_seconds(double fmas, double bytes) const;

 private:
  std::vector<double> gflops_;
  double l1_bytes_per_second_ = 0;  // the fastest
};

}  // namespace dovetail
