// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/strategies.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "search/strategies/exec/exec_strategy.h"

namespace dovetail {

// Each in the file of its name.
StrategyEntry random_entry();
StrategyEntry exhaustive_entry();
StrategyEntry annealing_entry();
StrategyEntry evolutionary_entry();
StrategyEntry descent_entry();
StrategyEntry draft_verify_entry();
StrategyEntry ppo_entry();
StrategyEntry dovetail_entry();
StrategyEntry exec_entry();

namespace {

const StrategyEntry* find_entry(std::string_view name) {
  const auto found = std::ranges::find(strategies(), name, &StrategyEntry::name);
  return found == strategies().end() ? nullptr : &*found;
}

Result<const StrategyEntry*> known_entry(std::string_view name) {
  if (const StrategyEntry* entry = find_entry(name)) return entry;
  return fail(fmt::format("unknown strategy '{}'; expected one of: {}", name,
                          one_of(strategies(), &StrategyEntry::name)));
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
  for (const std::string_view option : split(text, ',')) TRY(parse_option(option, options));
  return options;
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
  return StrategySpec{.name = std::string(entry->name), .options = TRY(entry->complete(given))};
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

std::span<const StrategyEntry> strategies() {
  static const std::vector<StrategyEntry> kEntries = {
      random_entry(),       exhaustive_entry(), annealing_entry(),
      evolutionary_entry(), descent_entry(),    draft_verify_entry(),
      ppo_entry(),          dovetail_entry(),   exec_entry()};
  return kEntries;
}

Result<void> check_available(const StrategySpec& spec) {
  const StrategyEntry* entry = TRY(known_entry(spec.name));
  return entry->available ? entry->available() : Result<void>();
}

Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                const StrategyContext& context) {
  return TRY(known_entry(spec.name))->make(context, spec);
}

bool has_agent(const StrategySpec& spec) {
  const StrategyEntry* entry = find_entry(spec.name);
  return entry != nullptr && entry->agent_shape;
}

Result<AgentShape> agent_shape(const StrategySpec& spec) {
  if (!has_agent(spec)) return fail(fmt::format("strategy {} has no agent; ppo has", spec.name));
  return find_entry(spec.name)->agent_shape(spec);
}

}  // namespace dovetail
