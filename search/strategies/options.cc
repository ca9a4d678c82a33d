// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace dovetail {
namespace {

Result<void> read_value(std::string_view strategy, const OptionField& field,
                        const std::string& text) {
  const auto read = [&]<typename Number>(Number* value) -> Result<void> {
    const std::optional<Number> number = read_number<Number>(text);
    const auto as_double = static_cast<double>(number.value_or(0));
    if (!number || !(as_double >= field.least && as_double <= field.most)) {
      const bool whole = std::is_same_v<Number, int64_t>;
      return fail(fmt::format("option {} of strategy {}: found '{}', expected a {} from {} to {}",
                              field.name, strategy, text, whole ? "whole number" : "number",
                              field.least, field.most));
    }
    *value = *number;
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
    return fail(fmt::format("unknown option '{}' of strategy {}; expected one of: {}", name,
                            strategy, one_of(fields, &OptionField::name)));
  }
  return {};
}

}  // namespace dovetail
