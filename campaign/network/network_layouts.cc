// SPDX-License-Identifier: Apache-2.0
#include "campaign/network_layouts.h"

#include <algorithm>
#include <map>

#include "campaign/cache_choice.h"
#include "campaign/recorded_tasks.h"
#include "campaign/resolve_target.h"
#include "campaign/run/network_variants.h"
#include "campaign/workloads.h"
#include "core/base/fail.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/record/log/network_records.h"
#include "deploy/fusion/recorded_calls.h"
#include "deploy/fusion/recorded_network.h"
#include "deploy/layouts/choose_layouts.h"
#include "deploy/network/lower_network.h"

namespace dovetail {
namespace {

std::optional<NetworkRecord> kept_global(const Partition& parts, const Target& target,
                                         const std::optional<Log>& log,
                                         const InspectOptions& options) {
  if (!log) return std::nullopt;
  return kept_network(
      *log, chosen_under(network_of_graph(parts, target), options.exact, options.memory_limit_mb));
}

// Variant global is decided by measurements: it is what a log keeps of them.
Unexpected none_kept(const std::optional<Log>& log, const InspectOptions& options) {
  return fail(
      "show: variant global is decided by measurements, and {}; first: dovetail run MODEL --log F "
      "--variant global{}{}",
      log ? log->path + " keeps none of as many trials" : "no --log keeps them",
      options.exact ? " --exact" : "",
      options.memory_limit_mb ? fmt::format(" --memory-limit {:g}", *options.memory_limit_mb) : "");
}

// A kept network's calls have the seconds that they took in it.
void take_kept_seconds(const NetworkRecord& kept, std::vector<CallOfNetwork>& calls) {
  for (CallOfNetwork& call : calls) {
    const auto found = std::ranges::find(kept.calls, call.call, &CallOfNetwork::call);
    if (found != kept.calls.end()) call.seconds = found->seconds;
  }
}

}  // namespace

Result<std::vector<CallOfNetwork>> network_layouts(const InspectOptions& options) {
  const std::string variant = options.variant.value_or(std::string(kJointVariant));
  TRY(check_network_variant(variant));
  Graph graph = TRY(read_model(options.what_of, {options.shapes, options.constants}));
  std::optional<Log> log = TRY(read_log_of_run(options.log, Listener(), options.exact));
  if (log && variant == kLoopOnlyVariant) log = TRY(campaigns_of_variant(*log, kLoopOnlyVariant));
  const PartitionOptions as_tuned = log ? TRY(partition_of(*log, graph)) : PartitionOptions();
  const Partition parts = TRY(partition(std::move(graph), as_tuned));
  const Target target = TRY(resolve_target(options.target.value_or("cpu")));
  const Caches caches = caches_of_network(working_set_bytes(parts.graph), target);
  const AllowsAlgorithm allows = options.exact ? definition_only : any_algorithm;
  std::map<std::string, RegionTrace> chosen;
  const auto trace_of = [&](const TaskSpec& task) -> Result<Trace> {
    const auto [found, is_new] = chosen.try_emplace(print(task));
    if (is_new) found->second = TRY(trace_for(task, target, log, caches, Listener(), allows));
    return found->second.trace;
  };
  const TraceOfTask otherwise = default_traces(target, allows);
  const auto traces_of = [&](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
    return timed_traces(task, target, log, caches, TRY(trace_of(task)), TRY(otherwise(task)));
  };
  std::optional<NetworkRecord> kept;
  if (!options.variant || variant == kGlobalVariant)
    kept = kept_global(parts, target, log, options);
  if (!kept && variant == kGlobalVariant) return none_kept(log, options);
  ChosenNetwork network{.parts = parts, .chains = {}, .network = {}};
  if (kept)
    network = TRY(chosen_network(parts, *kept));
  else
    network.network = TRY(propagated(parts, target, traces_of, propagation_of(variant)));
  const LoweredNetwork lowered =
      TRY(lower_network(network.parts, target, trace_of, network.network));
  std::vector<CallOfNetwork> calls = recorded_calls(network.parts, lowered);
  for (size_t c = 0; c < calls.size(); ++c) {
    // A trace that measurements chose need not be the log's best, whose time this is.
    const auto match = chosen.find(print(lowered.steps[c].task));
    if (match != chosen.end() && match->second.match.best)
      calls[c].seconds = match->second.match.best->seconds;
  }
  if (kept) take_kept_seconds(*kept, calls);
  return calls;
}

}  // namespace dovetail
