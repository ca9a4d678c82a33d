// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/measure_result.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/statistics.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

void add_pass(MeasureResult& sum, MeasureResult pass) {
  sum.samples.insert(sum.samples.end(), pass.samples.begin(), pass.samples.end());
  sum.max_abs_error = std::max(sum.max_abs_error, pass.max_abs_error);
  sum.max_rel_error = std::max(sum.max_rel_error, pass.max_rel_error);
  if (pass.range_error) sum.range_error = std::max(sum.range_error.value_or(0), *pass.range_error);
  sum.times.build_seconds += pass.times.build_seconds;
  sum.times.run_seconds += pass.times.run_seconds;
  sum.times.check_seconds += pass.times.check_seconds;
  if (sum.status != Status::ok || pass.status == Status::ok) return;
  sum.status = pass.status;
  sum.reason = std::move(pass.reason);
}

}  // namespace

std::string_view print(Status status) {
  // In the order of kStatuses.
  constexpr std::array<std::string_view, kStatuses.size()> kNames = {
      "ok",           "build_error", "run_error",  "timeout", "wrong_output", "out_of_bounds",
      "device_limit", "impossible",  "worker_lost"};
  const auto number = static_cast<size_t>(status);
  CHECK(number < kNames.size(), "a Status that is none of its values");
  return kNames[number];
}

Result<Status> parse_status(std::string_view text) {
  for (Status status : kStatuses)
    if (print(status) == text) return status;
  const auto name_of = [](Status status) { return print(status); };
  return fail("status \"{}\" is unknown; expected one of {}", text, one_of(kStatuses, name_of));
}

MeasureTimes& MeasureTimes::operator+=(const MeasureTimes& other) {
  build_seconds += other.build_seconds;
  run_seconds += other.run_seconds;
  check_seconds += other.check_seconds;
  search_seconds += other.search_seconds;
  model_seconds += other.model_seconds;
  return *this;
}

double total(const MeasureTimes& times) {
  return times.build_seconds + times.run_seconds + times.check_seconds + times.search_seconds +
         times.model_seconds;
}

MeasureResult pooled(std::vector<MeasureResult> passes) {
  MeasureResult sum = std::move(passes.front());
  for (size_t i = 1; i < passes.size(); ++i) add_pass(sum, std::move(passes[i]));
  sum.seconds = sum.status == Status::ok ? median(sum.samples) : 0;
  return sum;
}

}  // namespace dovetail
