// SPDX-License-Identifier: Apache-2.0
#include "search/candidate.h"

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

}  // namespace dovetail
