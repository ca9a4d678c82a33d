// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/network_variants.h"

#include <algorithm>
#include <set>

#include "campaign/recorded_tasks.h"
#include "core/base/fail.h"
#include "core/record/line/log_header.h"

namespace dovetail {
namespace {

constexpr std::string_view kNetworkVariants[] = {
    "joint", "forward_only", "backward_only", "without_propagation", kLoopOnly, kGlobal};
// Traces that are slower than this are no alternatives: no conversion costs as much.
constexpr double kSlowest = 1.33;
constexpr size_t kMostTimed = 40;

std::string variant_of(const LogHeader& header) {
  const auto found = header.options.find("variant");
  const auto* name =
      found == header.options.end() ? nullptr : std::get_if<std::string>(&found->second);
  return name == nullptr ? "joint" : *name;
}

}  // namespace

Result<void> check_network_variant(const std::string& variant) {
  if (std::ranges::find(kNetworkVariants, variant) != std::end(kNetworkVariants)) return {};
  return fail("run: unknown variant '{}' of a network; expected one of: {}", variant,
              fmt::join(kNetworkVariants, ", "));
}

Propagation propagation_of(const std::string& variant) {
  if (variant == "forward_only") return Propagation::forward;
  if (variant == "backward_only") return Propagation::backward;
  return variant == "without_propagation" ? Propagation::none : Propagation::both;
}

Result<Log> campaigns_of_variant(const Log& log, std::string_view variant) {
  Log found = log;
  std::set<std::string> known;
  for (const LogHeader& header : log.headers) known.insert(variant_of(header));
  std::erase_if(found.records, [&](const Record& record) {
    return variant_of(*log.header_of(record.campaign)) != variant;
  });
  if (!found.records.empty()) return found;
  return fail("run: {} has no campaign of variant {}; it has {}", log.path, variant,
              fmt::join(known, ", "));
}

std::vector<TimedTrace> timed_traces(const TaskSpec& task, const Target& target, const Log& log,
                                     const Trace& best) {
  std::vector<const Record*> records;
  const std::string spec = print(task), on = print(target.name);
  const std::string device = facets_of(target).name;
  for (const Record& record : log.records)
    if (record.kind == RecordKind::trial && record.result.status == Status::ok &&
        record.task == spec && record.target == on &&
        log.header_of(record.campaign)->device.name == device)
      records.push_back(&record);
  const auto seconds = [](const Record* record) { return record->result.seconds; };
  std::ranges::stable_sort(records, {}, seconds);
  std::vector<TimedTrace> timed{{.trace = best}};
  for (const Record* record : records) {
    if (seconds(record) > kSlowest * seconds(records.front()) || timed.size() > kMostTimed) break;
    Result<Trace> trace = parse_trace(record->trace);
    if (!trace) continue;
    if (*trace == best) timed.front().seconds = seconds(record);
    else timed.push_back({.trace = *std::move(trace), .seconds = seconds(record)});
  }
  // Finalists were measured again; the best one's first reading need not be the least.
  if (!records.empty() && !timed.front().seconds) timed.front().seconds = seconds(records.front());
  return timed;
}

}  // namespace dovetail
