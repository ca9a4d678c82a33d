// SPDX-License-Identifier: Apache-2.0
#include "search/proposer.h"

#include <algorithm>
#include <functional>

#include "core/base/stopwatch.h"

namespace dovetail {
std::optional<Proposal> Proposer::propose_default() {
  const Stopwatch watch;
  std::optional<Candidate> candidate = accept(space_.default_trace());
  if (!candidate) return std::nullopt;
  return Proposal{.candidate = std::move(*candidate),
                  .is_default = true,
                  .rejected = rejected_,
                  .search_seconds = watch.seconds()};
}

Result<std::vector<Proposal>> Proposer::propose(size_t n, const std::function<bool()>& goes_on) {
  std::vector<Proposal> proposals;
  const int64_t rejected_before = rejected_;
  const double scored_before = scorer_seconds();
  const Stopwatch watch;
  while (proposals.size() < n && !exhausted_ && !failed_) {
    const Result<std::vector<KeyedTrace>> traces = strategy_.propose(n - proposals.size());
    if (!traces) {
      failed_ = traces.error();
      break;
    }
    exhausted_ = traces->empty();
    for (const KeyedTrace& trace : *traces)
      if (std::optional<Candidate> candidate = accept(trace))
        proposals.push_back({.candidate = std::move(*candidate), .rejected = rejected_});
    misses_ = rejected_ - rejected_before;
    if (misses_ > kMostMisses) {
      exhausted_ = proposals.empty();
      break;
    }
    if (goes_on && proposals.size() < n && !exhausted_ && !goes_on()) break;
  }
  misses_ = 0;
  if (failed_ && proposals.empty()) return fail(failed_->message);
  if (!rejections_.empty() && !failed_) strategy_.observe(std::exchange(rejections_, {}));
  const double share = 1.0 / static_cast<double>(std::max<size_t>(proposals.size(), 1));
  const double scoring_seconds = scorer_seconds() - scored_before;
  const double search_seconds = watch.seconds() - scoring_seconds;
  const double model_seconds = rank(proposals) + scoring_seconds;
  for (Proposal& proposal : proposals) {
    proposal.search_seconds = search_seconds * share;
    proposal.model_seconds = model_seconds * share;
  }
  return proposals;
}

std::optional<Candidate> Proposer::accept(const KeyedTrace& trace) {
  if (seen_.insert(trace.key)) {
    Result<Candidate> candidate = make_(trace);
    if (candidate) return std::move(*candidate);
    last_rejection_ = candidate.error().message;
  }
  ++rejected_;
  rejections_.push_back({.trace = trace, .rejected = true});
  return std::nullopt;
}

double Proposer::rank(std::vector<Proposal>& proposals) {
  const Stopwatch watch;
  std::vector<ModelInput> inputs;
  for (const Proposal& proposal : proposals) inputs.push_back(model_input(proposal.candidate));
  const std::vector<double> scores = cost_model_.predict(inputs);
  for (size_t i = 0; i < proposals.size(); ++i) proposals[i].score = scores[i];
  std::ranges::stable_sort(proposals, std::greater(), &Proposal::score);
  return watch.seconds();
}

}  // namespace dovetail
