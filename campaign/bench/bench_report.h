// SPDX-License-Identifier: Apache-2.0
#pragma once

// BenchReport, the outcome of a bench: rows of our time beside the peers', and ratios of the best
// peer's time to ours, so that more than 1 is ours being faster.
//
//   ratio         best against best: any algorithm, activations in any one-to-one layout
//   ratio_direct  direct algorithms only, on both sides
//   ratio_plain   framework layouts in and out, all conversions counted, on both sides
//
// `beside` are kernels of ours, from other logs: ratios of their times to ours, column `free`.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/bench/bench_contest.h"
#include "campaign/bench/external_peers.h"
#include "campaign/machine.h"
#include "campaign/recorded_tasks.h"

namespace dovetail {

// The log beside has this for a task.
struct BesideRow {
  std::string name;                    // of the column
  const RecordedTask* task = nullptr;  // nullptr: the log has none
  std::string algorithm = {};
  MeasureResult result = {};
};

struct BenchRow {
  const RecordedTask* task = nullptr;
  std::string algorithm = "direct";
  BenchTimes times;
  std::vector<ExternalTime> external;  // of this spec, one a peer
  std::vector<BesideRow> beside;       // one a column
};

struct BenchReport {
  const RecordedTasks* recorded = nullptr;
  std::vector<BenchRow> rows;       // of recorded->tasks
  std::vector<std::string> peers;   // asked for, by name, external ones too: the columns
  std::vector<std::string> beside;  // names of the logs beside: further columns
  Machine machine;
  Caches caches = Caches::hot;  // in which all was timed
};

struct BenchRatios {
  std::string best_peer;  // of `ratio`
  std::optional<double> ratio, plain, direct;
  std::map<std::string, std::optional<double>> beside = {};  // by the column
  std::string best_beside = {};
  std::optional<double> of_best_beside = {};
};
BenchRatios ratios_of(const BenchRow& row);

// Geometric means over the rows, all that were asked for; one is missing where no row has its
// ratio. They are of no peer, and of no log beside.
BenchRatios geomeans_of(const BenchReport& report);

// These belong to one row; they have no value where there is no valid time.
std::optional<double> our_seconds(const BenchRow& row);
// The free column of one peer, measured here or elsewhere.
std::optional<double> peer_seconds(const BenchRow& row, const std::string& peer);
std::optional<double> seconds_of(const BesideRow& beside);
// Of regions with a product, which is what the FMA peak is of.
std::optional<double> gflops_of(const BenchRow& row);
// Of all others: the bytes of the tensors that the region is given and makes, over the time.
std::optional<double> gbytes_per_second_of(const BenchRow& row);
// There is none of regions without a product.
std::optional<double> percent_of_peak_of(const BenchRow& row, const Machine& machine);

// Why a kernel of ours or of a peer has no time, a line each.
std::vector<std::string> problems_of(const BenchRow& row);

std::string json_text(const BenchReport& report);

}  // namespace dovetail
