// SPDX-License-Identifier: Apache-2.0
#pragma once

// bench: times the best of a log beside other libraries and the best of other logs, in turn.
//
//   const Bench done = TRY(bench({.workloads = {"@nine.txt"}, .log = "tune.jsonl"}, {}));
//   ratios_of(done.report.rows[0]).ratio      the fastest peer's time over ours

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/bench/bench_report.h"
#include "campaign/bench/external_peers.h"
#include "campaign/listener.h"
#include "campaign/recorded_tasks.h"

namespace dovetail {

// In place of a log: default traces; in place of peers: none.
inline constexpr const char* kNone = "none";

struct BenchOptions {
  std::vector<std::string> workloads;
  std::string target = "cpu";
  std::string log;                   // "none": default traces
  std::vector<std::string> against;  // peers by name, and files; empty: all peers; "none"
  std::vector<std::string> beside;   // NAME=LOG: the best of other logs
  std::string cache;                 // campaign/cache_choice.h; empty: hot; without peers only
  std::string save;                  // file for rows, written as they are measured
  std::vector<std::string> shapes, constants;  // for models' inputs
  std::string border = {};                     // framework, or a file; empty: as tasks state it
};

// OtherLog: the best of another log, timed beside the best of --log: loops searched in one layout,
// another strategy, another version.
//
//   --beside nohw=nohw.jsonl     a column called nohw
//   --beside default=none        the default traces
//
// A task that the other log lacks, or whose trace this version rejects, is empty in that column,
// with one note: a default trace in its place would look like the best of a search.
struct OtherLog {
  std::string name;
  std::vector<std::optional<RecordedTask>> tasks;  // one per task of --log, in its order
};

struct BenchPlan {
  RecordedTasks recorded;
  std::vector<std::string> peers;      // to be run here
  std::vector<ExternalTime> external;  // measured elsewhere
  std::vector<OtherLog> beside;        // the best of other logs
  Caches caches = Caches::hot;         // state in which all is timed

  bool has_peers() const { return !peers.empty() || !external.empty(); }
};

struct Bench {
  std::unique_ptr<const BenchPlan> plan;  // owns the tasks of the report's rows
  BenchReport report;
  bool interrupted = false;
};

// Called with each row, `number` of `count`, as soon as it is measured.
using RowListener = std::function<void(const BenchRow& row, size_t number, size_t count)>;

// Errors: bad input, or a device or file that fails.
Result<Bench> bench(
    const BenchOptions& options, const Listener& listener,
    const RowListener& on_row = [](const BenchRow&, size_t, size_t) {});

}  // namespace dovetail
