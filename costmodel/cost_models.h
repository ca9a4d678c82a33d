// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost models there are, by name. One line in cost_models.cc adds one.
//
//   make_cost_model("roofline", {.target = target})    // a model
//   make_cost_model("oracle", {})
//       // error: unknown cost model 'oracle'; expected one of: none, random, roofline, xgboost

#include <span>

#include "core/base/result.h"
#include "costmodel/cost_model.h"

namespace dovetail {

struct CostModelEntry {
  std::string_view name;
  std::string_view meaning;  // one sentence
  bool learns = false;       // what it learnt can be saved, and begun with
  Result<std::unique_ptr<CostModel>> (*make)(const CostModelOptions& options);
};

std::span<const CostModelEntry> cost_models();
// Gives null when there is none of this name.
const CostModelEntry* find_cost_model(std::string_view name);

// Fails for an unknown name, for a model that this build has not, and for a warm start of a model
// that does not learn.
Result<std::unique_ptr<CostModel>> make_cost_model(std::string_view name,
                                                   const CostModelOptions& options);

}  // namespace dovetail
