// SPDX-License-Identifier: Apache-2.0
#include "search/candidate.h"

#include <utility>

#include "primitives/apply.h"
#include "primitives/lowering/lower.h"

namespace dovetail {

Result<Candidate> materialize(const TaskSpec& spec, const Target& target, const KeyedTrace& trace) {
  const Schedule schedule = TRY(apply(trace, spec.region, spec.border, target));
  return Candidate{.trace = trace, .program = TRY(lower(schedule, target))};
}

ModelInput model_input(const Candidate& candidate) {
  if (candidate.known) return {.known = candidate.known.get()};
  return {.program = &candidate.program};
}

MakeCandidate by_lowering(const Space& space) {
  return [&space](const KeyedTrace& trace) {
    return materialize(space.spec(), space.target(), trace);
  };
}

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
