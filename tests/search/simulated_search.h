// SPDX-License-Identifier: Apache-2.0
#pragma once

// A search without a device: a strategy, and a function that says how long a trace takes. Rounds
// are kept two deep, as the tuner keeps them.

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "search/scorer.h"
#include "search/strategies/strategies.h"

namespace dovetail::testing {

using Seconds = std::function<double(const Trace&)>;

struct SimulatedSearch {
  std::vector<uint64_t> traces;  // hashes, in order
  double best_seconds = std::numeric_limits<double>::infinity();
};

struct SimulationOptions {
  size_t trials = 200;
  size_t round_size = 16;
  // It says what becomes of the i-th trace: its seconds unless told otherwise.
  std::function<Observation(size_t, const Trace&, double)> answer = {};
};

SimulatedSearch simulate(Strategy& strategy, const Seconds& seconds,
                         const SimulationOptions& options = {});

// The times of larger_space() are smooth in the tiles, with one optimum of kToySeconds at 24 x 84,
// parallel.
inline constexpr double kToySeconds = 1e-3;
Seconds toy_seconds(const Space& larger_space);

// In any space a time is the product of one factor for each primitive of the trace, so that traces
// with much in common take similar times.
double seconds_by_primitives(const Trace& trace);

// NoisyScorer scores as a good model would: by the logarithm of the speed, off by up to
// `error_fraction` of it. It says nothing of a trace whose hash is divisible by `illegal_every`.
class NoisyScorer final : public Scorer {
 public:
  NoisyScorer(Seconds seconds, double error_fraction, uint64_t illegal_every = 0)
      : seconds_(std::move(seconds)),
        error_fraction_(error_fraction),
        illegal_every_(illegal_every) {}
  std::vector<std::optional<double>> score(std::span<const KeyedTrace> traces) override;
  double model_seconds() const override { return 0; }
  size_t num_scored = 0;

 private:
  Seconds seconds_;
  double error_fraction_;
  uint64_t illegal_every_;
};

// LengthModel is a cost model that learns the mean time of programs that print as long.
class LengthModel final : public CostModel {
 public:
  std::vector<double> predict(std::span<const ModelInput> inputs) override;
  void update(std::span<const CostSample> samples) override;

 private:
  struct Mean {
    double sum = 0;
    double count = 0;
  };
  std::map<size_t, Mean> by_length_;
};

}  // namespace dovetail::testing
