// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arm: one of the searches that are compared: a strategy with its options, and what it runs with.
//
//   parse_arms("random@none,evolutionary:population=32,parents=4,ppo@roofline@loop_only=nhwo", …)
//     random                                      without a cost model
//     evolutionary:population=32,parents=4        with the cost model that was given for all
//     ppo                                         with roofline, in the space of loops alone
//   parse_arms("ga=exec:python3 ga.py@none,random", …)
//     ga                                          a strategy by another name
//
// Arms are separated by commas, and so are a strategy's options: what begins with no strategy's
// name belongs to the one before. Behind @ stand a cost model's name, a variant (loop_only with its
// layout), or `warm`: what learns, the cost model and the strategy's agent, begins with what it
// learnt on other operators. Each arm's name is its text, or what stands before a = and a strategy:
// tables and figures call it so. Names must differ.

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
  std::string layout = {};  // of loop_only
  bool warm = false;        // never where nothing learns
};

Result<std::vector<Arm>> parse_arms(std::string_view text, const std::string& cost_model);

}  // namespace dovetail
