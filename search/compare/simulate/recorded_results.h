// SPDX-License-Identifier: Apache-2.0
#pragma once

// RecordedResults: what logs, or spaces that were measured completely, say of the traces of some
// tasks, to search without a device.
//
//   RecordedResults results = TRY(read_results({"a.jsonl", "space.json.gz"}, "cpu", {spec}));
//   TRY(results.check(spec, trace));           // error: the trace is not in a.jsonl, space.json.gz
//   results.trial(spec, trace)                 // what it took, or how it failed
//   results.confirmation(spec, trace)          // the same with fresh samples, where there are any
//
// A trace that was measured several times counts as it was measured first, in the order of the
// files and their lines: one time a trace, or the same search would not repeat. Records of a worker
// that was lost are left out, because they say nothing about the candidate.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "core/record/export/measured_space.h"
#include "core/record/line/caches.h"
#include "core/record/log/log.h"
#include "core/record/runner.h"
#include "search/keyed_trace.h"

namespace dovetail {

class RecordedResults {
 public:
  explicit RecordedResults(std::string source) : source_(std::move(source)) {}

  void add(const Record& trial);
  void add_confirmation(const Record& trial, const Record& confirmation);
  // All points, each with the time that its space gives it: of the best, the confirmed one.
  void add(const MeasuredSpace& space);

  bool has_task(const std::string& spec) const { return tasks_.contains(spec); }
  // Fails for a trace that cannot be measured, and says why.
  Result<void> check(const std::string& spec, const KeyedTrace& trace) const;
  // Answers for traces that check() accepts.
  const MeasureResult& trial(const std::string& spec, const Trace& trace) const;
  const MeasureResult& confirmation(const std::string& spec, const Trace& trace) const;
  const std::string& source() const { return source_; }  // the logs, for messages

 private:
  struct Answers {
    MeasureResult trial;
    std::optional<MeasureResult> confirmation = {};
  };
  const Answers* find(const std::string& spec, uint64_t trace_hash) const;

  std::string source_;
  std::map<std::string, std::unordered_map<uint64_t, Answers>> tasks_;
};

struct ReadResults {
  RecordedResults results;
  LogHeader header;  // of the first campaign that was used: whose device it was
  Caches caches = Caches::hot;
  std::vector<std::string> warnings;
};

// The records of these tasks on this target, from logs and measured spaces (told apart by how the
// files begin). An error names the file that cannot be read, or the task that none of them has.
//
// Where no `caches` are chosen, the times of all logs must be of one state. Spaces are hot.
Result<ReadResults> read_results(const std::vector<std::string>& files, const std::string& target,
                                 const std::vector<std::string>& specs,
                                 std::optional<Caches> caches = std::nullopt);

// LogRunner: answers measurements from logs instead of a device, for --results-from and for
// comparing strategies on spaces that were measured completely.
//
//   LogRunner runner(results, /*start_seconds=*/0);
//   runner.submit({.spec = spec, .trace = trace});     // a trace that results.check() accepts
//   runner.wait();                                 // as it was measured
//   runner.seconds();                              // what that took then: build, check and run
//
// The clock is simulated: it moves by what each answer took when it was measured, one after the
// other, and by nothing else. So a limit of seconds stops at the same trial every time, and a
// search of an hour is repeated in seconds. The search's own time is left out, since it is not the
// same twice. (Kernel Tuner's simulation counts the same three.)
class LogRunner final : public Runner {
 public:
  // The results outlive it.
  LogRunner(const RecordedResults& results, double start_seconds)
      : results_(results), seconds_(start_seconds) {}

  void submit(MeasureInput input) override;
  MeasureResult wait() override;
  size_t in_flight() const override { return answers_.size(); }

  double seconds() const { return seconds_; }

 private:
  const RecordedResults& results_;
  double seconds_;
  std::deque<MeasureResult> answers_;
};

}  // namespace dovetail
