// SPDX-License-Identifier: Apache-2.0
//
// How well cost models rank what was measured: rebuilds the candidates of a log, extracts their
// features, and lets each model order them.
//   build/release/tests/cost_model_bench LOG.jsonl [RECORDS_A_TASK]
//
// `roofline`  the analytic estimate
// `own`       trained on the first half of a task's records, asked about the second
// `transfer`  trained on all tasks of other operators, never on this one's
// `warm`      `transfer`, trained further on the first half of the task's records
// Also prints the cost of extraction and training.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>

#include "core/base/check.h"
#include "core/record/log/log.h"
#include "costmodel/boosted_trees.h"
#include "costmodel/features/features.h"
#include "costmodel/rank_quality.h"
#include "search/candidate.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// The milliseconds are those of this thread: other programs do not count.
double cpu_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}
double milliseconds_since(double start) { return cpu_milliseconds() - start; }

struct Measured {
  std::vector<FeatureVector> features;
  std::vector<std::optional<double>> seconds;
};

struct TaskData {
  std::string spec;
  Measured first, second;  // halves of the records, in the log's order
};

struct Costs {
  double features_ms = 0, lower_ms = 0, worst_ms = 0;
  int candidates = 0;
};

void add(const Record& record, const Target& target, Measured& into, Costs& costs) {
  const auto lowering = cpu_milliseconds();
  const Operator op = right(parse_operator(record.task));
  const Trace trace = right(record.trace.value());
  const Candidate candidate = right(materialize(op, target, trace));
  costs.lower_ms += milliseconds_since(lowering);
  const auto start = cpu_milliseconds();
  into.features.push_back(extract_features(candidate.program, target));
  const double ms = milliseconds_since(start);
  costs.features_ms += ms;
  costs.worst_ms = std::max(costs.worst_ms, ms);
  ++costs.candidates;
  const bool ok = record.result.status == Status::ok;
  into.seconds.push_back(ok ? std::optional(record.result.seconds) : std::nullopt);
}

Target target_of(const LogHeader& header) {
  std::string text = "name=" + header.target + "\n";
  for (const auto& [key, value] : header.device.more) text += key + "=" + value + "\n";
  return right(parse_target(text));
}

std::vector<TaskData> read_tasks(const std::string& path, size_t per_task, Costs& costs) {
  std::map<std::string, std::vector<Record>> records;
  std::optional<Target> target;
  const Result<void> scanned = scan_log(path, [&](LogLine& line) -> Result<void> {
    if (auto* header = std::get_if<LogHeader>(&line.content)) target = target_of(*header);
    auto* record = std::get_if<Record>(&line.content);
    if (record == nullptr || record->kind != RecordKind::trial) return {};
    std::vector<Record>& list = records[record->task];
    if (list.size() < per_task) list.push_back(std::move(*record));
    return {};
  });
  CHECK(scanned.has_value(), scanned ? "" : scanned.error().message);
  std::vector<TaskData> tasks;
  for (const auto& [spec, list] : records) {
    TaskData task{.spec = spec, .first = {}, .second = {}};
    for (size_t i = 0; i < list.size(); ++i) {
      add(list[i], *target, i < list.size() / 2 ? task.first : task.second, costs);
    }
    tasks.push_back(std::move(task));
  }
  return tasks;
}

void append(const Measured& measured, TrainingRows& rows) {
  double best = 0;
  for (const auto& seconds : measured.seconds) {
    if (seconds) best = std::max(best, 1 / *seconds);
  }
  for (size_t i = 0; i < measured.features.size(); ++i) {
    rows.features.push_back(measured.features[i]);
    rows.labels.push_back(measured.seconds[i] ? static_cast<float>(1 / *measured.seconds[i] / best)
                                              : 0);
  }
}

size_t feature(std::string_view name) {
  const auto names = feature_names();
  const auto it = std::ranges::find(names, name);
  CHECK(it != names.end(), "no such feature");
  return static_cast<size_t>(it - names.begin());
}

std::vector<double> negated(const std::vector<FeatureVector>& rows, size_t column) {
  std::vector<double> values;
  for (const FeatureVector& row : rows) values.push_back(-row[column]);
  return values;
}

std::string kind_of(const std::string& spec) { return spec.substr(0, spec.find(':')); }

struct Mean {
  RankQuality sum;
  int count = 0;
  void add(const RankQuality& q) {
    sum.top_1_recall += q.top_1_recall;
    sum.top_5_recall += q.top_5_recall;
    sum.kendall_tau += q.kendall_tau;
    sum.top_1_speed += q.top_1_speed;
    ++count;
  }
};

void print_row(const std::string& spec, const std::string& model, const RankQuality& q) {
  fmt::print("{:<44} {:<10} {:>6.2f} {:>6.2f} {:>6.3f} {:>6.3f}\n", spec, model, q.top_1_recall,
             q.top_5_recall, q.kendall_tau, q.top_1_speed);
}

void print_mean(const std::string& model, const Mean& mean) {
  RankQuality q = mean.sum;
  const double n = std::max(1, mean.count);
  print_row("mean", model,
            {q.top_1_recall / n, q.top_5_recall / n, q.kendall_tau / n, q.top_1_speed / n});
}

void judge(const std::vector<TaskData>& tasks) {
  std::map<std::string, BoostedTrees> transfer;
  double train_ms = 0, worst_ms = 0, predict_ms = 0;
  int trained = 0;
  for (const TaskData& task : tasks) {
    const std::string kind = kind_of(task.spec);
    if (transfer.contains(kind)) continue;
    TrainingRows rows;
    for (const TaskData& other : tasks) {
      if (kind_of(other.spec) != kind) append(other.first, rows);
    }
    if (rows.features.empty()) continue;
    transfer.emplace(kind, right(BoostedTrees::train(rows, {.rounds = 150})));
  }
  std::map<std::string, Mean> means;
  fmt::print("{:<44} {:<10} {:>6} {:>6} {:>6} {:>6}\n", "task", "model", "top-1", "top-5", "tau",
             "speed");
  for (const TaskData& task : tasks) {
    const auto show = [&](const std::string& model, const std::vector<double>& scores) {
      const RankQuality quality = rank_quality(scores, task.second.seconds);
      print_row(task.spec, model, quality);
      means[model].add(quality);
    };
    show("roofline", negated(task.second.features, feature("estimate.nanoseconds")));
    TrainingRows rows;
    append(task.first, rows);
    auto start = cpu_milliseconds();
    const BoostedTrees own = right(BoostedTrees::train(rows, {}));
    const double ms = milliseconds_since(start);
    train_ms += ms;
    worst_ms = std::max(worst_ms, ms);
    ++trained;
    start = cpu_milliseconds();
    show("own", own.predict(task.second.features));
    predict_ms += milliseconds_since(start);
    const auto prior = transfer.find(kind_of(task.spec));
    if (prior == transfer.end()) continue;
    show("transfer", prior->second.predict(task.second.features));
    show("warm",
         right(BoostedTrees::train(rows, {}, &prior->second)).predict(task.second.features));
  }
  for (const auto& [model, mean] : means) print_mean(model, mean);
  fmt::print("training {:.1f} ms mean, {:.1f} ms worst; predicting {:.2f} ms a task\n",
             train_ms / trained, worst_ms, predict_ms / trained);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  using namespace dovetail;
  CHECK(argc > 1, "usage: cost_model_bench LOG.jsonl [RECORDS_A_TASK]");
  Costs costs;
  const std::vector<TaskData> tasks =
      read_tasks(argv[1], argc > 2 ? std::stoul(argv[2]) : 400, costs);
  judge(tasks);
  fmt::print("{} features, {} candidates: {:.3f} ms mean, {:.3f} ms worst (lowering {:.3f} ms)\n",
             feature_names().size(), costs.candidates, costs.features_ms / costs.candidates,
             costs.worst_ms, costs.lower_ms / costs.candidates);
  return 0;
}
