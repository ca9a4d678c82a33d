// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/strategies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "search/agent/agent.h"
#include "search/strategies/annealing.h"
#include "search/strategies/descent.h"
#include "search/strategies/dovetail.h"
#include "search/strategies/draft_verify.h"
#include "search/strategies/evolutionary.h"
#include "search/strategies/exec/exec_strategy.h"
#include "search/strategies/exhaustive.h"
#include "search/strategies/ppo/ppo.h"
#include "search/strategies/random.h"

namespace dovetail {
namespace {

template <typename Options>
std::vector<OptionHelp> describe_options() {
  Options options;
  std::vector<OptionHelp> help;
  for (const OptionField& field : fields_of(options)) {
    help.push_back({.name = std::string(field.name),
                    .otherwise = print_value(field),
                    .meaning = std::string(field.meaning)});
  }
  return help;
}

// With the defaults of those that are not given.
template <typename Options>
Result<StrategyOptions> complete(std::string_view name, const StrategyOptions& given) {
  Options options;
  TRY(read_options(name, given, fields_of(options)));
  StrategyOptions all;
  for (const OptionField& field : fields_of(options)) all.emplace(field.name, print_value(field));
  return all;
}

template <typename Options, auto Make>
Result<std::unique_ptr<Strategy>> make_with(const StrategyContext& context,
                                            const StrategySpec& spec) {
  Options options;
  TRY(read_options(spec.name, spec.options, fields_of(options)));
  return Make(context, options);
}

template <typename Options, auto Make>
constexpr StrategyEntry entry(std::string_view name, std::string_view meaning,
                              Result<void> (*available)() = nullptr) {
  return {.name = name,
          .meaning = meaning,
          .is_program = false,
          .describe_options = describe_options<Options>,
          .complete = complete<Options>,
          .make = make_with<Options, Make>,
          .available = available};
}

Result<AgentShape> shape_of_ppo(const StrategySpec& spec) {
  PpoOptions options;
  TRY(read_options(spec.name, spec.options, fields_of(options)));
  return ppo_shape(options);
}

constexpr StrategyEntry with_agent(StrategyEntry entry,
                                   Result<AgentShape> (*agent_shape)(const StrategySpec&)) {
  entry.agent_shape = agent_shape;
  return entry;
}

Result<StrategyOptions> complete_program(std::string_view name, const StrategyOptions& given) {
  const auto command = given.find(kCommandOption);
  if (command == given.end() || command->second.find_first_not_of(" \t") == std::string::npos)
    return fail(fmt::format("strategy {} needs a program: {}:COMMAND", name, name));
  if (command->second.find('\n') != std::string::npos)
    return fail(fmt::format("strategy {}: the command has several lines, expected one", name));
  return given;
}

Result<std::unique_ptr<Strategy>> make_program(const StrategyContext& context,
                                               const StrategySpec& spec) {
  return make_exec(context, spec.options.find(kCommandOption)->second);
}

constexpr StrategyEntry kStrategies[] = {
    entry<NoOptions, make_random>("random", "every parameter evenly from its domain"),
    entry<NoOptions, make_exhaustive>("exhaustive", "every point, in order"),
    entry<AnnealingOptions, make_annealing>(
        "annealing", "walks that accept worse candidates ever less often (AutoTVM)"),
    entry<EvolutionaryOptions, make_evolutionary>("evolutionary",
                                                  "mutation and crossover of the best (Ansor)"),
    entry<DescentOptions, make_descent>(
        "descent", "random samples, then one parameter at a time from the best (Droplet)"),
    entry<DraftVerifyOptions, make_draft_verify>(
        "draft_verify", "the analytic model drafts, the cost model verifies (Pruner)"),
    with_agent(
        entry<PpoOptions, make_ppo>(
            "ppo", "actors for layouts and loops learn by proximal policy optimization (ALT)",
            agent_available),
        shape_of_ppo),
    entry<DovetailOptions, make_dovetail>(
        "dovetail", "ours: several searches share each round by what they gained"),
    {"exec", "a program of yours, exec:COMMAND, by JSON lines (docs/strategies.md)", true,
     describe_options<NoOptions>, complete_program, make_program, nullptr},
};

const StrategyEntry* find_entry(std::string_view name) {
  for (const StrategyEntry& entry : kStrategies) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

Result<const StrategyEntry*> known_entry(std::string_view name) {
  if (const StrategyEntry* entry = find_entry(name)) return entry;
  std::vector<std::string_view> names;
  for (const StrategyEntry& entry : kStrategies) names.push_back(entry.name);
  return fail(
      fmt::format("unknown strategy '{}'; expected one of: {}", name, fmt::join(names, ", ")));
}

Result<void> parse_option(std::string_view text, StrategyOptions& options) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == text.size()) {
    return fail(fmt::format("strategy option '{}' is not of the form key=value", text));
  }
  const auto [at, added] = options.emplace(text.substr(0, equals), text.substr(equals + 1));
  if (!added) return fail(fmt::format("strategy option '{}' is given twice", at->first));
  return {};
}

Result<StrategyOptions> parse_options(std::string_view text) {
  StrategyOptions options;
  while (true) {
    const size_t comma = text.find(',');
    TRY(parse_option(text.substr(0, comma), options));
    if (comma == std::string_view::npos) return options;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

Result<StrategySpec> parse_strategy(std::string_view text) {
  const size_t colon = text.find(':');
  const StrategyEntry* entry = TRY(known_entry(text.substr(0, colon)));
  StrategyOptions given;
  if (colon != std::string_view::npos) {
    const std::string_view rest = text.substr(colon + 1);
    if (entry->is_program) given.emplace(kCommandOption, rest);
    if (!entry->is_program) given = TRY(parse_options(rest));
  }
  return StrategySpec{.name = std::string(entry->name),
                      .options = TRY(entry->complete(entry->name, given))};
}

std::string print(const StrategySpec& spec) {
  const StrategyEntry* entry = find_entry(spec.name);
  if (entry && entry->is_program)
    return fmt::format("{}:{}", spec.name, spec.options.find(kCommandOption)->second);
  std::string text = spec.name;
  for (const auto& [key, value] : spec.options) {
    text += fmt::format("{}{}={}", text.size() == spec.name.size() ? ":" : ",", key, value);
  }
  return text;
}

std::span<const StrategyEntry> strategies() { return kStrategies; }

Result<void> check_available(const StrategySpec& spec) {
  const StrategyEntry* entry = TRY(known_entry(spec.name));
  return entry->available == nullptr ? Result<void>() : entry->available();
}

Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                const StrategyContext& context) {
  return TRY(known_entry(spec.name))->make(context, spec);
}

bool has_agent(const StrategySpec& spec) {
  const StrategyEntry* entry = find_entry(spec.name);
  return entry != nullptr && entry->agent_shape != nullptr;
}

Result<AgentShape> agent_shape(const StrategySpec& spec) {
  if (!has_agent(spec)) return fail(fmt::format("strategy {} has no agent; ppo has", spec.name));
  return find_entry(spec.name)->agent_shape(spec);
}

}  // namespace dovetail
