// SPDX-License-Identifier: Apache-2.0
#include "campaign/network/network_variants.h"

#include <algorithm>
#include <map>
#include <set>

#include "campaign/recorded_tasks.h"
#include "campaign/workloads.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/record/line/log_header.h"
#include "core/record/line/trace_text.h"
#include "core/record/log/thinned_log.h"
#include "primitives/loop/caching.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/restricted.h"
#include "primitives/space/space.h"
#include "search/strategies/points/points.h"

namespace dovetail {
namespace {

constexpr std::string_view kNetworkVariants[] = {
    kDefaultVariant,       kJointVariant,     "forward_only",   "backward_only",
    "without_propagation", kNoLayoutsVariant, kLoopOnlyVariant, kGlobalVariant};

bool is_candidate(const Record& record, const TaskSpec& task, const AllowsAlgorithm& allows) {
  if (record.kind != RecordKind::trial || record.result.status != Status::ok) return false;
  if (recorded_algorithm(record.trace.text()).empty()) return true;  // most: not parsed
  const Result<Trace>& trace = record.trace.value();
  return trace && allows(task, trace->algorithm);
}

void add_recorded(const TaskSpec& task, std::vector<const Record*> records, Caches caches,
                  SlowerTraces slower, const AllowsAlgorithm& allows,
                  std::vector<TimedTrace>& timed) {
  std::erase_if(records,
                [&](const Record* record) { return !is_candidate(*record, task, allows); });
  const auto is_other = [&](const Record* record) { return record->caches != caches; };
  if (!std::ranges::all_of(records, is_other)) std::erase_if(records, is_other);
  const auto seconds = [](const Record* record) { return record->result.seconds; };
  std::ranges::stable_sort(records, {}, seconds);
  const Trace best = timed.front().trace;
  // Finalists were measured again, so the best one's first time need not be the smallest.
  if (!records.empty()) timed.front().seconds = seconds(records.front());
  std::map<std::string, size_t> slow;
  for (const Record* record : records) {
    const bool is_slow =
        seconds(record) > kSlowestTaken * seconds(records.front()) || timed.size() > kMostTaken;
    if (is_slow && slower == SlowerTraces::few) break;
    const Result<Trace>& trace = record->trace.value();
    if (!trace || *trace == best) continue;
    if (is_slow && slow[way_of(record->trace.text())]++ >= kMostSlow) continue;
    timed.push_back({.trace = *trace, .seconds = seconds(record)});
  }
}

// Adds each algorithm's default trace: short campaigns measure few of the slower algorithms.
void add_defaults(const TaskSpec& task, const Target& target, std::vector<TimedTrace>& timed) {
  const Result<Space> space = build_space(task, target);
  if (!space || space->parameters().empty()) return;
  if (space->parameters()[0].kind != ParameterKind::algorithm) return;
  for (const int64_t algorithm : space->parameters()[0].domain({})) {
    Point wanted = space->default_point();
    wanted[0] = algorithm;
    const Trace trace = space->decode(repair(*space, wanted));
    if (std::ranges::find(timed, trace, &TimedTrace::trace) == timed.end())
      timed.push_back({.trace = trace});
  }
}

// The primitives of the layout that a trace gives a tensor; none: row-major.
std::span<const LayoutPrimitive> layout_in(const Trace& trace, const std::string& tensor) {
  const auto layout = std::ranges::find(trace.layouts, tensor, &TensorLayout::tensor);
  if (layout == trace.layouts.end()) return {};
  return layout->primitives;
}

// Networks store X[m, k]. A fill that transposes it loads single elements: 128 x 768 by 768 x 768
// takes an H200 23 us within BERT-base by its own default trace, which has X[k, m], and alone 11 by
// the one for X[m, k], which is the default within networks.
void prefer_rows(const Region& region, std::vector<TimedTrace>& untimed) {
  const Computation* const product = anchor_of(region);
  if (product == nullptr || !is_matrix_product(*product)) return;
  const std::string& x = element_reads(*product)[0].tensor;
  if (!is_copied_to_local(untimed.front().trace, x)) return;
  const std::span<const LayoutPrimitive> own = layout_in(untimed.front().trace, x);
  if (own.size() != 1 || !std::holds_alternative<layout::Reorder>(own[0])) return;
  const auto found = std::ranges::find_if(
      untimed, [&](const TimedTrace& one) { return layout_in(one.trace, x).empty(); });
  if (found == untimed.end()) return;
  std::rotate(untimed.begin(), found, found + 1);
  for (TimedTrace& one : untimed) one.is_default = false;
  untimed.front().is_default = true;
}

}  // namespace

std::span<const std::string_view> known_network_variants() { return kNetworkVariants; }

Result<void> check_network_variant(const std::string& variant) {
  if (std::ranges::find(kNetworkVariants, variant) != std::end(kNetworkVariants)) return {};
  return fail("unknown variant '{}' of a network; expected one of: {}", variant,
              one_of_or_nearest(variant, kNetworkVariants));
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
  return fail("{} has no campaign of variant {}; it has {}", log.path, variant,
              fmt::join(known, ", "));
}

std::optional<int64_t> bytes_of_limit(std::optional<double> megabytes) {
  if (!megabytes) return std::nullopt;
  return static_cast<int64_t>(1e6 * *megabytes);
}

NetworkRecord chosen_under(NetworkRecord network, bool exact, std::optional<double> megabytes) {
  network.exact = exact;
  network.memory_limit_bytes = bytes_of_limit(megabytes);
  return network;
}

std::vector<const Record*> records_on(const Target& target, const KeyedTask& task, const Log& log) {
  std::vector<const Record*> records;
  const std::string on = print(target.name);
  const std::string device = facets_of(target).name;
  for (const Record& record : log.records)
    if (record.task == task.text && record.target == on &&
        log.header_of(record.campaign)->device.name == device)
      records.push_back(&record);
  return records;
}

std::vector<Record> fast_trials(std::vector<Record> records, const TaskSpec& task,
                                const AllowsAlgorithm& allows) {
  std::erase_if(records, [&](const Record& record) { return !is_candidate(record, task, allows); });
  std::map<Caches, double> fastest;
  for (const Record& record : records) {
    double& seconds = fastest.try_emplace(record.caches, record.result.seconds).first->second;
    seconds = std::min(seconds, record.result.seconds);
  }
  std::erase_if(records, [&](const Record& record) {
    return record.result.seconds > kSlowestTaken * fastest[record.caches];
  });
  return records;
}

std::vector<TimedTrace> timed_traces(const TaskSpec& task, const Target& target,
                                     std::vector<const Record*> records, Caches caches,
                                     const Trace& best, const Trace& otherwise, SlowerTraces slower,
                                     const AllowsAlgorithm& allows) {
  std::vector<TimedTrace> timed{{.trace = best}};
  add_recorded(task, std::move(records), caches, slower, allows, timed);
  const auto known = std::ranges::find(timed, otherwise, &TimedTrace::trace);
  if (known == timed.end())
    timed.push_back({.trace = otherwise, .is_default = true});
  else
    known->is_default = true;
  if (slower == SlowerTraces::of_each_algorithm) add_defaults(task, target, timed);
  for (const FixedLayout layout : {FixedLayout::nohw16o, FixedLayout::nhwo, FixedLayout::nohw})
    if (const auto space = build_space(task, target, layout))
      timed.push_back({.trace = allowed_only(*space, allows).default_trace()});
  std::erase_if(timed, [&](const TimedTrace& one) { return !allows(task, one.trace.algorithm); });
  if (!timed.empty() && !timed.front().seconds) prefer_rows(task.region, timed);
  return timed;
}

}  // namespace dovetail
