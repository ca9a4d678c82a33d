// SPDX-License-Identifier: Apache-2.0
#include "costmodel/training_rows.h"

#include <algorithm>
#include <numeric>

namespace dovetail {

void append(TrainingRows& rows, const TrainingRows& more) {
  rows.features.insert(rows.features.end(), more.features.begin(), more.features.end());
  rows.labels.insert(rows.labels.end(), more.labels.begin(), more.labels.end());
}

std::vector<size_t> rows_to_keep(const std::vector<float>& labels, size_t max_rows) {
  std::vector<size_t> order(labels.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (labels.size() <= max_rows) return order;
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return labels[a] > labels[b]; });
  const size_t best = max_rows / 2, others = max_rows - best;
  std::vector<size_t> rest(order.begin() + static_cast<ptrdiff_t>(best), order.end());
  std::ranges::sort(rest);
  std::vector<size_t> kept(order.begin(), order.begin() + static_cast<ptrdiff_t>(best));
  for (size_t i = 0; i < others; ++i) kept.push_back(rest[i * rest.size() / others]);
  std::ranges::sort(kept);
  return kept;
}

TrainingRows thinned(const TrainingRows& rows, size_t max_rows) {
  if (rows.labels.size() <= max_rows) return rows;
  TrainingRows few;
  for (const size_t i : rows_to_keep(rows.labels, max_rows)) {
    few.features.push_back(rows.features[i]);
    few.labels.push_back(rows.labels[i]);
  }
  return few;
}

}  // namespace dovetail
