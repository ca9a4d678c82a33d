// SPDX-License-Identifier: Apache-2.0
#pragma once

// The file of a strategy ends with its row of the table of strategies:
//
//   StrategyEntry descent_entry() {
//     return strategy_entry<DescentOptions>("descent", "random samples, then ...",
//                                           kConstruct<DescentStrategy>);
//   }
//
// The options' fields_of() (search/strategies/strategies.h) tells how they are read, checked and
// explained.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/strategies/strategies.h"

namespace dovetail {

// `make` gets the context and the options, and returns a strategy or an error.
template <typename Options, typename Make>
StrategyEntry strategy_entry(std::string_view name, std::string_view meaning, Make make) {
  StrategyEntry entry{.name = name, .meaning = meaning};
  entry.describe_options = [] {
    Options options;
    std::vector<OptionHelp> help;
    for (const OptionField& field : fields_of(options))
      help.push_back({std::string(field.name), print_value(field), std::string(field.meaning)});
    return help;
  };
  entry.complete = [name](const StrategyOptions& given) -> Result<StrategyOptions> {
    Options options;
    TRY(read_options(name, given, fields_of(options)));
    StrategyOptions all;
    for (const OptionField& field : fields_of(options)) all.emplace(field.name, print_value(field));
    return all;
  };
  entry.make = [make](const StrategyContext& context,
                      const StrategySpec& spec) -> Result<std::unique_ptr<Strategy>> {
    Options options;
    TRY(read_options(spec.name, spec.options, fields_of(options)));
    return make(context, options);
  };
  return entry;
}

// The `make` of a strategy whose constructor takes context and options.
template <typename Made>
inline constexpr auto kConstruct = [](const StrategyContext& context, const auto& options) {
  return std::unique_ptr<Strategy>(std::make_unique<Made>(context, options));
};

}  // namespace dovetail
