// SPDX-License-Identifier: Apache-2.0
#include "core/record/recalling_runner.h"

#include "core/base/check.h"

namespace dovetail {
namespace {

// A dead worker, a machine that was too busy, or a time that no device can reach says nothing about
// the candidate.
bool is_of_candidate(const Record& record, Caches caches) {
  const Status status = record.result.status;
  return record.kind == RecordKind::trial && record.caches == caches &&
         status != Status::worker_lost && status != Status::timeout && status != Status::impossible;
}

}  // namespace

RecallingRunner::RecallingRunner(Runner& device, const std::vector<Record>& earlier, Caches caches)
    : device_(device) {
  for (const Record& record : earlier) {
    if (!is_of_candidate(record, caches)) continue;
    const Result<Trace> trace = parse_trace(record.trace.text());  // not kept
    if (!trace) continue;
    MeasureResult result = record.result;
    result.times = {};  // this run spends no time on building or running it
    known_.try_emplace({record.task, hash(*trace)}, std::move(result));
  }
}

void RecallingRunner::submit(MeasureInput input) {
  if (input.purpose == Purpose::trial && !known_.empty()) {
    const auto found = known_.find({input.spec.text, hash(input.trace)});
    if (found != known_.end()) return asked_.emplace_back(found->second), void();
  }
  asked_.emplace_back(std::nullopt);
  device_.submit(std::move(input));
}

MeasureResult RecallingRunner::wait() {
  CHECK(!asked_.empty(), "something was submitted");
  std::optional<MeasureResult> known = std::move(asked_.front());
  asked_.pop_front();
  if (!known) return device_.wait();
  ++recalled_;
  return *std::move(known);
}

}  // namespace dovetail
