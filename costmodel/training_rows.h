// SPDX-License-Identifier: Apache-2.0
#pragma once

// TrainingRows: the training set of a model: the features of candidates, and a label for each:
//
//   label = seconds of the task's best / its own seconds        1 the best, 0 a failure
//
// Labels are relative to the best of the task, so that those of several tasks share one scale,
// where a failure is simply the worst. (AutoTVM and Ansor normalise throughput likewise.)

#include <vector>

#include "costmodel/features/features.h"

namespace dovetail {

struct TrainingRows {
  std::vector<FeatureVector> features;
  std::vector<float> labels;
  friend bool operator==(const TrainingRows&, const TrainingRows&) = default;
};

void append(TrainingRows& rows, const TrainingRows& more);

// Ascending indices of at most `max_rows` rows to keep: the best by label for half of them, an even
// selection of the others for the rest.
std::vector<size_t> rows_to_keep(const std::vector<float>& labels, size_t max_rows);
// The rows that rows_to_keep selects.
TrainingRows thinned(const TrainingRows& rows, size_t max_rows);

}  // namespace dovetail
