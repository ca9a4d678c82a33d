// SPDX-License-Identifier: Apache-2.0
#include "search/candidate.h"

#include "primitives/apply.h"
#include "primitives/lowering/lower.h"

namespace dovetail {

Result<Candidate> materialize(const Operator& op, const Target& target, const Trace& trace) {
  const Schedule schedule = TRY(apply(trace, op, target));
  return Candidate{.trace = trace, .program = TRY(lower(schedule, target))};
}

}  // namespace dovetail
