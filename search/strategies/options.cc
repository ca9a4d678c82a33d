// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace dovetail {
namespace {

Result<void> read_value(std::string_view strategy, const OptionField& field,
                        const std::string& text) {
  const char* end = text.data() + text.size();
  const auto read = [&](auto* value) -> Result<void> {
    auto number = *value;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    const auto as_double = static_cast<double>(number);
    const bool in_range = as_double >= field.least && as_double <= field.most;
    if (error != std::errc() || stop != end || !in_range) {
      const bool whole = std::holds_alternative<int64_t*>(field.value);
      return fail(fmt::format("option {} of strategy {}: found '{}', expected a {} from {} to {}",
                              field.name, strategy, text, whole ? "whole number" : "number",
                              field.least, field.most));
    }
    *value = number;
    return {};
  };
  return std::visit(read, field.value);
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
    if (fields.empty()) {
      return fail(fmt::format("strategy {} has no options, found '{}'", strategy, name));
    }
    std::vector<std::string_view> names;
    for (const OptionField& known : fields) names.push_back(known.name);
    return fail(fmt::format("unknown option '{}' of strategy {}; expected one of: {}", name,
                            strategy, fmt::join(names, ", ")));
  }
  return {};
}

}  // namespace dovetail
