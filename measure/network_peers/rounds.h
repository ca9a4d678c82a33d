// SPDX-License-Identifier: Apache-2.0
#pragma once

// measure_in_turn: runs contestants interleaved, round after round, so that a change on the machine
// affects all of them.
//
//   const std::vector<ContestResult> all = measure_in_turn({ours, onnxruntime, openvino}, {});
//   all[0].seconds          the median of all its runs in all rounds
//   all[2].reason           why it has none: a contestant that fails is out, the others go on
//
// By default at least seven rounds, each of two untimed runs and then 20 runs, or as many as begin
// in 1.5 s. Further rounds, up to 15, begin within half a minute: a disturbance of some seconds
// then affects a few rounds of all contestants, not half of one's.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct RoundsRule {
  int rounds = 7;              // minimum
  int most_rounds = 15;        // rounds beyond `rounds` begin within `rounds_seconds`
  double rounds_seconds = 30;  // all contestants together
  int64_t warm_up = 2;
  int64_t runs = 20;
  double seconds = 1.5;  // limit per contestant and round
};

struct Contestant {
  std::string name;
  // Seconds of each run, at least one, after the untimed ones.
  std::function<Result<std::vector<double>>(const RoundsRule&)> sample;
};

struct ContestResult {
  std::string name;
  std::optional<double> seconds = {};
  std::vector<double> round_seconds = {};  // the median of each round
  std::string reason = {};
};

// Ends before the next turn once `interrupted` is true.
std::vector<ContestResult> measure_in_turn(
    const std::vector<Contestant>& contestants, const RoundsRule& rule,
    const std::function<bool()>& interrupted = [] { return false; });

}  // namespace dovetail
