// SPDX-License-Identifier: Apache-2.0
#include "tests/search/simulated_search.h"

#include <cmath>
#include <deque>
#include <sstream>
#include <unordered_map>

#include "search/strategies/points/points.h"

namespace dovetail::testing {
namespace {

// Evenly spread in [0, 1), the same for the same text.
double hashed(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<double>((hash * 0x9e3779b97f4a7c15) >> 11) * 0x1p-53;
}

}  // namespace

SimulatedSearch simulate(Strategy& strategy, const Seconds& seconds,
                         const SimulationOptions& options) {
  SimulatedSearch search;
  std::deque<std::vector<Observation>> rounds;
  while (true) {
    while (rounds.size() < 2 && search.traces.size() < options.trials) {
      const size_t n = std::min(options.round_size, options.trials - search.traces.size());
      const Result<std::vector<KeyedTrace>> traces = strategy.propose(n);
      if (!traces || traces->empty()) break;
      std::vector<Observation> round;
      for (const Trace& trace : *traces) {
        Observation seen{.trace = trace, .seconds = seconds(trace)};
        if (options.answer) seen = options.answer(search.traces.size(), trace, seen.seconds);
        search.traces.push_back(hash(trace));
        if (!seen.rejected && seen.status == Status::ok)
          search.best_seconds = std::min(search.best_seconds, seen.seconds);
        round.push_back(std::move(seen));
      }
      rounds.push_back(std::move(round));
    }
    if (rounds.empty()) return search;
    strategy.observe(rounds.front());
    rounds.pop_front();
  }
}

Seconds toy_seconds(const Space& larger_space) {
  std::unordered_map<uint64_t, double> known;
  for (std::optional<Point> at = first_point(larger_space); at;
       at = next_point(larger_space, *at)) {
    const double m = std::log(static_cast<double>((*at)[0]) / 24),
                 n = std::log(static_cast<double>((*at)[1]) / 84);
    known[hash(larger_space.decode(*at))] =
        kToySeconds * (1 + 0.3 * m * m + 0.3 * n * n + ((*at)[2] == 1 ? 0 : 0.5));
  }
  return [known = std::move(known)](const Trace& trace) { return known.at(hash(trace)); };
}

double seconds_by_primitives(const Trace& trace) {
  std::istringstream words(print(trace));
  double factors = 0;
  for (std::string word, line; words >> word;) {
    if (word == "layout" || word == "loops:" || word == ";") continue;
    factors += 0.2 * (hashed(word) - 0.5);
  }
  return 1e-3 * std::exp(factors);
}

std::vector<std::optional<double>> NoisyScorer::score(std::span<const KeyedTrace> traces) {
  std::vector<std::optional<double>> scores;
  for (const Trace& trace : traces) {
    ++num_scored;
    const double error = error_fraction_ * (2 * hashed(print(trace)) - 1);
    const bool illegal = illegal_every_ > 0 && hash(trace) % illegal_every_ == 0;
    scores.push_back(illegal
                         ? std::nullopt
                         : std::optional<double>(-std::log(seconds_(trace)) * 1000 * (1 + error)));
  }
  return scores;
}

std::vector<double> LengthModel::predict(std::span<const ModelInput> inputs) {
  std::vector<double> scores;
  for (const ModelInput& input : inputs) {
    const auto known = by_length_.find(print(*input.program).size());
    scores.push_back(known == by_length_.end() ? 0 : -known->second.sum / known->second.count);
  }
  return scores;
}

void LengthModel::update(std::span<const CostSample> samples) {
  for (const CostSample& sample : samples) {
    if (!sample.seconds) continue;
    Mean& mean = by_length_[print(*sample.input.program).size()];
    mean.sum += *sample.seconds;
    mean.count += 1;
  }
}

}  // namespace dovetail::testing
