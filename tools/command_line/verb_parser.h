// SPDX-License-Identifier: Apache-2.0
#pragma once

// VerbParser: parses the arguments of one verb, and prints its --help, from the table of its
// options. A member's value when the table is added is the default that --help shows.
//
//   constexpr Option<DoctorOptions> kOptions[] = {
//       {"--profile", &DoctorOptions::profile, "write the target's limits to FILE"}};
//   DoctorOptions options;
//   VerbParser parser("doctor", "Measures what this machine can do.");
//   parser.add<DoctorOptions>(kOptions, options);
//   if (TRY(parser.parse(arguments))) return parser.print_help();
//   ... parser.wants_json() ...
//
// Most verbs need no more than this before they run:
//
//   return parse_and_run<DoctorOptions>("doctor", "Measures ...", kOptions, run_doctor, arguments);
//
// `dovetail VERB --completion-values --OPTION` prints the words that an option takes, one a line:
// what shells complete (scripts/completions).
//
// Wraps CLI11, in one file: errors are one line, and no exception leaves it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "campaign/option_table.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "tools/command_line/verb.h"

namespace CLI {
class App;
}  // namespace CLI

namespace dovetail {

class VerbParser {
 public:
  VerbParser(const std::string& verb, const std::string& about);
  VerbParser(VerbParser&&) = delete;
  ~VerbParser();

  template <typename Values>
  void add(std::span<const Option<Values>> table, Values& values) {
    for (const Option<Values>& option : table) {
      const Place place =
          std::visit([&](auto member) -> Place { return &(values.*member); }, option.member);
      std::string help(option.help);
      if (option.values != nullptr) {
        values_[std::string(option.name)] = option.values;
        help += ": " + one_of(option.values());
      }
      add(std::string(option.name), place, std::move(help), std::string(option.otherwise));
    }
  }
  // Adds --json, which every verb has, at the end of --help.
  void add_json(std::string_view instead_of = "a table");
  bool wants_json() const { return json_; }
  void footer(const std::string& text);

  // Returns whether help, or the words of an option, were asked for; print_help() prints either.
  Result<bool> parse(Arguments arguments);
  ExitCode print_help() const;

 private:
  using Place = std::variant<bool*, std::string*, std::optional<std::string>*, int64_t*,
                             std::optional<int64_t>*, uint64_t*, std::optional<double>*,
                             std::vector<std::string>*>;
  void add(const std::string& name, Place place, std::string help, const std::string& otherwise);
  Result<void> refuse(const std::string& extra) const;
  std::string words_to_complete() const;

  std::string verb_;
  std::unique_ptr<CLI::App> app_;
  std::map<std::string, std::vector<std::string> (*)()> values_;  // by option
  std::optional<std::string> completed_;  // the option whose words were asked for
  bool json_ = false;
};

// Parses the arguments of a verb and runs it. The verb itself checks its options further.
template <typename Values, typename Run>
Result<ExitCode> parse_and_run(const std::string& verb, const std::string& about,
                               std::span<const Option<Values>> table, Run run, Arguments arguments,
                               std::string_view json_instead_of = "a table") {
  VerbParser parser(verb, about);
  Values values;
  parser.add(table, values);
  parser.add_json(json_instead_of);
  if (TRY(parser.parse(std::move(arguments)))) return parser.print_help();
  return run(std::move(values), parser.wants_json());
}

}  // namespace dovetail
