// SPDX-License-Identifier: Apache-2.0
#pragma once

// The contents of logs, as tables for people and as JSON objects of one line.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/caches.h"
#include "core/record/log/best_record.h"
#include "core/record/log/log.h"
#include "core/record/statistics/log_stats.h"
#include "core/record/statistics/network_total.h"
#include "core/record/statistics/task_stats.h"
#include "report/tables/row_table.h"

namespace dovetail {

// The fastest valid record in some logs of one task on one target and device, timed in one state of
// the caches.
struct BestRow {
  std::string task;
  std::string target;
  std::string device;
  Caches caches = Caches::hot;
  std::string layer = {};  // its name in the log's workload; empty: none
  std::optional<BestTrial> best = {};
  std::string log = {};     // the best one's, else the first that has the task
  std::string record = {};  // the best one's name
  int64_t trials = 0;
  std::optional<double> default_seconds = {};
};

// Rows are in the order of the logs.
std::vector<BestRow> best_rows(std::span<const Log> logs);
// The networks of each campaign, each campaign's once, with their total times by these rows.
using NetworksOfCampaign = std::vector<NetworkTotal>;
std::vector<NetworksOfCampaign> networks_of(std::span<const Log> logs,
                                            std::span<const BestRow> rows);
// Facts that all rows share stand above the table:
//
//   a.jsonl on cpu, AMD EPYC (znver4), network:l3 caches
//
//   task   trials  default (us)  best (us)  +/- (%)  GFLOP/s  record  operator
//   conv1      17         8.568      7.521      0.4    160.1  #1.3    c2d:ci=3,co=16,…
//
//   a record is shown by dovetail show a.jsonl#1.3@OPERATOR
std::string best_table(std::span<const BestRow> rows,
                       std::span<const NetworksOfCampaign> campaigns);
std::string best_json(std::span<const BestRow> rows, std::span<const NetworksOfCampaign> campaigns);

// The cost models' table of `tune` and `log stats`, below the tasks' table; "" without a model:
//
//   operator               model    rounds  top-1  top-5   tau  last tau  training (ms)  warm start
//   gmm:m=512,n=512,k=512  xgboost      18   0.39   0.62  0.51      0.66             21       +0.08
//
// Means over the rounds (core/record/line/round_record.h); "warm start": what it added to tau.
struct ModelOfTask {
  std::string task = {};
  RoundStats model = {};
};
std::string model_table(const std::vector<ModelOfTask>& models);

NumberCell gain_cell(const std::optional<double>& gain);  // with its sign
auto fields_of(Of<RoundStats> auto& model) {
  return std::tuple(
      Field{"cost_model", model.cost_model, Column{"model"}},
      Field{"rounds", model.rounds, Column{"rounds"}},
      Field{"top_1_recall", model.top_1_recall, Column{"top-1", digits(2)}},
      Field{"top_5_recall", model.top_5_recall, Column{"top-5", digits(2)}},
      Field{"kendall_tau", model.kendall_tau, Column{"tau", digits(2)}},
      Field{"last_kendall_tau", model.last_kendall_tau, Column{"last tau", digits(2)}},
      Field{"top_1_speed", model.top_1_speed},
      Field{"training_seconds", model.training_seconds, Column{"training (ms)", digits(1, 1e3)}},
      Field{"warm_start_gain", model.warm_start_gain, Column{"warm start", gain_cell}});
}

// One row per campaign and task: counts, failures, default, best.
std::string stats_table(std::span<const Log> logs);
std::string stats_json(std::span<const Log> logs);

// One line per damaged line, and one that sums them up.
std::string check_text(const LogCheck& check);
std::string check_json(std::span<const LogCheck> checks);

// Counts of the campaigns and records that were written to `file`.
std::string counts_text(std::span<const Log> logs, const std::string& file, bool json);

}  // namespace dovetail
