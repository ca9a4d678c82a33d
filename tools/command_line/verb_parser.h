// SPDX-License-Identifier: Apache-2.0
#pragma once

// VerbParser: what one verb takes, and its --help. The value of each variable when its option is
// declared is the default that --help shows.
//
//   DoctorOptions options;
//   VerbParser parser("doctor", "Measures what this machine can do.");
//   parser.text("--profile", options.profile, "write the target's limits to FILE");
//   parser.flag("--json", options.json, "one JSON object on stdout instead of a table");
//   if (TRY(parser.parse(arguments))) return parser.help();
//
// CLI11 does the work, in one file, without its habits: one line an error, no exceptions outside.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

  void positional(const std::string& name, std::vector<std::string>& values,
                  const std::string& help);
  void flag(const std::string& option, bool& value, const std::string& help);
  void text(const std::string& option, std::string& value, const std::string& help);
  void text(const std::string& option, std::optional<std::string>& value, const std::string& help);
  // A whole number of at least 1.
  void count(const std::string& option, int64_t& value, const std::string& help);
  void count(const std::string& option, std::optional<int64_t>& value, const std::string& help);
  // A whole number of at least 0.
  void seed(const std::string& option, uint64_t& value, const std::string& help);
  // A number above 0.
  void positive(const std::string& option, std::optional<double>& value, const std::string& help);
  // May be given several times.
  void repeated(const std::string& option, std::vector<std::string>& values,
                const std::string& help);
  // Several by commas; `otherwise`: what stands for none given.
  void listed(const std::string& option, std::vector<std::string>& values, const std::string& help,
              const std::string& otherwise);
  void footer(const std::string& text);

  // Options that many verbs share.
  void workloads(std::vector<std::string>& values);
  void target(std::string& value);
  void target(std::optional<std::string>& value);
  void shapes(std::vector<std::string>& values);
  void json(bool& value);

  // True when help was asked for.
  Result<bool> parse(Arguments arguments);
  // Prints it.
  Action help() const;

 private:
  Result<void> refuse(const std::string& extra) const;

  std::string verb_;
  std::unique_ptr<CLI::App> app_;
};

}  // namespace dovetail
