// SPDX-License-Identifier: Apache-2.0
#pragma once

// MachineFacts: task names and machine peaks, from the output of `tune --json` or `bench --json`:
// logs lack the peaks, and those of older versions the names.
//
//   facts = TRY(parse_machine_facts(text, "results/cpu/tune/nine_b1-1t.json"));
//   facts.percent_of_peak(flops, seconds)       98.4
//   facts.percent_of_roof(spec, seconds)        97.0; nothing for a spec that the file lacks
//
// The file has times with their percentages; the peak and a task's roof follow from these.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

struct MachineFacts {
  std::map<std::string, std::string> names = {};       // by spec
  std::map<std::string, double> roof_seconds = {};     // by spec
  std::optional<double> peak_gflops = {};              // median over the rows
  std::string name_of(const std::string& spec) const;  // the spec if it has none
  std::optional<double> percent_of_peak(double flops, double seconds) const;
  std::optional<double> percent_of_roof(const std::string& spec, double seconds) const;
};

Result<MachineFacts> parse_machine_facts(std::string_view json, const std::string& path);

}  // namespace dovetail
