// SPDX-License-Identifier: Apache-2.0
#pragma once

// `tune` and `log stats` say this of a cost model, beside the tasks' table:
//
//   operator               model    rounds  top-1  top-5   tau  last tau  training (ms)  warm start
//   gmm:m=512,n=512,k=512  xgboost      18   0.39   0.62  0.51      0.66             21       +0.08
//
// Means over the rounds (core/record/line/round_record.h); "warm start": what it added to tau.

#include <string>

#include "core/record/statistics/round_stats.h"
#include "report/tables/table.h"

namespace dovetail {

Table model_table();
void add_model_row(const std::string& task, const RoundStats& model, Table& table);

// One JSON object.
std::string json_text(const RoundStats& model);

}  // namespace dovetail
