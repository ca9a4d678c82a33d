// SPDX-License-Identifier: Apache-2.0
#include "search/drafted_candidates.h"

#include <utility>

namespace dovetail {

MakeCandidate DraftedCandidates::keeping() {
  return [this](const KeyedTrace& trace) -> Result<Candidate> {
    Result<Candidate> candidate = make_(trace);
    if (candidate) keep(trace.key, *candidate);
    return candidate;
  };
}

void DraftedCandidates::keep(uint64_t key, const Candidate& candidate) {
  const std::scoped_lock lock(mutex_);
  if (!kept_.try_emplace(key, candidate).second) return;
  order_.push_back(key);
  if (order_.size() <= kMostKept) return;
  kept_.erase(order_.front());
  order_.pop_front();
}

std::optional<Candidate> DraftedCandidates::take(const KeyedTrace& trace) {
  const std::scoped_lock lock(mutex_);
  auto taken = kept_.extract(trace.key);
  if (!taken) return std::nullopt;
  std::erase(order_, taken.key());
  return std::move(taken.mapped());
}

}  // namespace dovetail
