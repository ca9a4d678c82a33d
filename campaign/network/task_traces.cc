// SPDX-License-Identifier: Apache-2.0
#include "campaign/network/task_traces.h"

#include <utility>

#include "campaign/recorded_tasks.h"

namespace dovetail {

TaskTraces::TaskTraces(TraceSources sources)
    : sources_(std::move(sources)), otherwise_(default_traces(sources_.target, sources_.allows)) {}

Result<Trace> TaskTraces::best(const KeyedTask& task) {
  const auto [found, is_new] = found_.try_emplace(task.text);
  if (!is_new) return found->second.trace;
  if (sources_.trace_seed) {
    std::optional<RegionTrace> random =
        TRY(random_trace_for(task, sources_.target, *sources_.trace_seed));
    found->second.is_random = random.has_value();
    if (random) return found->second.trace = std::move(random->trace);
  }
  // No notes here: misses are counted later, as many regions exist only between these layouts.
  RegionTrace chosen = TRY(trace_for(task, sources_.target, *sources_.log, sources_.caches,
                                     Listener(), sources_.allows));
  found->second.match = std::move(chosen.match);
  return found->second.trace = std::move(chosen.trace);
}

Result<std::vector<TimedTrace>> TaskTraces::timed(const KeyedTask& task) {
  const Trace own = TRY(best(task));
  if (sources_.trace_seed) return std::vector<TimedTrace>{{.trace = own}};
  const std::optional<Log>& log = *sources_.log;
  return timed_traces(task, sources_.target,
                      log ? records_on(sources_.target, task, *log) : std::vector<const Record*>(),
                      sources_.caches, own, TRY(otherwise_(task)), sources_.slower,
                      sources_.allows);
}

RecordMatch TaskTraces::match_of(const KeyedTask& task, const Trace& trace) const {
  const auto found = found_.find(task.text);
  if (found != found_.end() && found->second.trace == trace) return found->second.match;
  const std::optional<Log>& log = *sources_.log;
  if (!log) return {};
  return match_of_trace(task, trace, sources_.target, *log, sources_.caches);
}

}  // namespace dovetail
