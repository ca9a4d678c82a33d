// SPDX-License-Identifier: Apache-2.0
#pragma once

// SavedModel: a trained model as a file, for other tasks and devices to begin with.
//
//   dovetail cost model xgboost
//   features 2
//   names program.multiply_adds program.operations_per_multiply_add …
//   rows 4312
//   trees 81234
//   …so many bytes, XGBoost's own format
//
//   const SavedModel model = TRY(parse_saved_model(TRY(read_file("resnet.model"))));
//
// A model that was trained on other features is refused: its trees would read the wrong numbers.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "costmodel/boosted_trees.h"

namespace dovetail {

struct SavedModel {
  BoostedTrees trees;
  int64_t rows = 0;  // that it was trained on, its prior's included
};

// One model of the rows of all tasks of a campaign; null: no prior.
Result<SavedModel> train_saved_model(const TrainingRows& rows, uint64_t seed,
                                     const SavedModel* prior = nullptr);

std::string print(const SavedModel& model);
Result<SavedModel> parse_saved_model(std::string_view text);

}  // namespace dovetail
