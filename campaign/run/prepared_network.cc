// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/prepared_network.h"

#include <algorithm>
#include <utility>

#include "campaign/cache_choice.h"
#include "campaign/recorded_target.h"
#include "campaign/run/network_trials.h"
#include "campaign/run/untried_regions.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/ir/graph/task.h"

namespace dovetail {
namespace {

size_t thread_count(const Target& target) {
  return static_cast<size_t>(std::max(target.name.threads, 1));
}

// Names all missing computations at once, before anything runs.
Result<void> check_regions(const Partition& parts, const std::string& model) {
  const std::vector<NotTuned> missing = not_computed(parts);
  if (missing.empty()) return {};
  std::vector<std::string> kinds;
  for (const NotTuned& kind : missing) kinds.push_back(print(kind));
  return fail("{} has nodes that this version does not compute: {}", model, fmt::join(kinds, ", "));
}

// A model of f64 expects more digits than it gets here.
void say_what_is_narrowed(const Graph& graph, const std::string& model, const Listener& listener) {
  const auto is_wide = [](const GraphTensor& tensor) { return tensor.type == ElementType::f64; };
  const auto wide = std::ranges::count_if(graph.tensors, is_wide);
  if (wide == 0) return;
  listener.note(fmt::format("{}: f64 is computed as f32 here, with 7 digits ({}: {})", model,
                            counted(wide, "tensor"),
                            std::ranges::find_if(graph.tensors, is_wide)->name));
}

NetworkRequest request_of(const RunSpecOptions& options) {
  return {.name = options.spec,
          .log_name = options.log,
          .choose_again = options.choose_again,
          .exact = options.exact,
          .max_error = options.max_error,
          .memory_limit_mb = options.memory_limit_mb,
          .trace_seed = options.trace_seed,
          .is_profiled = !options.profile.empty()};
}

template <typename T>
Result<T> of_model(const std::string& model, Result<T> result) {
  if (result) return result;
  return fail("{}: {}", model, result.error().message);
}

// Before anything runs: nodes not computed, types narrowed, regions that the log never tried.
Result<void> say_what_is_known(const PreparedNetwork& prepared) {
  const Listener& listener = prepared.listener;
  const std::string& name = prepared.request.name;
  const Partition& parts = prepared.parts;
  const std::optional<Log>& log = *prepared.log;
  TRY(check_regions(parts, name));
  TRY(of_model(name, check_memory(parts.graph)));
  say_what_is_narrowed(parts.graph, name, listener);
  if (!log || prepared.request.trace_seed) return {};
  const std::string untried = TRY(note_on_untried(parts, *log, print(prepared.target.name)));
  if (!untried.empty()) listener.note(fmt::format("{}: {}", name, untried));
  return {};
}

}  // namespace

Result<PreparedNetwork> prepare_network(NetworkRequest request, SharedLog log, Partition parts,
                                        const InputSets& inputs, const Target& target,
                                        const Listener& listener) {
  PreparedNetwork prepared;
  prepared.request = std::move(request);
  prepared.listener = listener;
  prepared.log = std::move(log);
  prepared.target = as_recorded(target, *prepared.log);
  prepared.parts = std::move(parts);
  const Graph& graph = prepared.parts.graph;
  // Drops code pages that start-up linking read in.
  if (prepared.request.owns_process) make_room_for(graph);
  TRY(say_what_is_known(prepared));
  std::vector<std::vector<NDArray>> sets = TRY(inputs(graph));
  prepared.rule = std::make_shared<AccuracyRule>(
      TRY(accuracy_rule(prepared.request.exact, prepared.request.max_error)));
  prepared.data = TRY(of_model(prepared.request.name, network_data(prepared.parts, std::move(sets),
                                                                   *prepared.rule, listener)));
  prepared.cores = split_cores(physical_cores(), thread_count(target)).timed;
  prepared.caches = caches_of_network(working_set_bytes(graph), prepared.target);
  return prepared;
}

NetworkSources sources_of(const RunSpecOptions& options) {
  return {.model = options.spec,
          .inputs = {options.shapes, options.constants},
          .log = options.log,
          .exact = options.exact};
}

Result<PreparedNetwork> read_network(const RunSpecOptions& options,
                                     const std::vector<std::string>& input_folders,
                                     const Target& target, const Listener& listener) {
  const NetworkSources sources = sources_of(options);
  SharedLog log = TRY(sources.read_log(listener));
  Partition parts = TRY(sources.read_parts(*log));
  const InputSets inputs = [&](const Graph& graph) {
    return input_sets(
        graph, {.folders = input_folders, .seed = options.seed, .constants = options.constants});
  };
  return prepare_network(request_of(options), std::move(log), std::move(parts), inputs, target,
                         listener);
}

}  // namespace dovetail
