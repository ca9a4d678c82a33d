// SPDX-License-Identifier: Apache-2.0
#include "costmodel/training_rows.h"

#include <algorithm>
#include <numeric>

namespace dovetail {

void append(TrainingRows& rows, const TrainingRows& more) {
  rows.features.insert(rows.features.end(), more.features.begin(), more.features.end());
  rows.labels.insert(rows.labels.end(), more.labels.begin(), more.labels.end());
}

TrainingRows thinned(const TrainingRows& rows, size_t max_rows) {
  const size_t count = rows.labels.size();
  if (count <= max_rows) return rows;
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order,
                           [&](size_t a, size_t b) { return rows.labels[a] > rows.labels[b]; });
  const size_t best = max_rows / 2, others = max_rows - best;
  std::vector<size_t> rest(order.begin() + static_cast<ptrdiff_t>(best), order.end());
  std::ranges::sort(rest);
  std::vector<size_t> kept(order.begin(), order.begin() + static_cast<ptrdiff_t>(best));
  for (size_t i = 0; i < others; ++i) kept.push_back(rest[i * rest.size() / others]);
  std::ranges::sort(kept);
  TrainingRows few;
  for (const size_t i : kept) {
    few.features.push_back(rows.features[i]);
    few.labels.push_back(rows.labels[i]);
  }
  return few;
}

}  // namespace dovetail
