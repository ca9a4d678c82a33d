// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/recorded_results.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <istream>
#include <memory>
#include <optional>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/record/gzip.h"
#include "core/record/line/log_header.h"
#include "core/record/log/best_record.h"
#include "core/record/log/timed_caches.h"

namespace dovetail {
namespace {

// Hashes the parsed trace, because older versions may have printed the same trace otherwise.
std::optional<uint64_t> hash_of(const Record& record) {
  const Result<Trace> trace = parse_trace(record.trace.text());
  return trace ? std::optional(hash(*trace)) : std::nullopt;
}

void add_log(const Log& log, const std::string& target, const std::vector<std::string>& specs,
             RecordedResults& results) {
  const auto is_asked_for = [&](const Record& record) {
    return record.target == target && std::ranges::count(specs, record.task) > 0;
  };
  std::map<TrialKey, const Record*> trials;
  for (const Record& record : log.records) {
    if (record.kind != RecordKind::trial || !is_asked_for(record)) continue;
    trials[trial_key(record)] = &record;
    results.add(record);
  }
  for (const Record* record : last_sittings(log.records)) {
    const auto trial = trials.find(trial_key(*record));
    if (is_asked_for(*record) && trial != trials.end())
      results.add_confirmation(*trial->second, *record);
  }
}

// A measured space (T4) begins so; a log's first line has another field first.
bool is_measured_space(const std::string& path) {
  const Result<std::unique_ptr<std::istream>> file = open_text(path);
  constexpr std::string_view kBegin = "{\"schema_version\":";
  std::string begin(kBegin.size(), '\0');
  return file && (*file)->read(begin.data(), std::ssize(begin)) && begin == kBegin;
}

MeasureResult result_of(const PointResult& point) {
  MeasureResult result;
  result.status = point.status;
  result.times = {.build_seconds = point.build_seconds,
                  .run_seconds = point.run_seconds,
                  .check_seconds = point.check_seconds};
  if (point.status == Status::ok) {
    result.seconds = point.seconds;
    result.samples = {point.seconds};
  } else {
    result.reason = fmt::format("{} when the space was measured", print(point.status));
  }
  return result;
}

// A header with the device, as far as the space describes it.
LogHeader header_of(const MeasuredSpace& space) {
  LogHeader header;
  header.tool = space.tool;
  header.target = space.target;
  if (const Result<Target> target = parse_target(space.device); target && !space.device.empty()) {
    header.device = facets_of(*target);
    header.driver = target->driver;
  }
  return header;
}

const LogHeader* header_for(const Log& log, const std::string& target) {
  const auto found = std::ranges::find(log.headers, target, &LogHeader::target);
  return found == log.headers.end() ? nullptr : &*found;
}

}  // namespace

void RecordedResults::add(const Record& trial) {
  if (trial.result.status == Status::worker_lost) return;
  if (const std::optional<uint64_t> key = hash_of(trial))
    tasks_[trial.task].emplace(*key, Answers{trial.result});
}

void RecordedResults::add_confirmation(const Record& trial, const Record& confirmation) {
  if (confirmation.result.status == Status::worker_lost) return;
  const std::optional<uint64_t> key = hash_of(trial);
  auto& results = tasks_[trial.task];
  const auto found = key ? results.find(*key) : results.end();
  if (found == results.end() || found->second.confirmation) return;
  found->second.confirmation = confirmation.result;
}

void RecordedResults::add(const MeasuredSpace& space) {
  auto& results = tasks_[space.task];
  for (const PointResult& point : space.points)
    if (point.status != Status::worker_lost)
      results.emplace(point.trace_hash, Answers{result_of(point)});
}

const RecordedResults::Answers* RecordedResults::find(const std::string& spec,
                                                      uint64_t trace_hash) const {
  const auto task = tasks_.find(spec);
  if (task == tasks_.end()) return nullptr;
  const auto found = task->second.find(trace_hash);
  return found == task->second.end() ? nullptr : &found->second;
}

Result<void> RecordedResults::check(const std::string& spec, const KeyedTrace& trace) const {
  if (find(spec, trace.key) != nullptr) return {};
  return fail("the trace is not in {}", source_);
}

const MeasureResult& RecordedResults::trial(const std::string& spec, const Trace& trace) const {
  const Answers* const answers = find(spec, hash(trace));
  CHECK(answers != nullptr, "a trace without results was to be measured, of task " + spec);
  return answers->trial;
}

const MeasureResult& RecordedResults::confirmation(const std::string& spec,
                                                   const Trace& trace) const {
  const Answers* const answers = find(spec, hash(trace));
  const bool confirmed = answers != nullptr && answers->confirmation;
  return confirmed ? *answers->confirmation : trial(spec, trace);
}

Result<ReadResults> read_results(const std::vector<std::string>& files, const std::string& target,
                                 const std::vector<std::string>& specs,
                                 std::optional<Caches> caches) {
  ReadResults read{.results = RecordedResults(fmt::format("{}", fmt::join(files, ", "))),
                   .header = {},
                   .warnings = {}};
  std::optional<LogHeader> header;
  std::vector<Log> logs;
  for (const std::string& path : files) {
    if (is_measured_space(path)) {
      const MeasuredSpace space = TRY(read_measured_space(path));
      if (space.target != target || !std::ranges::count(specs, space.task)) continue;
      read.results.add(space);
      if (!header) header = header_of(space);
      continue;
    }
    const Log& log = logs.emplace_back(TRY(read_log(path)));
    for (const LogWarning& warning : log.warnings) read.warnings.push_back(print(warning, path));
    add_log(caches ? of_caches(log, *caches) : log, target, specs, read.results);
    if (const LogHeader* own = header_for(log, target); own && !header) header = *own;
  }
  for (const std::string& spec : specs) {
    if (read.results.has_task(spec)) continue;
    return fail("{} has no measurement of {} on {}", read.results.source(), spec, target);
  }
  read.caches = caches ? *caches : TRY(caches_of(logs));
  if (header) read.header = std::move(*header);
  return read;
}

void LogRunner::submit(MeasureInput input) {
  const std::string& spec = input.spec.text;
  answers_.push_back(input.purpose == Purpose::confirm ? results_.confirmation(spec, input.trace)
                                                       : results_.trial(spec, input.trace));
}

MeasureResult LogRunner::wait() {
  CHECK(!answers_.empty(), "nothing is in flight");
  MeasureResult answer = std::move(answers_.front());
  answers_.pop_front();
  const MeasureTimes& times = answer.times;
  seconds_ += times.build_seconds + times.check_seconds + times.run_seconds;
  return answer;
}

}  // namespace dovetail
