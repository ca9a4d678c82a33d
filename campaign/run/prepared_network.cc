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
                            wide == 1 ? "1 tensor" : fmt::format("{} tensors", wide),
                            std::ranges::find_if(graph.tensors, is_wide)->name));
}

NetworkSources sources_of(const RunSpecOptions& options) {
  return {.model = options.spec,
          .inputs = {options.shapes, options.constants},
          .log = options.log,
          .exact = options.exact};
}

template <typename T>
Result<T> of_model(const std::string& model, Result<T> result) {
  if (result) return result;
  return fail("{}: {}", model, result.error().message);
}

// Before anything runs: nodes not computed, types narrowed, regions that the log never tried.
Result<void> say_what_is_known(const Partition& parts, const std::optional<Log>& log,
                               const Target& target, const RunSpecOptions& options,
                               const Listener& listener) {
  TRY(check_regions(parts, options.spec));
  TRY(of_model(options.spec, check_memory(parts.graph)));
  say_what_is_narrowed(parts.graph, options.spec, listener);
  if (!log || options.trace_seed) return {};
  const std::string untried = TRY(note_on_untried(parts, *log, print(target.name)));
  if (!untried.empty()) listener.note(fmt::format("{}: {}", options.spec, untried));
  return {};
}

}  // namespace

Result<PreparedNetwork> prepare_network(const RunSpecOptions& options,
                                        const std::vector<std::string>& input_folders,
                                        const Target& target, const Listener& listener) {
  PreparedNetwork prepared;
  prepared.sources = sources_of(options);
  prepared.log = TRY(prepared.sources.read_log(listener));
  prepared.target = as_recorded(target, *prepared.log);
  prepared.parts = TRY(prepared.sources.read_parts(*prepared.log));
  const Graph& graph = prepared.parts.graph;
  make_room_for(graph);  // drops code pages that start-up linking read in
  TRY(say_what_is_known(prepared.parts, *prepared.log, target, options, listener));
  std::vector<std::vector<NDArray>> inputs = TRY(input_sets(
      graph, {.folders = input_folders, .seed = options.seed, .constants = options.constants}));
  prepared.rule =
      std::make_shared<AccuracyRule>(TRY(accuracy_rule(options.exact, options.max_error)));
  prepared.data = TRY(of_model(
      options.spec, network_data(prepared.parts, std::move(inputs), *prepared.rule, listener)));
  prepared.cores = split_cores(physical_cores(), thread_count(target)).timed;
  prepared.caches = caches_of_network(working_set_bytes(graph), prepared.target);
  return prepared;
}

RunSetting setting_of(const PreparedNetwork& prepared, const RunSpecOptions& options,
                      const Listener& listener) {
  return {.options = options,
          .listener = listener,
          .target = prepared.target,
          .caches = prepared.caches,
          .cores = prepared.cores,
          .data = prepared.data,
          .rule = prepared.rule};
}

}  // namespace dovetail
