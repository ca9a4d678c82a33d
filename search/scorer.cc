// SPDX-License-Identifier: Apache-2.0
#include "search/scorer.h"

#include <algorithm>

#include "search/stopwatch.h"

namespace dovetail {
namespace {

constexpr size_t kProgramsAtOnce = 64;  // in memory

}  // namespace

std::vector<std::optional<double>> ModelScorer::score(std::span<const Trace> traces) {
  std::vector<std::optional<double>> scores;
  while (!traces.empty()) {
    const size_t count = std::min(traces.size(), kProgramsAtOnce);
    score_some(traces.first(count), scores);
    traces = traces.subspan(count);
  }
  return scores;
}

void ModelScorer::score_some(std::span<const Trace> traces,
                             std::vector<std::optional<double>>& scores) {
  std::vector<Candidate> candidates;
  std::vector<bool> legal;
  for (const Trace& trace : traces) {
    Result<Candidate> candidate = make_(trace);
    legal.push_back(candidate.has_value());
    if (candidate) candidates.push_back(std::move(*candidate));
  }
  std::vector<ModelInput> inputs;
  for (const Candidate& candidate : candidates) inputs.push_back(model_input(candidate));
  const Stopwatch watch;
  const std::vector<double> predicted = cost_model_.predict(inputs);
  model_seconds_ += watch.seconds();
  auto next = predicted.begin();
  for (const bool is_legal : legal)
    scores.push_back(is_legal ? std::optional<double>(*next++) : std::nullopt);
}

}  // namespace dovetail
