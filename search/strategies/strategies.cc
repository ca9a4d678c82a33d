// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/strategies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "search/strategies/random.h"

namespace dovetail {
namespace {

constexpr StrategyEntry kStrategies[] = {
    {"random", "every parameter uniformly from its domain, no trace twice", make_random_strategy},
};

const StrategyEntry* find_entry(std::string_view name) {
  for (const StrategyEntry& entry : kStrategies) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::string known_names() {
  std::vector<std::string_view> names;
  for (const StrategyEntry& entry : kStrategies) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
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

}  // namespace

Result<StrategySpec> parse_strategy(std::string_view text) {
  const size_t colon = text.find(':');
  StrategySpec spec{.name = std::string(text.substr(0, colon)), .options = {}};
  if (!find_entry(spec.name)) {
    return fail(
        fmt::format("unknown strategy '{}'; expected one of: {}", spec.name, known_names()));
  }
  if (colon == std::string_view::npos) return spec;
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const size_t comma = rest.find(',');
    TRY(parse_option(rest.substr(0, comma), spec.options));
    if (comma == std::string_view::npos) return spec;
    rest.remove_prefix(comma + 1);
  }
}

std::string print(const StrategySpec& spec) {
  std::string text = spec.name;
  for (const auto& [key, value] : spec.options) {
    text += fmt::format("{}{}={}", text.size() == spec.name.size() ? ":" : ",", key, value);
  }
  return text;
}

std::span<const StrategyEntry> strategies() { return kStrategies; }

Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec, const Space& space,
                                                uint64_t seed) {
  const StrategyEntry* entry = find_entry(spec.name);
  if (!entry) {
    return fail(
        fmt::format("unknown strategy '{}'; expected one of: {}", spec.name, known_names()));
  }
  return entry->make(space, seed, spec.options);
}

Result<void> refuse_unknown_options(std::string_view strategy, const StrategyOptions& options,
                                    const std::vector<std::string>& known) {
  for (const auto& [key, value] : options) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    if (known.empty()) {
      return fail(fmt::format("strategy {} has no options, found '{}'", strategy, key));
    }
    return fail(fmt::format("unknown option '{}' of strategy {}; expected one of: {}", key,
                            strategy, fmt::join(known, ", ")));
  }
  return {};
}

}  // namespace dovetail
