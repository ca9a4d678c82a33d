// SPDX-License-Identifier: Apache-2.0
#pragma once

// Table of the strategies, by name, and their syntax on the command line.
//
//   parse_strategy("random")                     {name "random"}
//   parse_strategy("annealing:chains=8")         {name "annealing", options {chains: "8", …}}, with
//                                                every other option at its default
//   parse_strategy("exec:python3 mine.py a=1,b") {name "exec", options {command: "python3 mine.py
//                                                a=1,b"}}: a program of the user's
//   make_strategy(spec, {space, /*seed=*/0})     a strategy
//
// A spec has all options, so that a record stays exact after a default changes. A new strategy
// needs one row in strategies.cc; its file ends with its entry (strategy_entry.h).

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "primitives/space/space.h"
#include "search/agent/saved_agent.h"
#include "search/scorer.h"
#include "search/strategy.h"

namespace dovetail {

// Options of strategies: named numbers with a default and one sentence each.
//
//   struct AnnealingOptions { int64_t chains = 16; double temperature = 0.5; };
//   std::vector<OptionField> fields_of(AnnealingOptions& options) {
//     return {{"chains", "walks side by side", &options.chains, 1, 4096}, ...};
//   }
//
// One list names, reads, checks and explains the options, so that --help, the records of a log and
// the strategy cannot disagree.

// Option values by name, as text from the command line.
using StrategyOptions = std::map<std::string, std::string, std::less<>>;

struct OptionField {
  std::string_view name;
  std::string_view meaning;  // one sentence
  std::variant<int64_t*, double*> value;
  double least = 0, most = 0;
};

std::string print_value(const OptionField& field);
// Sets the fields that are given; fails for an unknown name, no number, or one out of range.
Result<void> read_options(std::string_view strategy, const StrategyOptions& given,
                          const std::vector<OptionField>& fields);

struct NoOptions {};
inline std::vector<OptionField> fields_of(NoOptions&) { return {}; }

// All that a strategy can access; the space and the scorers must outlive it.
struct StrategyContext {
  const Space& space;
  uint64_t seed = 0;
  Scorer* scorer = nullptr;           // null: there is no cost model
  Scorer* draft = nullptr;            // analytic model; null: an AnalyticScorer makes its own
  const SavedAgent* agent = nullptr;  // initial agent of `ppo`; null: an untrained one
};

struct StrategySpec {
  std::string name;
  StrategyOptions options;
  friend bool operator==(const StrategySpec&, const StrategySpec&) = default;
};
// Names, options and their values are checked.
Result<StrategySpec> parse_strategy(std::string_view text);
std::string print(const StrategySpec& spec);  // options in alphabetical order

// A printed strategy without the options that have their defaults, for display.
//
//   brief_strategy("annealing:chains=8,cooling=0.97,…")     "annealing:chains=8"
//
// Text that does not parse, perhaps from another version, stays as it is.
std::string brief_strategy(std::string_view text);

struct OptionHelp {
  std::string name, otherwise, meaning;  // otherwise: the default
};

struct StrategyEntry {
  std::string_view name;
  std::string_view meaning;  // one sentence
  bool is_program = false;   // text after the colon is a command, not options
  std::function<std::vector<OptionHelp>()> describe_options = [] {
    return std::vector<OptionHelp>();
  };
  // Checks the options, and adds the defaults of those that are not given.
  std::function<Result<StrategyOptions>(const StrategyOptions& given)> complete = {};
  std::function<Result<std::unique_ptr<Strategy>>(const StrategyContext& context,
                                                  const StrategySpec& spec)>
      make = {};
  std::function<Result<void>()> available =
      {};  // whether this build can make it; empty: every build can
  // The shape of the strategy's agent, which learns; empty: the strategy has no agent.
  std::function<Result<AgentShape>(const StrategySpec& spec)> agent_shape = {};
};

std::span<const StrategyEntry> strategies();
// The error names what this build lacks for the strategy.
Result<void> check_available(const StrategySpec& spec);
Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                const StrategyContext& context);

// Whether the strategy can start from a saved agent (StrategyContext::agent).
bool has_agent(const StrategySpec& spec);
Result<AgentShape> agent_shape(const StrategySpec& spec);  // fails without one

}  // namespace dovetail
