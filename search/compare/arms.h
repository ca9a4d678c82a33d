// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arm: one of the compared searches: a strategy with its options, cost model and variant.
//
//   parse_arms("random@none,evolutionary:population=32,parents=4,ppo@roofline@loop_only=nhwo", …)
//     random                                      without a cost model
//     evolutionary:population=32,parents=4        with the cost model that was given for all
//     ppo                                         with roofline, in the space of loops alone
//   parse_arms("ga=exec:python3 ga.py@none,random", …)
//     ga                                          a strategy by another name
//
// Arms are separated by commas, and so are a strategy's options: a piece that does not begin with a
// strategy's name belongs to the arm before. After @ comes a cost model's name, a variant
// (no_layouts and loop_only with their layout), or `warm`: the cost model and the strategy's agent
// then start from training on other operators. The name of an arm in tables and figures is its
// text, or NAME in NAME=STRATEGY. Names must differ.

#include <string>
#include <string_view>
#include <vector>

#include "search/strategies/strategies.h"

namespace dovetail {

struct Arm {
  std::string name;
  StrategySpec strategy;
  std::string cost_model;
  std::string variant = "joint";
  std::string layout = {};  // for no_layouts and loop_only
  bool warm = false;        // only if the cost model or the strategy's agent learns
};

Result<std::vector<Arm>> parse_arms(std::string_view text, const std::string& cost_model);

}  // namespace dovetail
