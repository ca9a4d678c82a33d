// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost models there are, by name. One line in cost_models.cc adds one.
//
//   make_cost_model("none")       // a model
//   make_cost_model("oracle")     // error: unknown cost model 'oracle'; expected one of: none

#include <span>

#include "core/base/result.h"
#include "costmodel/cost_model.h"

namespace dovetail {

struct CostModelEntry {
  std::string_view name;
  std::string_view meaning;  // one sentence
  std::unique_ptr<CostModel> (*make)();
};

std::span<const CostModelEntry> cost_models();
Result<std::unique_ptr<CostModel>> make_cost_model(std::string_view name);

}  // namespace dovetail
