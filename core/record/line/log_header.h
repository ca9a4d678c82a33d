// SPDX-License-Identifier: Apache-2.0
#pragma once

// LogHeader: the line that opens a campaign in a log, with the facts needed to interpret its
// records: device, driver, options, seed.
//
//   {"schema":2,"tool":"dovetail 0.1.0","campaign":1,"id":"6f1d...",
//    "started":"2026-11-20T08:15:00Z","target":"cpu",
//    "device":{"name":"AMD EPYC 9575F","family":"x86_64/16"},"driver":"LLVM 19.1.7",
//    "options":{"strategy":"random","trials":300},"seed":0,"crc":"..."}
//
// One header per campaign rather than per file, so that a log can hold runs of several days and
// devices, and two logs are joined by concatenation. Records refer to their campaign by its number.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/ir/machine.h"
#include "core/ir/target.h"
#include "core/record/line/json_fields.h"
#include "core/record/line/log_line.h"

namespace dovetail {

// DeviceFacets: the device that a campaign ran on, from specific to general.
//
//   {.name = "AMD EPYC (znver5)", .family = "x86_64/16", .more = {{"l1_bytes", "49152"}, ...}}
//   {.name = "NVIDIA H200", .family = "nvidia", ...}
//
// Two devices are the same when name and family agree. They are of one family when the same code
// should run equally well on both: CPUs with one instruction set and vector width, GPUs under one
// vendor's driver. A replay reports which of the two it had to settle for.

struct DeviceFacets {
  std::string name;
  std::string family;
  std::map<std::string, std::string> more;  // the target's other facts, by key
  friend bool operator==(const DeviceFacets&, const DeviceFacets&) = default;
};

DeviceFacets facets_of(const Target& target);
// None where the header has no fact that tells.
std::optional<ExecutionModel> execution_of(const DeviceFacets& facets);
// The target that the facets describe, without its name and driver; none where facts that lowering
// needs are missing, as in old logs.
std::optional<Target> target_of(const DeviceFacets& facets);

using OptionValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>>;
using Options = std::map<std::string, OptionValue>;  // by name; printed in this order

std::string print(const OptionValue& value);  // as JSON

// The specs that a campaign tunes, an entry of its options.
std::vector<std::string> tasks_of(const Options& options);

// Layer: one entry of a campaign's workload, with a readable name. Several layers may share a spec;
// specs are tuned, not layers.
struct Layer {
  std::string name;  // the first node's, or the suite's name for it
  std::string spec;
  int64_t nodes = 0;  // nodes of the network that run it; 0: not from a network
  // Its file, as the command named it, where the campaign tunes several networks; else empty.
  std::string model = {};
  friend bool operator==(const Layer&, const Layer&) = default;
};

struct LogHeader {
  int schema = kSchema;  // schema of the parsed text; print() always writes kSchema
  std::string tool;      // program and version
  int64_t campaign = 1;  // from 1, in the order of the file
  std::string id;        // globally unique campaign id; survives merging
  std::string started;   // UTC, "2026-11-20T08:15:00Z"
  std::string target;    // resolved: "cpu:threads=2"
  DeviceFacets device;
  std::string driver;  // code generator or driver, with its version
  Options options;     // all options that affect the campaign, limits included
  // Where some are files: all as the command named them, with their options --shape and --constant.
  std::vector<std::string> workloads = {}, shapes = {}, constants = {};
  std::vector<Layer> layers = {};  // empty: no names, or written by an older version
  // Measured when the campaign ended; none: it did not, or an older version wrote it.
  std::optional<Machine> machine = {};
  uint64_t seed = 0;
  // The number of trials before `log distill` removed most records; none: not distilled.
  std::optional<int64_t> distilled_from = {};
  // The JSON of --experiment, printed on one line; empty when there was none.
  std::string experiment;
  UnknownFields unknown;

  std::string name_of(const std::string& spec) const;  // name of the first such layer; empty: none
  friend bool operator==(const LogHeader&, const LogHeader&) = default;
};

std::string print(const LogHeader& header);  // one line with its checksum, no newline

// Parses the output of open_line (core/record/line/log_line.h). A newer schema is an error that
// names it.
Result<LogHeader> parse_header(std::string_view object);
bool is_header(std::string_view object);  // whether parse_header should parse it
bool is_newer_schema(std::string_view object);

// The files of models among its workloads.
std::vector<std::string> model_files(const LogHeader& header);

// Fills `id` and `started` for a campaign that starts now on this machine.
LogHeader started_now(LogHeader header);

// Why a campaign of the log cannot be continued as `now`, one text per difference: "seed is 0 in
// the log, 7 now". Tool, id, start, names and experiment may differ. The amount of measuring may
// differ, too: --trials and the other limits, and additional tasks. (Not where an agent moves from
// task to task: one task's budget decides the state in which the next begins.)
std::vector<std::string> differences(const LogHeader& in_log, const LogHeader& now);

}  // namespace dovetail
