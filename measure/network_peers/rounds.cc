// SPDX-License-Identifier: Apache-2.0
#include "measure/network_peers/rounds.h"

#include "core/base/statistics.h"
#include "core/base/stopwatch.h"

namespace dovetail {

std::vector<ContestResult> measure_in_turn(const std::vector<Contestant>& contestants,
                                           const RoundsRule& rule,
                                           const std::function<bool()>& interrupted) {
  std::vector<ContestResult> standings;
  for (const Contestant& contestant : contestants) standings.push_back({.name = contestant.name});
  std::vector<std::vector<double>> samples(contestants.size());
  const Stopwatch watch;
  const auto begins = [&](int round) {
    return !interrupted() && (round < rule.rounds ||
                              (round < rule.most_rounds && watch.seconds() < rule.rounds_seconds));
  };
  for (int round = 0; begins(round); ++round)
    for (size_t c = 0; c < contestants.size(); ++c) {
      if (interrupted()) break;
      if (!standings[c].reason.empty()) continue;
      const Result<std::vector<double>> ran = contestants[c].sample(rule);
      if (!ran || ran->empty()) {
        standings[c].reason = ran ? "it gave no sample" : ran.error().message;
        continue;
      }
      standings[c].round_seconds.push_back(median(*ran));
      samples[c].insert(samples[c].end(), ran->begin(), ran->end());
    }
  for (size_t c = 0; c < contestants.size(); ++c)
    if (standings[c].reason.empty() && !samples[c].empty())
      standings[c].seconds = median(samples[c]);
  return standings;
}

}  // namespace dovetail
