// SPDX-License-Identifier: Apache-2.0
#pragma once

// SavedModel: a trained model as a file, from which models of other tasks and devices can start.
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
// parse_saved_model rejects a model of other features, whose trees would read the wrong columns.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "costmodel/boosted_trees.h"

namespace dovetail {

struct SavedModel {
  BoostedTrees trees;
  int64_t rows = 0;  // training rows, its prior's included
};

// Trains one model on the rows of all tasks of a campaign, on top of `prior` unless that is null.
Result<SavedModel> train_saved_model(const TrainingRows& rows, uint64_t seed,
                                     const SavedModel* prior = nullptr);

std::string print(const SavedModel& model);
Result<SavedModel> parse_saved_model(std::string_view text);

}  // namespace dovetail
