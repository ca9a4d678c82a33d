// SPDX-License-Identifier: Apache-2.0
#include "costmodel/cost_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/base/text.h"
#include "costmodel/none.h"
#include "costmodel/random.h"
#include "costmodel/roofline.h"
#include "costmodel/xgboost.h"

namespace dovetail {
namespace {

constexpr CostModelEntry kCostModels[] = {
    {"none", "every program scores the same: the strategy's order decides", false,
     make_none_cost_model},
    {"random", "scores are random numbers: what ranking by chance would do", false,
     make_random_cost_model},
    {"roofline", "scores are speeds by an analytic model of the target", false,
     make_roofline_cost_model},
    {"xgboost", "boosted trees over the features, learnt along the campaign", true,
     make_xgboost_cost_model},
};

}  // namespace

std::span<const CostModelEntry> cost_models() { return kCostModels; }

const CostModelEntry* find_cost_model(std::string_view name) {
  const auto* const entry = std::ranges::find(kCostModels, name, &CostModelEntry::name);
  return entry == std::end(kCostModels) ? nullptr : entry;
}

Result<std::unique_ptr<CostModel>> make_cost_model(std::string_view name,
                                                   const CostModelOptions& options) {
  const CostModelEntry* entry = find_cost_model(name);
  if (entry == nullptr) {
    return fail(fmt::format("unknown cost model '{}'; expected one of: {}", name,
                            one_of(kCostModels, &CostModelEntry::name)));
  }
  if (options.warm_start != nullptr && !entry->learns) {
    return fail(
        fmt::format("cost model {} learns nothing, so it has no warm start; use xgboost", name));
  }
  return entry->make(options);
}

}  // namespace dovetail
