// SPDX-License-Identifier: Apache-2.0
#pragma once

// StopCondition: the limits at which a campaign of one task ends.
//
//   StopCondition{.max_trials = 300, .patience = 100}
//
// stops after 300 trials, or after 100 in a row without a better one. Trials are counted when their
// results are consumed, in trial order, so max_trials and patience do not depend on timing;
// max_seconds does.

#include <cstdint>
#include <optional>
#include <string_view>

namespace dovetail {

enum class StopReason {
  trials,       // max_trials are done
  seconds,      // max_seconds have passed
  patience,     // no better candidate for too long
  exhausted,    // the strategy has nothing left to propose
  interrupted,  // the user asked
  device_lost,  // the runner cannot measure any more
  budget,       // the budget shared with other tasks is spent
};

struct StopCondition {
  int64_t max_trials = 1000;
  std::optional<double> max_seconds = std::nullopt;  // whole campaign, resumed parts included
  std::optional<int64_t> patience = std::nullopt;    // trials without a better one

  std::optional<StopReason> met(int64_t trials, double elapsed_seconds,
                                int64_t trials_since_best) const {
    if (trials >= max_trials) return StopReason::trials;
    if (patience && trials_since_best >= *patience) return StopReason::patience;
    if (max_seconds && elapsed_seconds >= *max_seconds) return StopReason::seconds;
    return std::nullopt;
  }
};

constexpr std::string_view print(StopReason reason) {
  // In the order of the enumerators.
  constexpr std::string_view kNames[] = {"trials",      "seconds",     "patience", "exhausted",
                                         "interrupted", "device_lost", "budget"};
  return kNames[static_cast<size_t>(reason)];
}

}  // namespace dovetail
