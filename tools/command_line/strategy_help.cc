// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/strategy_help.h"

#include <fmt/format.h>

#include "search/strategies/strategies.h"

namespace dovetail {

std::string strategy_help() {
  std::string text = "strategies:\n";
  for (const StrategyEntry& entry : strategies()) {
    text += fmt::format("  {:20} {}\n", entry.name, entry.meaning);
    for (const OptionHelp& option : entry.describe_options()) {
      text += fmt::format("    {:18} {}\n", option.name + "=" + option.otherwise, option.meaning);
    }
  }
  text.pop_back();
  return text;
}

}  // namespace dovetail
