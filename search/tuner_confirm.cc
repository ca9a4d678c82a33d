// SPDX-License-Identifier: Apache-2.0
// The end of a campaign: the finalists are measured again, in turn and with fresh samples.
#include "core/record/line/measure_result.h"
#include "search/tuner.h"

namespace dovetail {
Result<void> Tuner::confirm() {
  std::vector<int64_t> failed;  // trials that did not pass a second time
  while (!abandoned()) {
    const std::vector<Record> finalists =
        find_finalists(parts_.history.trials(), options_.finalists, failed);
    if (finalists.empty()) return {};
    report(Phase::confirming);
    const std::vector<Pending> pending = TRY(pending_confirmations(finalists));
    if (TRY(confirm_all(pending))) return {};
    for (const Record& finalist : finalists) failed.push_back(finalist.trial);
  }
  return {};
}

Result<std::vector<Tuner::Pending>> Tuner::pending_confirmations(
    const std::vector<Record>& finalists) {
  std::vector<Pending> all;
  for (const Record& finalist : finalists) {
    const Trace trace = TRY(parse_trace(finalist.trace));
    Proposal proposal{.candidate = TRY(materialize(task_.spec, task_.target, trace)),
                      .is_default = finalist.is_default};
    Pending pending{
        .kind = RecordKind::confirmation,
        .trial = finalist.trial,
        .proposal = std::move(proposal),
        .earlier = TRY(parts_.history.recall(RecordKind::confirmation, finalist.trial, trace))};
    all.push_back(std::move(pending));
  }
  return all;
}

// True when any of them passed.
Result<bool> Tuner::confirm_all(const std::vector<Pending>& finalists) {
  std::optional<std::vector<MeasureResult>> results = measure_in_turn(finalists);
  if (!results) return false;
  bool any_valid = false;
  for (size_t i = 0; i < finalists.size(); ++i) {
    if (finalists[i].earlier) {
      any_valid |= finalists[i].earlier->result.status == Status::ok;
      parts_.history.remember(*finalists[i].earlier);
    } else {
      any_valid |= (*results)[i].status == Status::ok;
      TRY(parts_.history.add(make_record(finalists[i], std::move((*results)[i]))));
    }
  }
  return any_valid;
}

// No value: interrupted, or the device was lost. Results that the log answered are empty.
std::optional<std::vector<MeasureResult>> Tuner::measure_in_turn(
    const std::vector<Pending>& finalists) {
  std::vector<size_t> order;
  for (int pass = 0; pass < options_.confirmation_passes; ++pass) {
    for (size_t i = 0; i < finalists.size(); ++i) {
      if (finalists[i].earlier) continue;
      order.push_back(i);
      MeasureInput input = measure_input(finalists[i]);
      input.thorough = pass == 0;  // real data once; the other passes are for their samples
      parts_.runner.submit(std::move(input));
    }
  }
  std::vector<std::vector<MeasureResult>> passes(finalists.size());
  for (const size_t i : order) {
    if (stop_if_interrupted()) return std::nullopt;
    passes[i].push_back(parts_.runner.wait());
    notice_lost_device(passes[i].back());
    if (abandoned()) return std::nullopt;
    report(Phase::confirming);
  }
  std::vector<MeasureResult> results(finalists.size());
  for (size_t i = 0; i < finalists.size(); ++i)
    if (!finalists[i].earlier) results[i] = pooled(std::move(passes[i]));
  return results;
}

}  // namespace dovetail
