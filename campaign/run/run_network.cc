// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/run_network.h"

#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/accuracy/graph_inputs.h"
#include "campaign/accuracy/network_reference.h"
#include "campaign/cache_choice.h"
#include "campaign/network/network_variants.h"
#include "campaign/recorded_tasks.h"
#include "campaign/resolve_target.h"
#include "campaign/run/output_files.h"
#include "campaign/run/untried_regions.h"
#include "campaign/run/variant_run.h"
#include "campaign/workloads.h"
#include "core/base/check.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/ir/graph/task.h"
#include "measure/network_peers/engine_session.h"

namespace dovetail {
namespace {

size_t thread_count(const Target& target) {
  return static_cast<size_t>(std::max(target.name.threads, 1));
}

// All that is missing is named at once, before anything runs.
Result<void> check_regions(const Partition& parts, const std::string& model) {
  const std::vector<NotTuned> missing = not_computed(parts);
  if (missing.empty()) return {};
  std::vector<std::string> kinds;
  for (const NotTuned& kind : missing) kinds.push_back(print(kind));
  return fail("run: {} has nodes that this version does not compute: {}", model,
              fmt::join(kinds, ", "));
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

// None where nobody asked for one: then it depends on what the log keeps.
using AskedVariant = std::optional<std::string>;

std::vector<AskedVariant> asked_variants(const RunSpecOptions& options) {
  if (!options.variants.empty()) return {options.variants.begin(), options.variants.end()};
  if (options.choose_again) return {std::string(kGlobalVariant)};
  return {std::nullopt};
}

Result<SharedLog> log_of_variant(const SharedLog& log, const AskedVariant& variant) {
  if (!*log || variant == kDefaultVariant) return std::make_shared<const std::optional<Log>>();
  if (variant != kLoopOnlyVariant) return log;
  return std::make_shared<const std::optional<Log>>(
      TRY(campaigns_of_variant(**log, kLoopOnlyVariant)));
}

using VariantRuns = std::vector<std::unique_ptr<VariantRun>>;
using DistinctRuns = std::vector<VariantRun*>;

// It gives the first run of the same network for each: `global` often chooses what `joint` is.
DistinctRuns first_alike(const VariantRuns& runs) {
  DistinctRuns first;
  for (const auto& run : runs) {
    const auto alike =
        std::ranges::find_if(first, [&](VariantRun* other) { return run->runs_as(*other); });
    first.push_back(alike == first.end() ? run.get() : *alike);
  }
  return first;
}

// An engine knows nothing of --constant: it is given what we hold.
Result<std::vector<ComparedTensor>> inputs_of_engines(VariantRun& run,
                                                      const RunSpecOptions& options) {
  std::vector<ComparedTensor> inputs = TRY(run.compared(run.graph().inputs));
  if (options.peers.empty()) return inputs;
  for (const GraphTensor& held :
       TRY(read_held_inputs(options.spec, {options.shapes, options.constants}))) {
    const bool is_real = computed_type(held.type) == ComputedType::real;
    const ArrayView numbers =
        is_real ? ArrayView(held.data->floats) : ArrayView(held.data->integers);
    inputs.push_back({held.name, converted(numbers, held.type).reshaped(*held.shape)});
  }
  return inputs;
}

// The times are those of the same rounds.
Result<void> time_in_turn(const DistinctRuns& runs, const RunSpecOptions& options,
                          const std::vector<int>& cores) {
  VariantRun& first = *runs.front();
  const ComparedModel model{.path = options.spec,
                            .inputs = TRY(inputs_of_engines(first, options)),
                            .outputs = TRY(first.compared(first.graph().outputs)),
                            .expected = first.reference().outputs,
                            .cores = cores};
  std::vector<LoadedNetwork*> networks;
  for (VariantRun* run : runs) networks.push_back(&run->network());
  const EngineComparison found = TRY(beside_engines(networks, options.peers, model));
  for (size_t r = 0; r < runs.size(); ++r) {
    RunRow& row = runs[r]->row();
    row.seconds = found.ours[r].seconds;
    row.round_seconds = found.ours[r].round_seconds;
    row.engines = found.rows;
  }
  return {};
}

// A variant of the model, chosen; the last one may take the partition and the log itself.
using MakeVariant = std::function<Result<std::unique_ptr<VariantRun>>(const std::string& variant)>;

// Where calls or whole networks were beyond the bound of accuracy, all are chosen again without
// their algorithms: what one variant learns holds for the others.
Result<DistinctRuns> load_distinct(VariantRuns& runs, const MakeVariant& make, AccuracyRule& rule) {
  while (true) {
    const DistinctRuns first = first_alike(runs);
    bool is_beyond = false;
    double error = 0;
    for (size_t r = 0; r < runs.size(); ++r) {
      if (runs[r].get() != first[r]) continue;
      TRY(runs[r]->load());
      is_beyond |= runs[r]->is_beyond();
      error = std::max(error, runs[r]->row().range_error.value_or(0));
    }
    if (!is_beyond && !rule.judge_network(error)) return first;
    for (std::unique_ptr<VariantRun>& run : runs) run = TRY(make(std::string(run->row().variant)));
  }
}

// In a thread of its own: whoever loads a network is pinned to its cores.
Result<void> run_loaded(VariantRuns& runs, const MakeVariant& make, const RunSpecOptions& options,
                        const std::vector<int>& cores, AccuracyRule& rule) {
  const DistinctRuns first = TRY(load_distinct(runs, make, rule));
  DistinctRuns distinct;
  for (size_t r = 0; r < runs.size(); ++r)
    if (runs[r].get() == first[r]) distinct.push_back(first[r]);
  if (std::ranges::all_of(distinct, &VariantRun::is_right)) {
    if (runs.size() == 1 && options.peers.empty())
      TRY(runs.front()->time());
    else
      TRY(time_in_turn(distinct, options, cores));
  }
  for (size_t r = 0; r < runs.size(); ++r)
    if (runs[r].get() != first[r]) runs[r]->take(*first[r]);
  for (const auto& run : runs) TRY(run->finish());
  return {};
}

Result<void> check_options(const RunSpecOptions& options) {
  TRY(check_output_folder(options.outputs));
  for (const std::string& variant : options.variants) TRY(check_network_variant(variant));
  if (options.variants.size() > 1 && (!options.outputs.empty() || !options.profile.empty()))
    return fail("run: {} of several variants; expected one",
                options.outputs.empty() ? "--profile" : "--outputs");
  if (!options.peers.empty() && !options.spec.ends_with(".onnx"))
    return fail("run: --peer needs an ONNX model, which engines read; {} is none", options.spec);
  for (const std::string& peer : options.peers)
    if (const Result<void> there = check_engine(peer); !there)
      return fail("run: {}", there.error().message);
  return {};
}

template <typename T>
Result<T> of_model(const std::string& model, Result<T> result) {
  if (result) return result;
  return fail("run: {}: {}", model, result.error().message);
}

// Reading the model, compiling and checking it are in it.
int64_t process_peak_bytes() {
  rusage usage{};
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0, "the usage of this process is known");
  return int64_t{usage.ru_maxrss} * 1024;
}

// Before anything runs: what is not computed, what is narrowed, what the log never tried.
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

// The model and the log of a run, read again where all is chosen anew.
struct RunSources {
  const RunSpecOptions& options;
  const Listener& listener;

  Result<SharedLog> log() const {
    return std::make_shared<const std::optional<Log>>(
        TRY(read_log_of_run(options.log, listener, options.exact)));
  }
  Result<Partition> parts(const std::optional<Log>& log) const {
    Graph graph = TRY(read_model(options.spec, {options.shapes, options.constants}));
    const PartitionOptions as_tuned = log ? TRY(partition_of(*log, graph)) : PartitionOptions();
    return partition(std::move(graph), as_tuned);
  }
};

Result<std::unique_ptr<VariantRun>> choose_variant(const RunSetting& setting,
                                                   const AskedVariant& variant, SharedLog log,
                                                   Partition parts) {
  SharedLog own_log = TRY(log_of_variant(log, variant));
  log.reset();  // of large campaigns it takes more memory than the network
  auto run = std::make_unique<VariantRun>(setting, variant, std::move(own_log), std::move(parts));
  TRY(of_model(setting.options.spec, run->choose()));
  return run;
}

}  // namespace

std::optional<double> ratio_of(const RunRow& row) {
  std::optional<double> fastest;
  for (const EngineRow& engine : row.engines)
    if (engine.seconds) fastest = std::min(fastest.value_or(*engine.seconds), *engine.seconds);
  return fastest && row.seconds ? std::optional(*fastest / *row.seconds) : std::nullopt;
}

Result<Run> run_network(const RunSpecOptions& options, const Listener& listener) {
  TRY(check_options(options));
  const RunSources sources{options, listener};
  SharedLog log = TRY(sources.log());
  Partition parts = TRY(sources.parts(*log));
  const Target target = TRY(resolve_target(options.target));
  TRY(require_runnable(target));
  make_room_for(parts.graph);  // linking this program has read most of it
  TRY(say_what_is_known(parts, *log, target, options, listener));
  const std::vector<Array> inputs =
      TRY(graph_inputs(parts.graph, options.inputs, options.seed, options.constants));
  const auto rule =
      std::make_shared<AccuracyRule>(TRY(accuracy_rule(options.exact, options.max_error)));
  const VisitNode visit = [&](size_t, const Region& region, const RegionViews& given,
                              const RegionViews& made) { rule->learn(region, given, made); };
  const NetworkReference reference =
      TRY(of_model(options.spec, network_reference(parts, inputs, visit, listener)));
  const std::vector<int> cores = split_cores(physical_cores(), thread_count(target)).timed;
  const RunSetting setting{.options = options,
                           .listener = listener,
                           .target = target,
                           .caches = caches_of_network(working_set_bytes(parts.graph), target),
                           .cores = cores,
                           .inputs = inputs,
                           .reference = reference,
                           .rule = rule};
  const MakeVariant again = [&](const std::string& variant) -> Result<VariantRuns::value_type> {
    const SharedLog own_log = TRY(sources.log());
    return choose_variant(setting, variant, own_log, TRY(sources.parts(*own_log)));
  };
  VariantRuns runs;
  const std::vector<AskedVariant> variants = asked_variants(options);
  for (const AskedVariant& variant : variants) {
    Partition own_parts = parts;  // both share the constants
    SharedLog own_log = log;
    if (runs.size() + 1 == variants.size()) {  // the last one holds log and model alone
      parts = Partition();
      log.reset();
    }
    runs.push_back(TRY(choose_variant(setting, variant, std::move(own_log), std::move(own_parts))));
  }
  make_room_for(runs.front()->graph());  // what the log took is not needed beside the compiler
  TRY(of_model(options.spec,
               in_thread([&] { return run_loaded(runs, again, options, cores, *rule); })));
  say_what_is_left_out(*rule, options.spec, listener);
  Run done{.rows = {}, .process_peak_bytes = process_peak_bytes()};
  for (const auto& run : runs) done.rows.push_back(std::move(run->row()));
  return done;
}

}  // namespace dovetail
