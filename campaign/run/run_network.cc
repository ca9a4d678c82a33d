// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/run_network.h"

#include <algorithm>
#include <memory>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/accuracy/network_data.h"
#include "campaign/cache_choice.h"
#include "campaign/network/network_sources.h"
#include "campaign/network/network_variants.h"
#include "campaign/recorded_target.h"
#include "campaign/run/judged_variants.h"
#include "campaign/run/network_profile.h"
#include "campaign/run/network_trials.h"
#include "campaign/run/output_files.h"
#include "campaign/run/prepared_network.h"
#include "campaign/run/untried_regions.h"
#include "campaign/workloads.h"
#include "core/backends/backends.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/ir/graph/task.h"
#include "measure/network_peers/engine_session.h"

namespace dovetail {
namespace {

std::vector<std::string> input_folders_of(const RunSpecOptions& options) {
  return options.inputs.empty() ? std::vector<std::string>() : std::vector{options.inputs};
}

std::vector<AskedVariant> asked_variants(const RunSpecOptions& options) {
  if (!options.variants.empty()) return {options.variants.begin(), options.variants.end()};
  if (options.choose_again) return {std::string(kGlobalVariant)};
  return {std::nullopt};
}

// A network put together from times of single operators is timed beside default traces, but not
// beside engines, since their table has the memory of this process.
bool is_compared_with_default(const RunSpecOptions& options, const RunRow& row) {
  const bool is_free = options.variants.empty() && options.peers.empty() && !options.choose_again &&
                       !options.memory_limit_mb && !options.trace_seed;
  return is_free && row.recorded > 0 && row.variant == kJointVariant;
}

std::string comparison_text(const RunRow& row, const RunRow& by_default) {
  const bool is_slower =
      row.interval && by_default.interval && row.interval->front() > by_default.interval->back();
  return fmt::format(
      "{}: {:.4g} us, and {:.4g} us by default traces, in turn: {:.2f} times as fast{}", row.name,
      *row.seconds * 1e6, *by_default.seconds * 1e6, *by_default.seconds / *row.seconds,
      is_slower ? "; `run --variant global` measures whole networks" : "");
}

// Moves the time of default traces, the last run, to the row of the network beside it.
void take_default_seconds(VariantRuns& runs, const Listener& listener) {
  const RunRow by_default = std::move(runs.back()->row());
  runs.pop_back();
  RunRow& row = runs.back()->row();
  row.default_seconds = by_default.seconds;
  if (row.seconds && by_default.seconds && by_default.same_as.empty())
    listener.note(comparison_text(row, by_default));
}

// Engines know nothing of --constant, so they are given the fixed inputs, too.
Result<NamedArrays> inputs_of_engines(VariantRun& run, const RunSpecOptions& options) {
  NamedArrays inputs = TRY(run.arrays(run.graph().inputs));
  if (options.peers.empty()) return inputs;
  for (const GraphTensor& held :
       TRY(read_held_inputs(options.spec, {options.shapes, options.constants})))
    inputs[held.name] = converted(*held.data, held.type).reshaped(*held.shape);
  return inputs;
}

std::vector<OuterTensor> outputs_of(const Graph& graph) {
  std::vector<OuterTensor> outputs;
  for (const TensorId id : graph.outputs)
    outputs.push_back(outer_tensor(graph.tensors[static_cast<size_t>(id)]));
  return outputs;
}

// Times all networks and engines in the same rounds.
Result<void> time_in_turn(const DistinctRuns& runs, const RunSpecOptions& options,
                          const std::vector<int>& cores) {
  VariantRun& first = *runs.front();
  const ComparedModel model{.path = options.spec,
                            .inputs = TRY(inputs_of_engines(first, options)),
                            .outputs = TRY(first.arrays(first.graph().outputs)),
                            .made = outputs_of(first.graph()),
                            .expected = first.reference().outputs,
                            .cores = cores};
  std::vector<LoadedNetwork*> networks;
  for (VariantRun* run : runs) networks.push_back(&run->network());
  const EngineComparison found = TRY(beside_engines(networks, options.peers, model));
  for (size_t r = 0; r < runs.size(); ++r) {
    RunRow& row = runs[r]->row();
    row.seconds = found.ours[r].seconds;
    row.round_seconds = found.ours[r].round_seconds;
    row.interval = interval_of(row.round_seconds);
    row.engines = found.rows;
  }
  return {};
}

// The profile and the outputs, where they are wanted.
Result<void> write_files(VariantRun& run, const RunSpecOptions& options) {
  if (!run.is_right()) return {};
  if (!options.profile.empty())
    TRY(write_file(options.profile, trace_viewer_text(TRY(run.profile()))));
  if (options.outputs.empty()) return {};
  run.row().files = TRY(write_outputs(options.outputs, outputs_of(run.graph()),
                                      TRY(run.arrays(run.graph().outputs))));
  return {};
}

// Runs in a separate thread, because loading a network pins the thread to its cores.
Result<void> run_loaded(VariantRuns& runs, const MakeVariant& make, const RunSpecOptions& options,
                        const std::vector<int>& cores, AccuracyRule& rule) {
  const DistinctRuns first = TRY(load_within_bound(runs, make, rule));
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
  return write_files(*runs.front(), options);  // not wanted with several variants
}

template <typename T>
Result<T> of_run(Result<T> result) {
  if (result) return result;
  return fail("run: {}", result.error().message);
}

Result<void> check_options(const RunSpecOptions& options) {
  TRY(check_output_folder(options.outputs));
  for (const std::string& variant : options.variants) TRY(of_run(check_network_variant(variant)));
  if (options.variants.size() > 1 && (!options.outputs.empty() || !options.profile.empty()))
    return fail("run: {} of several variants; expected one",
                options.outputs.empty() ? "--profile" : "--outputs");
  if (!options.peers.empty() && !options.spec.ends_with(".onnx"))
    return fail("run: --peer needs an ONNX model, which peers read; {} is none", options.spec);
  for (const std::string& peer : options.peers) TRY(of_run(check_engine(peer)));
  return {};
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
  const Target target = TRY(resolve_target(options.target));
  TRY(require_runnable(target));
  PreparedNetwork prepared =
      TRY(of_run(read_network(options, input_folders_of(options), target, listener)));
  const MakeVariant again = [&](const AskedVariant& variant) {
    return choose_variant(prepared, variant, sources_of(options));
  };
  VariantRuns runs;
  const std::vector<AskedVariant> variants = asked_variants(options);
  for (const AskedVariant& variant : variants) {
    Partition parts = prepared.parts;  // copies share the constants
    SharedLog log = prepared.log;
    if (runs.size() + 1 == variants.size()) {  // the last variant owns log and model
      prepared.parts = Partition();
      prepared.log.reset();
    }
    runs.push_back(
        TRY(of_run(choose_variant(prepared, variant, std::move(log), std::move(parts)))));
  }
  const bool has_default = is_compared_with_default(options, runs.front()->row());
  if (has_default) runs.push_back(TRY(of_run(again(std::string(kDefaultVariant)))));
  make_room_for(runs.front()->graph());  // the compiler gets the memory of the log
  TRY(of_run(
      in_thread([&] { return run_loaded(runs, again, options, prepared.cores, *prepared.rule); })));
  if (has_default) take_default_seconds(runs, listener);
  say_what_is_left_out(*prepared.rule, options.spec, listener);
  Run done{.rows = {}, .process_peak_bytes = process_peak_bytes(), .target = target};
  for (const auto& run : runs) done.rows.push_back(std::move(run->row()));
  return done;
}

}  // namespace dovetail
