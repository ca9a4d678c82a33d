// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of strategies: named numbers with a default and one sentence each.
//
//   struct AnnealingOptions { int64_t chains = 16; double temperature = 0.5; };
//   std::vector<OptionField> fields_of(AnnealingOptions& options) {
//     return {{"chains", "walks side by side", &options.chains, 1, 4096}, ...};
//   }
//
// One list says how an option is called, read, checked and explained, so that --help, the records
// of a log and the strategy cannot disagree.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

// As on the command line, by name.
using StrategyOptions = std::map<std::string, std::string, std::less<>>;

struct OptionField {
  std::string_view name;
  std::string_view meaning;  // one sentence
  std::variant<int64_t*, double*> value;
  double least = 0, most = 0;
};

std::string print_value(const OptionField& field);
// Sets the fields that are given; an error names what is unknown, no number, or out of range.
Result<void> read_options(std::string_view strategy, const StrategyOptions& given,
                          const std::vector<OptionField>& fields);

struct NoOptions {};
inline std::vector<OptionField> fields_of(NoOptions&) { return {}; }

}  // namespace dovetail
