// SPDX-License-Identifier: Apache-2.0
#include "costmodel/cost_models.h"

#include <fmt/format.h>

#include <string>

#include "costmodel/none.h"

namespace dovetail {
namespace {

constexpr CostModelEntry kCostModels[] = {
    {"none", "every program scores the same: the strategy's order decides", make_none_cost_model},
};

}  // namespace

std::span<const CostModelEntry> cost_models() { return kCostModels; }

Result<std::unique_ptr<CostModel>> make_cost_model(std::string_view name) {
  std::string names;
  for (const CostModelEntry& entry : kCostModels) {
    if (entry.name == name) return entry.make();
    names += names.empty() ? "" : ", ";
    names += entry.name;
  }
  return fail(fmt::format("unknown cost model '{}'; expected one of: {}", name, names));
}

}  // namespace dovetail
