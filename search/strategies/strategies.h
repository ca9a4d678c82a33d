// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategies there are, by name, and how one is written on the command line.
//
//   parse_strategy("random")                 {name "random"}
//   parse_strategy("ppo:clip=0.2,steps=8")   {name "ppo", options {clip: "0.2", steps: "8"}}
//   make_strategy(spec, space, /*seed=*/0)   a strategy, or which name or option is unknown
//
// One line in strategies.cc adds a strategy.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "primitives/space/space.h"
#include "search/strategy.h"

namespace dovetail {

using StrategyOptions = std::map<std::string, std::string, std::less<>>;

struct StrategySpec {
  std::string name;
  StrategyOptions options;
  friend bool operator==(const StrategySpec&, const StrategySpec&) = default;
};
Result<StrategySpec> parse_strategy(std::string_view text);
std::string print(const StrategySpec& spec);  // options in alphabetical order

struct StrategyEntry {
  std::string_view name;
  std::string_view meaning;  // one sentence
  // The space outlives the strategy.
  Result<std::unique_ptr<Strategy>> (*make)(const Space& space, uint64_t seed,
                                            const StrategyOptions& options);
};

std::span<const StrategyEntry> strategies();
Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec, const Space& space,
                                                uint64_t seed);

// For the strategies: an error that names the first option not in `known`.
Result<void> refuse_unknown_options(std::string_view strategy, const StrategyOptions& options,
                                    const std::vector<std::string>& known);

}  // namespace dovetail
