// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "tools/command_line/verb_parser.h"
#include "tools/verbs/log_verbs.h"

namespace dovetail {
namespace {

struct LogAction {
  std::string_view name;
  int (*run)(const LogVerbOptions&, std::ostream& out, std::ostream& err);
  bool rewrites;  // makes a log, or another form of one
};
constexpr LogAction kActions[] = {
    {"best", run_log_best, false},     {"stats", run_log_stats, false},
    {"verify", run_log_verify, false}, {"distill", run_log_distill, true},
    {"merge", run_log_merge, true},    {"migrate", run_log_migrate, true},
    {"export", run_log_export, true},
};

std::string action_names(bool rewriting_only) {
  std::string names;
  for (const LogAction& action : kActions) {
    if (rewriting_only && !action.rewrites) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", action.name);
  }
  return names;
}

Result<LogAction> find_action(const std::string& name) {
  const auto action = std::ranges::find(kActions, name, &LogAction::name);
  if (action != std::end(kActions)) return *action;
  return fail(
      fmt::format("log: unknown action '{}'; expected one of: {}", name, action_names(false)));
}

Result<void> check(const LogAction& action, const LogVerbOptions& options) {
  if (options.logs.empty()) return fail(fmt::format("log {}: no LOG given", action.name));
  if (!action.rewrites && !options.output.empty()) {
    return fail(fmt::format("log {}: -o is of {}", action.name, action_names(true)));
  }
  if (action.rewrites && options.json && options.output.empty()) {
    return fail(
        fmt::format("log {}: --json needs -o FILE: it counts what is written there", action.name));
  }
  if (action.name != "export" && !options.format.empty()) {
    return fail(fmt::format("log {}: --format is of export", action.name));
  }
  if (options.format.empty() || options.format == "t4" || options.format == "csv") return {};
  return fail(fmt::format("log export: unknown --format '{}'; expected t4 or csv", options.format));
}

struct LogCommand : LogVerbOptions {
  std::vector<std::string> words;
};

}  // namespace

Result<Action> parse_log(Arguments arguments) {
  const std::string words_help = action_names(false) + ", then LOG...";
  const std::string output_help = "FILE, of " + action_names(true) + "; else stdout";
  const Option<LogCommand> table[] = {
      {"ACTION", &LogCommand::words, words_help},
      {"-o", &LogCommand::output, output_help},
      {"--format", &LogCommand::format, "of export: t4 (as given without) or csv"},
  };
  LogCommand options;
  VerbParser parser("log", "What logs hold, whether all is well, and logs made of logs.");
  parser.add<LogCommand>(table, options);
  parser.add_json();
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  const std::vector<std::string>& words = options.words;
  options.json = parser.wants_json();
  if (words.empty()) {
    return fail(fmt::format("log: no action given; expected one of: {}", action_names(false)));
  }
  const LogAction action = TRY(find_action(words.front()));
  options.logs.assign(words.begin() + 1, words.end());
  TRY(check(action, options));
  return Action([action, options = std::move(options)]() -> Result<ExitCode> {
    const int code = action.run(options, std::cout, std::cerr);
    std::cout.flush();
    return static_cast<ExitCode>(code);
  });
}

}  // namespace dovetail
