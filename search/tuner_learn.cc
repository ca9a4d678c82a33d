// SPDX-License-Identifier: Apache-2.0
// The end of a complete round: the cost model and the strategy learn, and the model is judged.
#include "core/base/stopwatch.h"
#include "search/history.h"
#include "search/tuner.h"

namespace dovetail {

// The last round may be measured only in part, when the campaign ends.
Result<void> Tuner::learn_oldest_round() {
  const Round round = std::move(rounds_.front());
  rounds_.pop_front();
  std::vector<const Pending*> trials;
  std::vector<const Record*> results;
  for (size_t i = 0; i < round.results.size(); ++i) {
    if (round.pending[i].kind != RecordKind::trial) continue;
    trials.push_back(&round.pending[i]);
    results.push_back(&round.results[i]);
  }
  if (trials.empty()) return {};
  return learn(trials, results);
}

Result<void> Tuner::learn(std::span<const Pending* const> trials,
                          std::span<const Record* const> results) {
  std::vector<Observation> observations;
  std::vector<CostSample> samples;
  std::vector<ScoredResult> scored;
  for (size_t i = 0; i < trials.size(); ++i) {
    const Proposal& proposal = trials[i]->proposal;
    const MeasureResult& result = results[i]->result;
    observations.push_back(
        {.trace = proposal.candidate.trace, .status = result.status, .seconds = result.seconds});
    samples.push_back({.input = model_input(proposal.candidate), .seconds = std::nullopt});
    if (result.status == Status::ok) samples.back().seconds = result.seconds;
    if (!proposal.score) continue;
    scored.push_back({.score = *proposal.score,
                      .fresh_score = proposal.fresh_score,
                      .seconds = samples.back().seconds});
  }
  const Stopwatch training;
  parts_.cost_model.update(samples);
  const double training_seconds = training.seconds();
  ++rounds_finished_;
  if (parts_.fresh_model && rounds_finished_ <= options_.fresh_rounds)
    parts_.fresh_model->update(samples);
  training_seconds_ += training.seconds();
  const Stopwatch observing;
  parts_.strategy.observe(observations);
  observing_seconds_ += observing.seconds();
  if (task_.cost_model.empty()) return {};
  std::optional<RoundRecord> round = judge_round(scored);
  if (!round) return {};
  round->round = rounds_finished_;
  round->campaign = task_.prototype.campaign;
  round->task = task_.prototype.task;
  round->target = task_.prototype.target;
  round->cost_model = task_.cost_model;
  round->first_trial = trials.front()->trial;
  round->training_seconds = training_seconds;
  round->elapsed_seconds = results.back()->elapsed_seconds;
  return parts_.history.add_round(std::move(*round));
}

// Runs before any of the round is measured, as the ranking by the main model does.
void Tuner::score_by_fresh_model(std::vector<Proposal>& proposals) const {
  if (!parts_.fresh_model || rounds_started_ > options_.fresh_rounds) return;
  std::vector<ModelInput> inputs;
  for (const Proposal& proposal : proposals) inputs.push_back(model_input(proposal.candidate));
  const std::vector<double> scores = parts_.fresh_model->predict(inputs);
  for (size_t i = 0; i < proposals.size(); ++i) proposals[i].fresh_score = scores[i];
}

// Learning time since the last proposals is charged to the next ones, in equal parts.
void Tuner::charge_learning(std::vector<Proposal>& proposals) {
  if (proposals.empty()) return;
  const double share = 1 / static_cast<double>(proposals.size());
  for (Proposal& proposal : proposals) {
    proposal.model_seconds += share * training_seconds_;
    proposal.search_seconds += share * observing_seconds_;
  }
  training_seconds_ = observing_seconds_ = 0;
}

}  // namespace dovetail
