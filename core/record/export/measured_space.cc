// SPDX-License-Identifier: Apache-2.0
#include "core/record/export/measured_space.h"

#include <cmath>

#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/record/gzip.h"

namespace dovetail {
namespace {

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  return std::stod(fmt::format("{:.{}g}", value, digits));
}

}  // namespace

const PointResult* MeasuredSpace::find(uint64_t trace_hash) const {
  const auto found = by_trace.find(trace_hash);
  return found == by_trace.end() ? nullptr : &points[found->second];
}

Result<void> MeasuredSpace::index() {
  by_trace.clear();
  for (size_t k = 0; k < points.size(); ++k) {
    const auto [earlier, is_new] = by_trace.emplace(points[k].trace_hash, k);
    if (!is_new) {
      return fail("points {} and {} have one trace, {:016x}", earlier->second + 1, k + 1,
                  points[k].trace_hash);
    }
  }
  return {};
}

PointResult measured_point(std::vector<int64_t> values, uint64_t trace_hash,
                           const MeasureResult& result) {
  constexpr int kTimeDigits = 5, kCostDigits = 3;
  return {.values = std::move(values),
          .trace_hash = trace_hash,
          .status = result.status,
          .seconds = result.status == Status::ok ? rounded(result.seconds, kTimeDigits) : 0,
          .first_seconds = 0,
          .build_seconds = rounded(result.times.build_seconds, kCostDigits),
          .check_seconds = rounded(result.times.check_seconds, kCostDigits),
          .run_seconds = rounded(result.times.run_seconds, kCostDigits)};
}

Result<void> write_measured_space(const std::string& path, const MeasuredSpace& space) {
  return replace_file(path, gzip(print_t4(space)));
}

Result<MeasuredSpace> read_measured_space(const std::string& path) {
  Result<MeasuredSpace> space = parse_t4(TRY(read_text(path, "a measured space")));
  if (!space) return fail("{}: {}", path, space.error().message);
  return space;
}

}  // namespace dovetail
