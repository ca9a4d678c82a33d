// SPDX-License-Identifier: Apache-2.0
#pragma once

// measure_in_turn: contestants that run in turn, round after round, so that what changes on the
// machine changes for all of them.
//
//   const std::vector<Standing> all = measure_in_turn({ours, onnxruntime, openvino}, {});
//   all[0].seconds          the median of all its runs in all rounds
//   all[2].reason           why it has none: a contestant that fails is out, the others go on
//
// At least seven rounds, each two runs that do not count and then 20 runs, or as many as begin in
// 1.5 s. More rounds, 15 in all, begin within half a minute: what disturbs a machine for seconds
// then disturbs a few rounds of all contestants, not half of one's.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct RoundsRule {
  int rounds = 7;              // in any case
  int most_rounds = 15;        // those beyond begin within `rounds_seconds`
  double rounds_seconds = 30;  // of all contestants together
  int64_t warm_up = 2;
  int64_t runs = 20;
  double seconds = 1.5;  // of a round
};

struct Contestant {
  std::string name;
  // Seconds of each run, at least one, after the runs that do not count.
  std::function<Result<std::vector<double>>(const RoundsRule&)> sample;
};

struct Standing {
  std::string name;
  std::optional<double> seconds = {};
  std::vector<double> round_seconds = {};  // the median of each round
  std::string reason = {};
};

std::vector<Standing> measure_in_turn(const std::vector<Contestant>& contestants,
                                      const RoundsRule& rule);

}  // namespace dovetail
