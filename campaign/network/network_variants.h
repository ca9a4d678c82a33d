// SPDX-License-Identifier: Apache-2.0
#pragma once

// The variants in which `run` puts a network together, after ALT's ablations (paper, section 7.3):
//
//   default               default traces, as if there were no log; layouts as `joint`
//   joint                 traces by their times in the log and what is converted between them;
//                         layouts go forward and backward from the regions with a product
//   forward_only          what follows a region with a product takes its layout
//   backward_only         what is before a region with a product makes the layout that it wants
//   without_propagation   all other regions are row-major, with conversions between
//   no_layouts            joint, of the log's campaigns of no_layouts: one fixed layout
//   loop_only             joint, of the log's campaigns of loop_only: the direct sum, too
//   global                traces and layouts by what they take in the network itself
//                         (deploy/layouts/measured_layouts.h)

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/region/task_spec.h"
#include "core/record/line/network_record.h"
#include "core/record/log/log.h"
#include "deploy/layouts/alternatives.h"

namespace dovetail {

constexpr std::string_view kGlobalVariant = "global", kJointVariant = "joint",
                           kDefaultVariant = "default";

std::span<const std::string_view> known_network_variants();
Result<void> check_network_variant(const std::string& variant);
Propagation propagation_of(const std::string& variant);

// The log's campaigns of one variant; if there are none, fails with the variants that it has.
Result<Log> campaigns_of_variant(const Log& log, std::string_view variant);

// Converts --memory-limit, MB of constants and temporaries, to bytes.
std::optional<int64_t> bytes_of_limit(std::optional<double> megabytes);

// Sets the options (--exact, --memory-limit) under which the network was chosen.
NetworkRecord chosen_under(NetworkRecord network, bool exact, std::optional<double> megabytes);

// Selects which traces much slower than the best are candidates; they help if memory is short.
enum class SlowerTraces : uint8_t { few, of_each_algorithm };

// The log's records of a task on the target's device.
std::vector<const Record*> records_on(const Target& target, const KeyedTask& task, const Log& log);

// The trials among a task's records that timed_traces() with `few` may take, whatever other records
// are added: a campaign keeps these and drops the rest.
std::vector<Record> fast_trials(std::vector<Record> records, const TaskSpec& task,
                                const AllowsAlgorithm& allows);

// Candidates for a task: `best`; then its records, fastest first, up to a third slower than the
// best; then, untimed, `otherwise` (the task's default trace) and the default traces of the fixed
// layouts, on which neighbours with one trial each in a short campaign can agree.
// `of_each_algorithm` adds the fastest records of other algorithms and compute_at choices, however
// slow, and each algorithm's default trace. Times are of `caches`, or of others if there are none.
std::vector<TimedTrace> timed_traces(const TaskSpec& task, const Target& target,
                                     std::vector<const Record*> records, Caches caches,
                                     const Trace& best, const Trace& otherwise,
                                     SlowerTraces slower = SlowerTraces::few,
                                     const AllowsAlgorithm& allows = any_algorithm);

}  // namespace dovetail
