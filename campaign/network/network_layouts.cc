// SPDX-License-Identifier: Apache-2.0
#include "campaign/network/network_layouts.h"

#include <algorithm>
#include <utility>

#include "campaign/cache_choice.h"
#include "campaign/network/choose_network.h"
#include "campaign/network/network_sources.h"
#include "campaign/recorded_target.h"
#include "core/backends/backends.h"
#include "core/base/fail.h"
#include "core/frontend/partition/region_tasks.h"
#include "deploy/fusion/recorded_calls.h"

namespace dovetail {
namespace {

// Sets the calls' seconds to those within the kept network.
void take_kept_seconds(const NetworkRecord& kept, std::vector<CallOfNetwork>& calls) {
  for (CallOfNetwork& call : calls) {
    const auto found = std::ranges::find(kept.calls, call.call, &CallOfNetwork::call);
    if (found != kept.calls.end()) call.seconds = found->seconds;
  }
}

}  // namespace

Result<std::vector<CallOfNetwork>> network_layouts(const InspectOptions& options,
                                                   const Listener& listener) {
  if (options.variant) TRY(check_network_variant(*options.variant));
  const NetworkSources sources{.model = options.what_of,
                               .inputs = {options.shapes, options.constants},
                               .log = options.log,
                               .exact = options.exact};
  const SharedLog log = TRY(sources.read_log(Listener()));
  Partition parts = TRY(sources.read_parts(*log));
  const Target target = as_recorded(TRY(resolve_target(options.target.value_or("cpu"))), *log);
  TaskTraces traces({.target = target,
                     .log = TRY(log_of_variant(log, options.variant)),
                     .caches = caches_of_network(working_set_bytes(parts.graph), target),
                     .allows = options.exact ? definition_only : any_algorithm});
  const NetworkOfLog network = TRY(choose_network(std::move(parts), traces,
                                                  {.name = options.what_of,
                                                   .variant = options.variant,
                                                   .exact = options.exact,
                                                   .memory_limit_mb = options.memory_limit_mb},
                                                  listener));
  std::vector<CallOfNetwork> calls = recorded_calls(network.parts, network.lowered);
  for (size_t c = 0; c < calls.size(); ++c) {
    // The time of the log's best trace, which measurements need not have chosen.
    const auto match = traces.found().find(print(network.lowered.steps[c].task));
    if (match != traces.found().end() && match->second.match.best)
      calls[c].seconds = match->second.match.best->seconds;
  }
  if (network.record) take_kept_seconds(*network.record, calls);
  return calls;
}

}  // namespace dovetail
