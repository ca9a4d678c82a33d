// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/strided_run.h"

#include <algorithm>

namespace dovetail {
namespace {

int64_t value_of(const AffineIndex& index, const std::vector<int64_t>& at) {
  int64_t value = index.constant;
  for (size_t a = 0; a < index.coefficients.size(); ++a) value += index.coefficients[a] * at[a];
  return value;
}

int64_t quotient_up(int64_t dividend, int64_t divisor) {
  return dividend <= 0 ? 0 : (dividend + divisor - 1) / divisor;
}

// Leaves the elements k with 0 <= first + k * step < extent.
void keep_inside(int64_t first, int64_t step, int64_t extent, StridedRun& run) {
  if (step == 0) {
    if (first < 0 || first >= extent) run.end = run.begin;
    return;
  }
  // Downwards it is the same from the other end.
  const int64_t below = step > 0 ? first : extent - 1 - first;
  const int64_t size = step > 0 ? step : -step;
  run.begin = std::max(run.begin, quotient_up(-below, size));
  run.end = std::max(run.begin, std::min(run.end, quotient_up(extent - below, size)));
}

}  // namespace

StridedRun run_along(const std::vector<AffineIndex>& indices, const std::vector<int64_t>& extents,
                     const std::vector<int64_t>& at, size_t axis, int64_t count) {
  StridedRun run{.begin = 0, .end = count};
  for (size_t j = 0; j < indices.size(); ++j) {
    const int64_t first = value_of(indices[j], at), step = indices[j].coefficients[axis];
    keep_inside(first, step, extents[j], run);
    run.position = run.position * extents[j] + first;
    run.step = run.step * extents[j] + step;
  }
  return run;
}

}  // namespace dovetail
