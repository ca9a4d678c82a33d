// SPDX-License-Identifier: Apache-2.0
#include "search/scorer.h"

#include <algorithm>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"

namespace dovetail {
namespace {

constexpr size_t kProgramsAtOnce = 64;  // bounds memory

}  // namespace

std::vector<std::optional<double>> ModelScorer::score(std::span<const KeyedTrace> traces) {
  std::vector<std::optional<double>> scores;
  while (!traces.empty()) {
    const size_t count = std::min(traces.size(), kProgramsAtOnce);
    score_some(traces.first(count), scores);
    traces = traces.subspan(count);
  }
  return scores;
}

void ModelScorer::score_some(std::span<const KeyedTrace> traces,
                             std::vector<std::optional<double>>& scores) {
  std::vector<std::optional<Candidate>> candidates(traces.size());
  for_each_in_parallel(
      traces.size(),
      [&](size_t i) {
        if (Result<Candidate> made = make_(traces[i])) candidates[i] = std::move(*made);
      },
      threads_);
  std::vector<ModelInput> inputs;
  for (const std::optional<Candidate>& candidate : candidates)
    if (candidate) inputs.push_back(model_input(*candidate));
  const Stopwatch watch;
  const std::vector<double> predicted = cost_model_.predict(inputs);
  model_seconds_ += watch.seconds();
  auto next = predicted.begin();
  for (const std::optional<Candidate>& candidate : candidates)
    scores.push_back(candidate ? std::optional<double>(*next++) : std::nullopt);
}

}  // namespace dovetail
