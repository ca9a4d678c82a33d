// SPDX-License-Identifier: Apache-2.0
#pragma once

// RecordedResults: measurements of the traces of some tasks, from logs or completely measured
// spaces, to search without a device.
//
//   RecordedResults results = TRY(read_results({"a.jsonl", "space.json.gz"}, "cpu", {spec}));
//   TRY(results.check(spec, trace));           // error: the trace is not in a.jsonl, space.json.gz
//   results.trial(spec, trace)                 // what it took, or how it failed
//   results.confirmation(spec, trace)          // the same with fresh samples, where there are any
//
// A trace that was measured several times keeps its first result, in the order of the files and
// their lines: with one time per trace, the same search repeats exactly. Records of a lost worker
// are left out, because they tell nothing about the candidate.

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
  // Adds all points, with the times of the space: a confirmed time for the best.
  void add(const MeasuredSpace& space);

  bool has_task(const std::string& spec) const { return tasks_.contains(spec); }
  // Fails for a trace that has no measurement.
  Result<void> check(const std::string& spec, const KeyedTrace& trace) const;
  // Precondition: check() accepts the trace.
  const MeasureResult& trial(const std::string& spec, const Trace& trace) const;
  const MeasureResult& confirmation(const std::string& spec, const Trace& trace) const;
  const std::string& source() const { return source_; }  // file names, for messages

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
  LogHeader header;  // first campaign that was used, which names the device
  Caches caches = Caches::hot;
  std::vector<std::string> warnings;
};

// Reads the records of these tasks on this target, from logs and measured spaces (told apart by how
// the files begin). An error names the file that cannot be read, or the task that none of them has.
// Without `caches`, all logs must be timed in one state of the caches. Spaces are hot.
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
// The clock is simulated: it advances by the build, check and run time of each answer, one after
// the other, and by nothing else. So a limit of seconds stops at the same trial every time, and a
// search of an hour is repeated in seconds. The search's own time is left out, since it varies from
// run to run. (Kernel Tuner's simulation counts the same three.)
class LogRunner final : public Runner {
 public:
  // The results must outlive this.
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
