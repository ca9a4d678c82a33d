// SPDX-License-Identifier: Apache-2.0
#pragma once

// bench: the best of a log beside other libraries, and beside the best of other logs, in turn.
//
//   const Bench done = TRY(bench({.workloads = {"@nine.txt"}, .log = "tune.jsonl"}, {}));
//   ratios_of(done.report.rows[0]).ratio      the fastest peer's time over ours

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "campaign/bench/bench_beside.h"
#include "campaign/bench/bench_report.h"
#include "campaign/bench/external_peers.h"
#include "campaign/listener.h"
#include "campaign/recorded_tasks.h"

namespace dovetail {

struct BenchOptions {
  std::vector<std::string> workloads;
  std::string target = "cpu";
  std::string log;                   // "none": default traces
  std::vector<std::string> against;  // peers by name, and files; empty: all peers; "none"
  std::vector<std::string> beside;   // NAME=LOG: the best of other logs
  std::string save;                  // rows are kept here as they are measured
  std::vector<std::string> shapes;
  std::string border = {};  // framework, or a file; empty: as tasks state it
};

struct BenchPlan {
  RecordedTasks recorded;
  std::vector<std::string> peers;      // to be run here
  std::vector<ExternalTime> external;  // measured elsewhere
  std::vector<Beside> beside;          // the best of other logs

  bool has_peers() const { return !peers.empty() || !external.empty(); }
};

struct Bench {
  std::unique_ptr<const BenchPlan> plan;  // the report's rows are of its tasks
  BenchReport report;
  bool interrupted = false;
};

// Told of each row, of so many, as soon as it is measured.
using RowListener = std::function<void(const BenchRow& row, size_t number, size_t count)>;

// An error is bad input, or a device or file that fails.
Result<Bench> bench(
    const BenchOptions& options, const Listener& listener,
    const RowListener& on_row = [](const BenchRow&, size_t, size_t) {});

}  // namespace dovetail
