// SPDX-License-Identifier: Apache-2.0
#include "campaign/network_layouts.h"

#include <map>

#include "campaign/cache_choice.h"
#include "campaign/recorded_tasks.h"
#include "campaign/resolve_target.h"
#include "campaign/run/network_variants.h"
#include "campaign/workloads.h"
#include "core/base/fail.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/record/log/network_records.h"
#include "deploy/fusion/recorded_network.h"
#include "deploy/layouts/choose_layouts.h"

namespace dovetail {
namespace {

// Tensors between calls by their buffers, and which of them each call is given and makes.
class CallTexts {
 public:
  CallTexts(const Partition& parts, const LoweredNetwork& lowered)
      : parts_(parts), program_(lowered.program), names_(program_.buffers.size()) {
    for (size_t b = 0; b < names_.size(); ++b)
      if (program_.buffers[b].buffer.role == BufferRole::activation)
        names_[b] = program_.buffers[b].tensors[0];
    for (const NetworkStep& step : lowered.steps)
      for (const auto& [id, buffer] : step.made)
        names_[buffer] = parts_.graph.tensors[static_cast<size_t>(id)].name;
  }

  CallLayouts of(const NetworkStep& step, const NetworkCall& call) const {
    CallLayouts row{.call = call.name,
                    .joined = {},
                    .is_conversion = !step.node,
                    .seconds = {},
                    .given = {},
                    .made = {}};
    if (const auto joined = parts_.joined.find(call.name); joined != parts_.joined.end())
      row.joined = fmt::format("{}", fmt::join(joined->second, " "));
    for (const size_t b : call.buffers) {
      const bool is_made =
          std::ranges::any_of(step.made, [&](const auto& entry) { return entry.second == b; });
      if (!names_[b].empty()) add(b, is_made ? row.made : row.given);
    }
    return row;
  }

 private:
  void add(size_t buffer, std::string& text) const {
    const Layout& layout = program_.buffers[buffer].buffer.layout;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", names_[buffer],
                        print(normal_form(layout), layout.logical));
  }

  const Partition& parts_;
  const NetworkProgram& program_;
  std::vector<std::string> names_;  // of tensors between calls; empty: another buffer
};

// Variant global is decided by measurements: it is what a log keeps of them.
Result<ChosenNetwork> kept_global(const Partition& parts, const Target& target,
                                  const std::optional<Log>& log) {
  std::optional<NetworkRecord> kept;
  if (log) kept = kept_network(*log, network_of_graph(parts, target));
  if (kept) return chosen_network(parts, *kept);
  return fail(
      "show: variant global is decided by measurements, and {}; first: dovetail run MODEL --log F "
      "--variant global",
      log ? log->path + " keeps none of as many trials" : "no --log keeps them");
}

}  // namespace

Result<std::vector<CallLayouts>> network_layouts(const InspectOptions& options) {
  TRY(check_network_variant(options.variant));
  Graph graph = TRY(read_model(options.what_of, options.shapes));
  std::optional<Log> log = TRY(read_log_of_run(options.log, Listener()));
  if (log && options.variant == kLoopOnlyVariant)
    log = TRY(campaigns_of_variant(*log, kLoopOnlyVariant));
  const Partition parts =
      TRY(partition(std::move(graph), log ? partition_of(*log) : PartitionOptions()));
  const Target target = TRY(resolve_target(options.target.value_or("cpu")));
  const Caches caches = caches_of_network(constant_bytes(parts.graph), target);
  std::map<std::string, RegionTrace> chosen;
  const auto trace_of = [&](const TaskSpec& task) -> Result<Trace> {
    const auto [found, is_new] = chosen.try_emplace(print(task));
    if (is_new) found->second = TRY(trace_for(task, target, log, caches, Listener()));
    return found->second.trace;
  };
  const auto traces_of = [&](const TaskSpec& task) -> Result<std::vector<TimedTrace>> {
    return timed_traces(task, target, log, caches, TRY(trace_of(task)));
  };
  ChosenNetwork network{.parts = parts, .chains = {}, .network = {}};
  if (options.variant == kGlobalVariant)
    network = TRY(kept_global(parts, target, log));
  else
    network.network = TRY(propagated(parts, target, traces_of, propagation_of(options.variant)));
  const LoweredNetwork lowered =
      TRY(lower_network(network.parts, target, trace_of, network.network));
  const CallTexts texts(network.parts, lowered);
  std::vector<CallLayouts> rows;
  for (size_t c = 0; c < lowered.steps.size(); ++c) {
    rows.push_back(texts.of(lowered.steps[c], lowered.program.calls[c]));
    // A trace that measurements chose need not be the log's best, whose time this is.
    const auto match = chosen.find(print(lowered.steps[c].task));
    if (match != chosen.end() && match->second.match.best)
      rows.back().seconds = match->second.match.best->seconds;
  }
  return rows;
}

}  // namespace dovetail
