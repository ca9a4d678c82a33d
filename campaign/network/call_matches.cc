// SPDX-License-Identifier: Apache-2.0
#include "campaign/network/call_matches.h"

#include <algorithm>
#include <utility>

#include "core/base/fail.h"
#include "core/ir/region/canonical.h"
#include "core/record/line/measure_result.h"

namespace dovetail {
namespace {

bool has_valid_trial(const KeyedTask& task, const TraceSources& sources) {
  const std::optional<Log>& log = *sources.log;
  return log && std::ranges::any_of(records_on(sources.target, task, *log),
                                    [](const Record* r) { return r->result.status == Status::ok; });
}

// Where the network alone has the region, no trial can be of it.
bool is_searched(const NetworkOfLog& network, const NetworkStep& step, const TraceSources& sources,
                 const std::set<std::string>& tunable) {
  if (!step.node || has_valid_trial(step.task, sources)) return true;
  const Result<Region>& region = network.parts.regions[*step.node].spec.value();
  if (!region) return true;
  const KeyedTask own = canonical(*region).spec;  // another form may run, as neighbours want it
  return !tunable.contains(own.text) || has_valid_trial(own, sources);
}

void count_as_network(const NetworkOfLog& network, RecordMatch& match) {
  match.level = MatchLevel::network;
  match.nearest.clear();
  match.differences = fmt::format("measured in the network of campaign {}, not by itself",
                                  network.record->campaign);
  match.explanation = match.differences;
}

}  // namespace

std::vector<RecordMatch> call_matches(const NetworkOfLog& network, const TaskTraces& traces,
                                      const std::set<std::string>& tunable) {
  std::vector<RecordMatch> matches;
  for (const NetworkStep& step : network.lowered.steps) {
    RecordMatch match = traces.match_of(step.task, step.trace);
    const bool is_kept = network.record && !(step.node && network.left_out.contains(*step.node));
    if (match.level == MatchLevel::none && is_kept &&
        is_searched(network, step, traces.sources(), tunable))
      count_as_network(network, match);
    matches.push_back(std::move(match));
  }
  return matches;
}

}  // namespace dovetail
