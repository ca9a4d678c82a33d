// SPDX-License-Identifier: Apache-2.0
#pragma once

// BenchReport: the result of a bench: our time beside the peers' in each row, and ratios of the
// best peer's time to ours, so that more than 1 means that ours is faster.
//
//   ratio         best against best: any algorithm, activations in any one-to-one layout
//   ratio_direct  direct algorithms only, on both sides
//   ratio_row_major   framework layouts in and out, all conversions counted, on both sides
//
// `beside`: our kernels from other logs; ratios of their times to ours, column `free`.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/bench/bench_contest.h"
#include "campaign/bench/external_peers.h"
#include "campaign/recorded_tasks.h"
#include "core/ir/machine.h"

namespace dovetail {

// A task's result from one --beside log.
struct BesideRow {
  std::string name;                    // column name
  const RecordedTask* task = nullptr;  // nullptr: the log has none
  std::string algorithm = {};
  MeasureResult result = {};
};

struct BenchRow {
  const RecordedTask* task = nullptr;
  std::string algorithm = "direct";
  BenchTimes times;
  std::vector<ExternalTime> external;  // for this spec, one per peer
  std::vector<BesideRow> beside;       // one per column
};

struct BenchReport {
  const RecordedTasks* recorded = nullptr;
  std::vector<BenchRow> rows;       // in the order of recorded->tasks
  std::vector<std::string> peers;   // asked for, by name, external ones too: the columns
  std::vector<std::string> beside;  // names of the --beside logs: further columns
  Machine machine;
  Caches caches = Caches::hot;  // state in which all was timed
};

struct BenchRatios {
  std::string best_peer;  // the peer of `ratio`
  std::optional<double> ratio, row_major, direct;
  std::map<std::string, std::optional<double>> beside = {};  // by column
  std::string best_beside = {};
  std::optional<double> of_best_beside = {};
};
BenchRatios ratios_of(const BenchRow& row);

// Geometric means over the rows that were asked for; none where no row has the ratio. best_peer and
// best_beside stay empty.
BenchRatios geomeans_of(const BenchReport& report);

// Values of one row; none without a valid time.
std::optional<double> our_seconds(const BenchRow& row);
// The free column of one peer, measured here or elsewhere.
std::optional<double> peer_seconds(const BenchRow& row, const std::string& peer);
std::optional<double> seconds_of(const BesideRow& beside);
// None for regions without a product, to which the FMA peak does not apply.
std::optional<double> gflops_of(const BenchRow& row);
// None for regions with a product. Bytes of the tensors read and written, over the time.
std::optional<double> gbytes_per_second_of(const BenchRow& row);
// None for regions without a product.
std::optional<double> percent_of_peak_of(const BenchRow& row, const Machine& machine);

// Why a kernel of ours or of a peer has no time, a line each.
std::vector<std::string> problems_of(const BenchRow& row);

}  // namespace dovetail
