// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/pooled_result.h"

#include <algorithm>

#include "core/base/statistics.h"
#include "core/record/log/best_record.h"

namespace dovetail {
namespace {

void add_pass(MeasureResult& sum, MeasureResult pass) {
  sum.samples.insert(sum.samples.end(), pass.samples.begin(), pass.samples.end());
  sum.max_abs_error = std::max(sum.max_abs_error, pass.max_abs_error);
  sum.max_rel_error = std::max(sum.max_rel_error, pass.max_rel_error);
  sum.times.build_seconds += pass.times.build_seconds;
  sum.times.run_seconds += pass.times.run_seconds;
  sum.times.check_seconds += pass.times.check_seconds;
  if (sum.status != Status::ok || pass.status == Status::ok) return;
  sum.status = pass.status;
  sum.reason = std::move(pass.reason);
}

}  // namespace

MeasureResult pooled(std::vector<MeasureResult> passes) {
  MeasureResult sum = std::move(passes.front());
  for (size_t i = 1; i < passes.size(); ++i) add_pass(sum, std::move(passes[i]));
  sum.seconds = sum.status == Status::ok ? median(sum.samples) : 0;
  return sum;
}

}  // namespace dovetail
