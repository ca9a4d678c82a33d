// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/space_from_records.h"

#include <set>
#include <unordered_map>

#include "core/base/fail.h"
#include "core/base/statistics.h"
#include "core/ir/operator/operator.h"
#include "core/record/log/best_record.h"
#include "search/strategies/points/points.h"

namespace dovetail {
namespace {

struct Measured {
  const Record* trial = nullptr;
  std::vector<double> again;  // times of its confirmations
};

Result<std::unordered_map<uint64_t, Measured>> by_trace(std::span<const Record> records,
                                                        const std::string& task) {
  std::unordered_map<uint64_t, Measured> measured;
  std::unordered_map<int64_t, uint64_t> trace_of_trial;
  for (const Record& record : records) {
    if (record.task != task || record.kind != RecordKind::trial) continue;
    const Result<Trace> trace = parse_trace(record.trace.text());
    if (!trace) return fail("trial {}: {}", record.trial, trace.error().message);
    trace_of_trial[record.trial] = hash(*trace);
    measured[hash(*trace)].trial = &record;
  }
  for (const Record* record : last_sittings(records)) {
    const auto of = trace_of_trial.find(record->trial);
    if (record->task == task && of != trace_of_trial.end() && record->result.status == Status::ok)
      measured[of->second].again.push_back(record->result.seconds);
  }
  return measured;
}

PointResult point_of(const Measured& measured, uint64_t trace_hash) {
  MeasureResult result = measured.trial->result;
  PointResult point = measured_point({}, trace_hash, result);
  if (measured.again.empty() || point.status != Status::ok) return point;
  result.seconds = median(measured.again);
  PointResult confirmed = measured_point({}, trace_hash, result);
  confirmed.first_seconds = point.seconds;
  return confirmed;
}

// Keeps the parameters that have more than one value.
void keep_varying(const Space& space, MeasuredSpace& measured) {
  std::vector<std::set<int64_t>> values(space.parameters().size());
  for (const PointResult& point : measured.points)
    for (size_t k = 0; k < values.size(); ++k) values[k].insert(point.values[k]);
  for (size_t k = 0; k < values.size(); ++k)
    if (values[k].size() > 1) measured.parameters.push_back(space.parameters()[k].name);
  for (PointResult& point : measured.points) {
    std::vector<int64_t> kept;
    for (size_t k = 0; k < values.size(); ++k)
      if (values[k].size() > 1) kept.push_back(point.values[k]);
    point.values = std::move(kept);
  }
}

}  // namespace

Result<MeasuredSpace> space_from_records(const Space& space, std::span<const Record> records) {
  MeasuredSpace measured{
      .task = print(space.spec()), .target = {}, .space = {}, .tool = {}, .parameters = {}};
  std::unordered_map<uint64_t, Measured> results = TRY(by_trace(records, measured.task));
  for (std::optional<Point> point = first_point(space); point;
       point = next_point(space, std::move(*point))) {
    const uint64_t trace_hash = hash(space.decode(*point));
    const auto found = results.find(trace_hash);
    if (found == results.end()) continue;  // illegal, or taken already
    measured.points.push_back(point_of(found->second, trace_hash));
    measured.points.back().values = *point;
    results.erase(found);
  }
  if (measured.points.empty())
    return fail("no record is of a point of the space of {}", measured.task);
  keep_varying(space, measured);
  TRY(measured.index());
  return measured;
}

Evaluation evaluation_of(const MeasureResult& result) {
  const MeasureTimes& times = result.times;
  Evaluation evaluation{.cost_seconds =
                            times.build_seconds + times.check_seconds + times.run_seconds};
  if (result.status == Status::ok) evaluation.seconds = result.seconds;
  return evaluation;
}

std::vector<Evaluation> evaluations_of(const MeasuredSpace& space) {
  std::vector<Evaluation> evaluations;
  for (const PointResult& point : space.points) {
    Evaluation evaluation{.cost_seconds =
                              point.build_seconds + point.check_seconds + point.run_seconds};
    if (point.status == Status::ok) evaluation.seconds = point.seconds;
    evaluations.push_back(evaluation);
  }
  return evaluations;
}

}  // namespace dovetail
