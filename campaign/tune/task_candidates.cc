// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/task_candidates.h"

#include <memory>
#include <string>

#include "search/candidate.h"
#include "search/keyed_trace.h"

namespace dovetail {
namespace {

TraceSet traces_of(const std::string& spec, std::span<const Record> records) {
  TraceSet traces;
  for (const Record& record : records) {
    if (record.task != spec || record.kind != RecordKind::trial) continue;
    // Only its hash is kept: a log may have many.
    if (const auto trace = parse_trace(record.trace.text())) traces.insert(hash(*trace));
  }
  return traces;
}

// Traces that are already measured are not built again, so without a cost model they are not even
// lowered: a campaign of 20,000 trials resumes in seconds.
MakeCandidate only_measurable(const TaskSpace& task, const CampaignPlan& plan,
                              std::span<const Record> earlier, const MakeCandidate& lower) {
  const bool needs_program = plan.options.cost_model != "none";
  if (plan.results) {
    return [&results = *plan.results, &task, needs_program,
            lower](const KeyedTrace& trace) -> Result<Candidate> {
      TRY(results.check(task.task.spec.text, trace));
      return needs_program ? lower(trace) : Candidate{.trace = trace, .program = {}};
    };
  }
  if (needs_program || earlier.empty()) return lower;
  return [known = traces_of(task.task.spec.text, earlier),
          lower](const KeyedTrace& trace) -> Result<Candidate> {
    if (known.contains(trace.key)) return Candidate{.trace = trace, .program = {}};
    return lower(trace);
  };
}

}  // namespace

// A program that a scorer lowered is reused when its candidate is measured.
CandidateSources candidates_of(const TaskSpace& task, const CampaignPlan& plan,
                               std::span<const Record> earlier) {
  const auto drafted = std::make_shared<DraftedCandidates>(by_lowering(task.space));
  const MakeCandidate keeping = [drafted, make = drafted->keeping()](const KeyedTrace& trace) {
    return make(trace);
  };
  const MakeCandidate lower = [drafted, &task](const KeyedTrace& trace) -> Result<Candidate> {
    if (std::optional<Candidate> known = drafted->take(trace)) return std::move(*known);
    return materialize(task.space.spec(), task.space.target(), trace);
  };
  return {.proposed = only_measurable(task, plan, earlier, lower),
          .scored = keeping,
          .drafted = keeping,
          .scoring_threads = 0};
}

}  // namespace dovetail
