// SPDX-License-Identifier: Apache-2.0
#pragma once

// Option: one option of a verb: its spelling, the member of the verb's options that it sets, its
// help text, and whether it decides what a campaign does. Each verb has one table of options, the
// source of the parser, --help, the keys of experiment files and the options in a log's header.
//
//   constexpr Option<ReplayOptions> kReplayOptions[] = {
//       {"WORKLOAD", &ReplayOptions::workloads, "spec, @FILE (suite), ..."},   no dash: positional
//       {.name = "--target", .member = &ReplayOptions::target, .help = kTargetHelp,
//        .values = target_forms},              --help and shell completion list what it gives
//       {"--log", &ReplayOptions::log, "file of records (required)"},
//       {"--strict", &ReplayOptions::strict, "exact matches only"}};
//
// The default is the member's initializer. The member's type decides which values are accepted: a
// bool is a flag, an int64_t a whole number of at least 1, a uint64_t one of at least 0, a double
// is positive, and a vector of strings may have several.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "campaign/option_values.h"
#include "core/record/line/log_header.h"

namespace dovetail {

// The header of a log records an option in one of these ways, so that --resume compares it.
enum class DecidesRecords {
  no,
  always,
  if_changed,       // if it differs from the default
  whether_changed,  // likewise, but as `true`: the value itself decides nothing
};

template <typename Values>
struct Option {
  using Member =
      std::variant<bool Values::*, std::string Values::*, std::optional<std::string> Values::*,
                   int64_t Values::*, std::optional<int64_t> Values::*, uint64_t Values::*,
                   std::optional<double> Values::*, std::vector<std::string> Values::*>;
  std::string_view name;
  Member member;
  std::string_view help;
  DecidesRecords decides = DecidesRecords::no;
  std::string_view key = {};        // key in a header; empty: key_of(name)
  std::string_view with = {};       // another option, whose change decides for this one
  std::string_view otherwise = {};  // default in --help; in a vector: values split at commas
  std::vector<std::string> (*values)() = nullptr;  // the words it takes; null: any text
};

// Help texts that several verbs share.
inline constexpr std::string_view kWorkloadHelp =
    "spec, @FILE (suite; @-: stdin), MODEL.onnx or MODEL.graph";
inline constexpr std::string_view kTargetHelp =
    "device that runs the code (GPUs of every vendor are opencl)";
inline constexpr std::string_view kCacheHelp = "on a CPU, where operands are before a timed run";
inline constexpr std::string_view kShapeHelp = "NAME=1,3,224,224: shape of a model's dynamic input";
inline constexpr std::string_view kConstantHelp =
    "NAME=16000: replaces an input of a model by a constant";
inline constexpr std::string_view kExactHelp =
    "only algorithms that round as the definition does: neither winograd nor "
    "winograd_inner_product";
inline constexpr std::string_view kMaxErrorHelp =
    "largest error that other algorithms may have, relative to the range of the output";
inline constexpr std::string_view kNetworkVariantHelp =
    "of a model, how its layouts are chosen; without it the network that the log keeps, which is "
    "global, else joint";
inline constexpr std::string_view kBorderHelp =
    "layouts of inputs and outputs: framework (row-major), or FILE with a line `SPEC | X as "
    "LAYOUT; "
    "…` for each task";

// "--no-default" is "no_default".
inline std::string key_of(std::string_view name) {
  std::string key(name.substr(std::min(name.find_first_not_of('-'), name.size())));
  std::ranges::replace(key, '-', '_');
  return key;
}

namespace option_table_detail {

template <typename Value>
OptionValue as_option(const Value& value) {
  return OptionValue(value);
}
template <typename Value>
OptionValue as_option(const std::optional<Value>& value) {
  return value ? OptionValue(*value) : OptionValue();
}
inline OptionValue as_option(uint64_t value) { return static_cast<int64_t>(value); }

template <typename Values>
bool is_changed(const Option<Values>& option, const Values& values) {
  const Values defaults;
  return std::visit([&](auto member) { return values.*member != defaults.*member; }, option.member);
}

}  // namespace option_table_detail

// The options that the header of a log records.
template <typename Values>
Options deciding_options(std::span<const Option<Values>> table, const Values& values) {
  namespace detail = option_table_detail;
  Options decide;
  for (const Option<Values>& option : table) {
    if (option.decides == DecidesRecords::no) continue;
    const auto leads = std::ranges::find(table, option.with, &Option<Values>::name);
    const Option<Values>& judged = leads == table.end() ? option : *leads;
    if (option.decides != DecidesRecords::always && !detail::is_changed(judged, values)) continue;
    const std::string key = option.key.empty() ? key_of(option.name) : std::string(option.key);
    decide[key] = option.decides == DecidesRecords::whether_changed
                      ? OptionValue(true)
                      : std::visit([&](auto member) { return detail::as_option(values.*member); },
                                   option.member);
  }
  return decide;
}

}  // namespace dovetail
