// SPDX-License-Identifier: Apache-2.0
#pragma once

// MachineFacts: what logs lack, from the output of `tune --json`, `bench --json` or `run --json`:
// other engines' times of a network; and for logs of older versions the machine's peaks and the
// names of tasks.
//
//   TRY(add_machine_facts(text, "results/cpu/tune/nine_b1-1t.json", facts));
//   facts.percent_of_roof(spec, seconds)        97.0; nothing for a spec that the file lacks
//
// The file has times with their percentages; the peak and a task's roof follow from these.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct EngineTime {
  std::string model = {};  // name of its row
  std::string engine = {};
  double seconds = 0;
};

struct MachineFacts {
  std::map<std::string, std::string> names = {};    // by spec
  std::map<std::string, double> roof_seconds = {};  // by spec
  std::optional<double> peak_gflops = {};           // median over the rows
  // The times of other engines for a network, as `run --peer` measured them.
  std::vector<EngineTime> engines = {};
  std::string name_of(const std::string& spec) const;  // the spec if it has none
  std::optional<double> percent_of_roof(const std::string& spec, double seconds) const;
};

// Adds what the file has; later files win.
Result<void> add_machine_facts(std::string_view json, const std::string& path, MachineFacts& facts);

}  // namespace dovetail
