// SPDX-License-Identifier: Apache-2.0
#pragma once

// LogHeader: the line that opens a campaign in a log, and says what its records need to be
// understood: which device, which driver, which options, which seed.
//
//   {"schema":2,"tool":"dovetail 0.1.0","campaign":1,"id":"6f1d...",
//    "started":"2026-11-20T08:15:00Z","target":"cpu",
//    "device":{"name":"AMD EPYC 9575F","family":"x86_64/16"},"driver":"LLVM 19.1.7",
//    "options":{"strategy":"random","trials":300},"seed":0,"crc":"..."}
//
// One header a campaign and not one a file, so that a log can hold runs of several days and
// devices, and so that two logs are joined by writing one after the other. Records name their
// campaign by its number.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/record/line/json_fields.h"
#include "core/record/line/log_line.h"

namespace dovetail {

// DeviceFacets: which device a campaign ran on, from particular to general.
//
//   {.name = "AMD EPYC (znver5)", .family = "x86_64/16", .more = {{"l1_bytes", "49152"}, ...}}
//   {.name = "NVIDIA H200", .family = "nvidia", ...}
//
// Two devices are the same when name and family agree. They are of one family when they run the
// same code equally well as far as one can tell without trying: CPUs of one instruction set and
// vector width, GPUs under one vendor's driver. A replay says which of the two it had to content
// itself with.

struct DeviceFacets {
  std::string name;
  std::string family;
  std::map<std::string, std::string> more;  // everything else the target says, by its key
  friend bool operator==(const DeviceFacets&, const DeviceFacets&) = default;
};

DeviceFacets facets_of(const Target& target);
// The target whose facets they are, but for its name and driver; none where they say too little for
// lowering, as those of old logs.
std::optional<Target> target_of(const DeviceFacets& facets);

using OptionValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>>;
using Options = std::map<std::string, OptionValue>;  // by name; printed in this order

std::string print(const OptionValue& value);  // as JSON

// The specs that a campaign tunes, which its header has among the options.
std::vector<std::string> tasks_of(const Options& options);

// Layer: one entry of a campaign's workload, by the name that people give it. Several may have one
// spec; what is tuned is the spec.
struct Layer {
  std::string name;  // of the first node, or as a suite has it
  std::string spec;
  int64_t nodes = 0;  // of a network, how many run it; 0: the entry is of no network
  friend bool operator==(const Layer&, const Layer&) = default;
};

struct LogHeader {
  int schema = kSchema;  // that it was written under; printing always writes this version's
  std::string tool;      // program and version
  int64_t campaign = 1;  // from 1, in the order of the file
  std::string id;        // of this campaign among all logs anywhere; survives merging
  std::string started;   // UTC, "2026-11-20T08:15:00Z"
  std::string target;    // resolved: "cpu:threads=2"
  DeviceFacets device;
  std::string driver;  // what turns programs into machine code, with its version
  Options options;     // every option that decides what the campaign does, and its limits
  std::vector<Layer> layers = {};  // empty: none has a name, or an older version wrote the log
  uint64_t seed = 0;
  // Set when `log distill` took most of the campaign's records away: how many trials there were.
  std::optional<int64_t> distilled_from = {};
  std::string
      experiment;  // the JSON of --experiment, printed on one line; empty when there was none
  UnknownFields unknown;

  std::string name_of(const std::string& spec) const;  // the first layer's; empty: it has none
  friend bool operator==(const LogHeader&, const LogHeader&) = default;
};

std::string print(const LogHeader& header);  // one line with its checksum, no newline

// Reads what open_line gave (core/record/line/log_line.h). A header of a newer schema is an
// error that says so.
Result<LogHeader> parse_header(std::string_view object);
bool is_header(std::string_view object);  // whether parse_header is the reader for it
bool is_newer_schema(std::string_view object);

// A header for a campaign that starts now on this machine: fills `id` and `started`.
LogHeader started_now(LogHeader header);

// Why a campaign of the log cannot be continued as `now`, one text for each thing that differs:
// "seed is 0 in the log, 7 now". Tool, id, start, names and experiment may differ. So may what says
// how much is measured, and not what: --trials and the other limits, and tasks that are new. (Not
// where an agent goes from task to task: what one task gets decides what the next one begins with.)
std::vector<std::string> differences(const LogHeader& in_log, const LogHeader& now);

}  // namespace dovetail
