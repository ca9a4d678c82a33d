// SPDX-License-Identifier: Apache-2.0
// The end of a campaign: the finalists are measured again, in turn and with fresh samples.
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "core/record/line/measure_result.h"
#include "search/tuner.h"

namespace dovetail {
namespace {

// The default trace is measured beside the finalists, once: what a campaign gained is then a ratio
// of times of the same minute, and no winner is slower than the default.
std::optional<Record> default_beside(const std::vector<Record>& finalists, const History& history) {
  const auto trials = history.trials();
  const auto found = std::ranges::find(trials, true, &Record::is_default);
  if (found == trials.end()) return std::nullopt;
  const auto is_measured = [&](std::span<const Record> records) {
    return std::ranges::find(records, found->trial, &Record::trial) != records.end();
  };
  if (is_measured(finalists) || is_measured(history.confirmations())) return std::nullopt;
  return *found;
}

}  // namespace

Result<void> Tuner::confirm() {
  std::vector<int64_t> failed;  // trials that did not pass a second time
  while (!abandoned()) {
    std::vector<Record> finalists =
        find_finalists(parts_.history.trials(), options_.finalists, failed);
    if (finalists.empty()) return {};
    report(Phase::confirming);
    const size_t contenders = finalists.size();
    if (auto by_default = default_beside(finalists, parts_.history))
      finalists.push_back(*std::move(by_default));
    const std::vector<Pending> pending = TRY(pending_confirmations(finalists));
    if (TRY(confirm_all(pending, contenders))) return {};
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

// True when any of the contenders, which come first, passed.
Result<bool> Tuner::confirm_all(const std::vector<Pending>& finalists, size_t contenders) {
  std::optional<std::vector<MeasureResult>> results = measure_in_turn(finalists);
  if (!results) return false;
  bool any_valid = false;
  for (size_t i = 0; i < finalists.size(); ++i) {
    const auto& earlier = finalists[i].earlier;
    const Status status = earlier ? earlier->result.status : (*results)[i].status;
    any_valid |= i < contenders && status == Status::ok;
    if (earlier)
      parts_.history.remember(*earlier);
    else
      TRY(parts_.history.add(make_record(finalists[i], std::move((*results)[i]))));
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
