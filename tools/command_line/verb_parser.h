// SPDX-License-Identifier: Apache-2.0
#pragma once

// VerbParser: what one verb takes, and its --help, from the table of its options. A member's value
// when the table is added is the default that --help shows.
//
//   constexpr Option<DoctorOptions> kOptions[] = {
//       {"--profile", &DoctorOptions::profile, "write the target's limits to FILE"}};
//   DoctorOptions options;
//   VerbParser parser("doctor", "Measures what this machine can do.");
//   parser.add<DoctorOptions>(kOptions, options);
//   if (TRY(parser.parse(arguments))) return parser.help();
//   ... parser.wants_json() ...
//
// CLI11 does the work, in one file, without its habits: one line an error, no exceptions outside.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "campaign/option_table.h"
#include "core/base/result.h"
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
      const Text text{option.name, option.help, option.otherwise};
      std::visit([&](auto member) { add(text, values.*member); }, option.member);
    }
  }
  // Every verb has it. It comes last in --help.
  void add_json(std::string_view instead_of = "a table");
  bool wants_json() const { return json_; }
  void footer(const std::string& text);

  // Whether help was asked for.
  Result<bool> parse(Arguments arguments);
  // Prints it.
  Action help() const;

 private:
  struct Text {
    std::string_view name, help, otherwise;
  };
  void add(const Text& option, bool& value);
  void add(const Text& option, std::string& value);
  void add(const Text& option, std::optional<std::string>& value);
  void add(const Text& option, int64_t& value);
  void add(const Text& option, std::optional<int64_t>& value);
  void add(const Text& option, uint64_t& value);
  void add(const Text& option, std::optional<double>& value);
  void add(const Text& option, std::vector<std::string>& values);
  Result<void> refuse(const std::string& extra) const;

  std::string verb_;
  std::unique_ptr<CLI::App> app_;
  bool json_ = false;
};

}  // namespace dovetail
