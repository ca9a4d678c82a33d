// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/strategies.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "search/strategies/exec/exec_strategy.h"

namespace dovetail {

// Each is defined in the file of its name.
StrategyEntry random_entry(), exhaustive_entry(), annealing_entry(), evolutionary_entry();
StrategyEntry descent_entry(), draft_verify_entry(), ppo_entry(), dovetail_entry(), exec_entry();

namespace {

Result<void> read_value(std::string_view strategy, const OptionField& field,
                        const std::string& text) {
  const auto read = [&]<typename Number>(Number* value) -> Result<void> {
    const std::optional<Number> number = read_number<Number>(text);
    const auto as_double = static_cast<double>(number.value_or(0));
    if (!number || !(as_double >= field.least && as_double <= field.most)) {
      const bool whole = std::is_same_v<Number, int64_t>;
      return fail("option {} of strategy {}: found '{}', expected a {} from {} to {}", field.name,
                  strategy, text, whole ? "whole number" : "number", field.least, field.most);
    }
    *value = *number;
    return {};
  };
  return std::visit(read, field.value);
}

const StrategyEntry* find_entry(std::string_view name) {
  const auto found = std::ranges::find(strategies(), name, &StrategyEntry::name);
  return found == strategies().end() ? nullptr : &*found;
}

Result<const StrategyEntry*> known_entry(std::string_view name) {
  if (const StrategyEntry* entry = find_entry(name)) return entry;
  return fail("unknown strategy '{}'; expected one of: {}", name,
              one_of_or_nearest(name, strategies(), &StrategyEntry::name));
}

Result<void> parse_option(std::string_view text, StrategyOptions& options) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == text.size())
    return fail("strategy option '{}' is not of the form key=value", text);
  const auto [at, added] = options.emplace(text.substr(0, equals), text.substr(equals + 1));
  if (!added) return fail("strategy option '{}' is given twice", at->first);
  return {};
}

Result<StrategyOptions> parse_options(std::string_view text) {
  StrategyOptions options;
  for (const std::string_view option : split(text, ',')) TRY(parse_option(option, options));
  return options;
}

}  // namespace

std::string print_value(const OptionField& field) {
  return std::visit([](const auto* value) { return fmt::format("{}", *value); }, field.value);
}

Result<void> read_options(std::string_view strategy, const StrategyOptions& given,
                          const std::vector<OptionField>& fields) {
  for (const auto& [name, text] : given) {
    const auto field = std::ranges::find(fields, name, &OptionField::name);
    if (field != fields.end()) {
      TRY(read_value(strategy, *field, text));
      continue;
    }
    if (fields.empty()) return fail("strategy {} has no options, found '{}'", strategy, name);
    return fail("unknown option '{}' of strategy {}; expected one of: {}", name, strategy,
                one_of_or_nearest(name, fields, &OptionField::name));
  }
  return {};
}

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
  for (const auto& [key, value] : spec.options)
    text += fmt::format("{}{}={}", text.size() == spec.name.size() ? ":" : ",", key, value);
  return text;
}

std::string brief_strategy(std::string_view text) {
  Result<StrategySpec> spec = parse_strategy(text);
  if (!spec || find_entry(spec->name)->is_program) return std::string(text);
  const Result<StrategyOptions> defaults = find_entry(spec->name)->complete({});
  CHECK(defaults.has_value(), "no option is required");
  std::erase_if(spec->options, [&](const auto& option) {
    const auto found = defaults->find(option.first);
    return found != defaults->end() && found->second == option.second;
  });
  return print(*spec);
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
  if (!has_agent(spec)) return fail("strategy {} has no agent; ppo has", spec.name);
  return find_entry(spec.name)->agent_shape(spec);
}

}  // namespace dovetail
