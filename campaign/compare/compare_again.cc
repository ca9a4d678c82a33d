// SPDX-License-Identifier: Apache-2.0
#include "campaign/compare/compare_again.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "core/base/fail.h"
#include "core/base/stopwatch.h"
#include "core/record/line/measure_result.h"
#include "core/record/log/log.h"
#include "measure/runner/local_runner.h"
#include "search/candidate.h"
#include "search/compare/simulate/space_from_records.h"

namespace dovetail {
namespace {

// The times in the log's last campaign, if it has all of the traces with as many passes.
std::optional<SecondsByTrace> known_seconds(const AgainRequest& request) {
  std::error_code absent;
  if (!std::filesystem::exists(request.log, absent)) return std::nullopt;
  const Result<Log> log = read_log(request.log);
  if (!log || log->headers.empty()) return std::nullopt;
  const LogHeader& last = log->headers.back();
  const auto passes = last.options.find("passes");
  if (passes == last.options.end() || passes->second != OptionValue(request.passes))
    return std::nullopt;
  std::set<std::string> had;
  SecondsByTrace seconds;
  for (const Record& record : log->records) {
    if (record.campaign != last.campaign) continue;
    had.insert(record.trace.text());
    if (record.result.status == Status::ok) seconds[record.trace.text()] = record.result.seconds;
  }
  const auto is_known = [&](const std::string& trace) { return had.contains(trace); };
  if (!std::ranges::all_of(request.traces, is_known)) return std::nullopt;
  return seconds;
}

// The fastest pass, if all are valid: each trace has as many passes, and noise only ever adds time
// (J. Chen, J. Revels, "Robust benchmarking in noisy environments", 2016). A clock that alternates
// between two frequencies moves a median, but not a minimum.
MeasureResult fastest(std::vector<MeasureResult> passes) {
  if (!std::ranges::all_of(passes, [](const MeasureResult& p) { return p.status == Status::ok; }))
    return pooled(std::move(passes));
  return std::move(*std::ranges::min_element(passes, {}, &MeasureResult::seconds));
}

class RemeasureSession {
 public:
  RemeasureSession(const AgainRequest& request, LocalRunner& runner, const Listener& listener)
      : request_(request), runner_(runner), listener_(listener), passes_(request.traces.size()) {}

  // Returns false if interrupted. One at a time: nothing is built while something is timed.
  Result<bool> run() {
    for (int64_t pass = 0; pass < request_.passes; ++pass) {
      listener_.note(fmt::format("{}: the {} best traces again, pass {} of {}", space().task.name,
                                 request_.traces.size(), pass + 1, request_.passes));
      for (size_t i = 0; i < request_.traces.size(); ++i) {
        // Real data once; later passes are for samples.
        runner_.submit(TRY(input(i, pass == 0 ? Purpose::confirm : Purpose::remeasure)));
        passes_[i].push_back(runner_.wait());
        if (listener_.interrupted()) return false;
      }
    }
    return true;
  }

  Result<SecondsByTrace> write() {
    LogHeader header = header_of(request_.plan);
    header.options = {{"passes", request_.passes}};
    OpenedLog log = TRY(open_for_tune(request_.log, LogMode::append, header));
    SecondsByTrace seconds;
    for (size_t i = 0; i < passes_.size(); ++i) {
      Record record;
      record.trial = static_cast<int64_t>(i) + 1;
      record.campaign = log.writer.header().campaign;
      record.task = space().task.spec.text;
      record.target = print(request_.plan.target.name);
      record.trace = request_.traces[i];
      record.strategy = "given";
      record.result = fastest(std::move(passes_[i]));
      record.elapsed_seconds = watch_.seconds();
      TRY(log.writer.append(record));
      if (record.result.status == Status::ok) seconds[record.trace.text()] = record.result.seconds;
    }
    TRY(log.writer.sync());
    return seconds;
  }

 private:
  const TaskSpace& space() const { return request_.plan.spaces.front(); }

  Result<MeasureInput> input(size_t i, Purpose purpose) const {
    const Trace trace = TRY(parse_trace(request_.traces[i]));
    Candidate candidate = TRY(materialize(space().space.spec(), request_.plan.target, trace));
    MeasureInput input;
    input.trial = static_cast<int64_t>(i) + 1;
    input.spec = space().task.spec;
    input.target = print(request_.plan.target.name);
    input.trace = trace;
    input.program = std::move(candidate.program);
    input.purpose = purpose;
    return input;
  }

  const AgainRequest& request_;
  LocalRunner& runner_;
  const Listener& listener_;
  std::vector<std::vector<MeasureResult>> passes_;  // by trace
  Stopwatch watch_;
};

}  // namespace

std::vector<std::string> best_so_far_traces(std::span<const Record> records) {
  std::vector<std::string> traces;
  double best = std::numeric_limits<double>::infinity();
  for (const Record& record : records) {
    if (record.kind != RecordKind::trial || record.result.status != Status::ok) continue;
    if (record.result.seconds >= best) continue;
    best = record.result.seconds;
    traces.push_back(record.trace.text());
  }
  return traces;
}

Result<std::optional<SecondsByTrace>> measure_again(const AgainRequest& request,
                                                    const Listener& listener) {
  if (std::optional<SecondsByTrace> known = known_seconds(request)) return known;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(request.log).parent_path(), error);
  if (error) return fail("cannot make a folder for {}: {}", request.log, error.message());
  const std::unique_ptr<LocalRunner> runner = TRY(make_local_runner(request.plan.target, {}));
  RemeasureSession sitting(request, *runner, listener);
  if (!TRY(sitting.run())) return std::optional<SecondsByTrace>();
  return std::optional<SecondsByTrace>(TRY(sitting.write()));
}

std::vector<Evaluation> judged_evaluations(std::span<const Record> records,
                                           const SecondsByTrace& seconds) {
  std::vector<Evaluation> evaluations;
  double best = std::numeric_limits<double>::infinity();  // by the run's own times
  std::optional<double> held;                             // by the new ones
  for (const Record& record : records) {
    if (record.kind != RecordKind::trial) continue;
    Evaluation evaluation = evaluation_of(record.result);
    if (record.result.status == Status::ok) {
      const auto judged = seconds.find(record.trace.text());
      if (record.result.seconds < best && judged != seconds.end())
        held = std::min(held.value_or(judged->second), judged->second);
      best = std::min(best, record.result.seconds);
      evaluation.seconds = held;
    }
    evaluations.push_back(evaluation);
  }
  return evaluations;
}

}  // namespace dovetail
