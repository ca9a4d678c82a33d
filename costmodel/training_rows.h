// SPDX-License-Identifier: Apache-2.0
#pragma once

// TrainingRows: what a model learns from: the features of candidates, and how good each was:
//
//   label = seconds of the task's best / its own seconds        1 the best, 0 a failure
//
// Why relative to the best of the task: rows of several tasks then agree on what good means, and a
// failure is simply the worst. (AutoTVM and Ansor normalise throughput likewise.)

#include <vector>

#include "costmodel/features/features.h"

namespace dovetail {

struct TrainingRows {
  std::vector<FeatureVector> features;
  std::vector<float> labels;
  friend bool operator==(const TrainingRows&, const TrainingRows&) = default;
};

void append(TrainingRows& rows, const TrainingRows& more);

// Which rows to keep of those with these labels, at most `max_rows`, in order: the best half of
// them, and the others evenly over what is left.
std::vector<size_t> rows_to_keep(const std::vector<float>& labels, size_t max_rows);
// The rows that were chosen.
TrainingRows thinned(const TrainingRows& rows, size_t max_rows);

}  // namespace dovetail
