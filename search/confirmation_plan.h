// SPDX-License-Identifier: Apache-2.0
#pragma once

// ConfirmationPlan: how much of measuring the best again fits a time.
//
//   plan_confirmation({.finalists = {1.2, 1.3, 1.9}, .contenders = 2, .passes = 3,
//                      .reference_seconds = 60}, 20)
//       ConfirmationPlan{.contenders = 2, .passes = 1, .thorough = false, .seconds = 4.4}
//
// Finalists are measured again in several passes, on real data, too, whose reference alone may take
// a minute. Under a limit of seconds, passes go first, then the slower of the finalists, then real
// data; and where not even the best one can be measured again, the plan has no contenders, and the
// time that it had in its trial stands. All from what trials took: nothing is tried out.

#include <cstddef>
#include <vector>

namespace dovetail {

struct ConfirmationCosts {
  // Seconds that measuring each of them takes; the contenders first, best first, and behind them
  // what is measured for comparison, the default trace.
  std::vector<double> finalists = {};
  size_t contenders = 0;
  int passes = 3;
  double reference_seconds = 0;  // of real data, once
};

struct ConfirmationPlan {
  size_t contenders = 0;  // the best so many of them; what is for comparison comes with them
  int passes = 0;
  bool thorough = true;  // on real data, too
  double seconds = 0;    // that it takes, about
  friend bool operator==(const ConfirmationPlan&, const ConfirmationPlan&) = default;
};

// The most of it that takes `most_seconds` or less.
ConfirmationPlan plan_confirmation(const ConfirmationCosts& costs, double most_seconds);

}  // namespace dovetail
