// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/run_network.h"

#include <algorithm>
#include <map>
#include <random>

#include "campaign/cache_choice.h"
#include "campaign/recorded_tasks.h"
#include "campaign/resolve_target.h"
#include "campaign/run/network_profile.h"
#include "campaign/run/network_steps.h"
#include "campaign/run/network_trials.h"
#include "campaign/run/network_variants.h"
#include "campaign/run/output_files.h"
#include "campaign/workloads.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/half.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/ir/graph/task.h"
#include "core/record/log/log.h"
#include "deploy/layouts/choose_layouts.h"
#include "deploy/layouts/measured_layouts.h"
#include "deploy/network/lower_network.h"
#include "measure/network_peers/engine_session.h"

namespace dovetail {
namespace {

OuterTensor outer_tensor(const GraphTensor& tensor) {
  return {.name = tensor.name,
          .type = tensor.type,
          .shape = tensor.shape.value_or(std::vector<int64_t>())};
}

std::vector<float> random_values(const OuterTensor& tensor, std::mt19937_64& numbers) {
  std::vector<float> values(static_cast<size_t>(num_elements(tensor.shape)));
  const bool is_real = is_stored(tensor.type) && computed_type(tensor.type) == ComputedType::real;
  constexpr int kBits = 24;  // as many as a float has
  for (float& value : values) {
    const auto bits = static_cast<float>(numbers() >> (64 - kBits));
    value = is_real ? bits * 0x1p-23F - 1 : static_cast<float>(bits >= 0x1p23F);
    if (tensor.type == ElementType::f16) value = half_bits_to_float(float_to_half_bits(value));
  }
  return values;
}

size_t thread_count(const Target& target) {
  return static_cast<size_t>(std::max(target.name.threads, 1));
}

class NetworkRun {
 public:
  NetworkRun(const RunSpecOptions& options, const Listener& listener, std::optional<Log> log,
             Partition parts, Target target)
      : options_(options),
        listener_(listener),
        log_(std::move(log)),
        parts_(std::move(parts)),
        target_(std::move(target)),
        caches_(caches_of_network(constant_bytes(parts_.graph), target_)),
        cores_(split_cores(physical_cores(), thread_count(target_)).timed) {
    row_.name = options.spec;
    row_.variant = options.variant;
  }

  Result<Run> run() {
    TRY(check_regions());
    say_what_is_narrowed();
    TRY(read_graph_inputs());
    const auto trace_of = [this](const TaskSpec& task) { return trace_of_task(task); };
    const NetworkChoice choice = TRY(of_model(choose(trace_of)));
    lowered_ = TRY(of_model(lower_network(parts_, target_, trace_of, choice)));
    describe();
    TRY(of_model(in_thread([this] { return run_loaded(); })));
    return Run{.rows = {std::move(row_)}};
  }

 private:
  template <typename T>
  Result<T> of_model(Result<T> result) const {
    if (result) return result;
    return fail("run: {}: {}", options_.spec, result.error().message);
  }

  // All that is missing is named at once, before anything runs.
  Result<void> check_regions() const {
    const std::vector<NotTuned> missing = not_computed(parts_);
    if (missing.empty()) return {};
    std::vector<std::string> kinds;
    for (const NotTuned& kind : missing) kinds.push_back(print(kind));
    return fail("run: {} has nodes that this version does not compute: {}", options_.spec,
                fmt::join(kinds, ", "));
  }

  // A model of f64 expects more digits than it gets here.
  void say_what_is_narrowed() const {
    const auto is_wide = [](const GraphTensor& tensor) { return tensor.type == ElementType::f64; };
    const auto wide = std::ranges::count_if(parts_.graph.tensors, is_wide);
    if (wide == 0) return;
    listener_.note(fmt::format("{}: f64 is computed as f32 here, with 7 digits ({}: {})", row_.name,
                               wide == 1 ? "1 tensor" : fmt::format("{} tensors", wide),
                               std::ranges::find_if(parts_.graph.tensors, is_wide)->name));
  }

  Result<void> read_graph_inputs() {
    std::vector<OuterTensor> given;
    for (const TensorId id : parts_.graph.inputs) given.push_back(outer_tensor(tensor(id)));
    RegionInputs read;
    if (!options_.inputs.empty()) read = TRY(read_inputs(options_.inputs, given));
    std::mt19937_64 numbers(options_.seed);
    for (const OuterTensor& input : given)
      inputs_.push_back(options_.inputs.empty() ? random_values(input, numbers)
                                                : std::move(read[input.name]));
    return {};
  }

  // Nodes that compute the same have one trace.
  Result<Trace> trace_of_task(const TaskSpec& spec) {
    const auto [found, is_new] = traces_.try_emplace(print(spec));
    if (!is_new) return found->second;
    if (options_.trace_seed) {
      auto random = TRY(random_trace_for(spec, target_, *options_.trace_seed));
      row_.random_traces += random ? 1 : 0;
      if (random) return found->second = std::move(random->trace);
    }
    // Misses are counted and said once: many regions exist only between these layouts.
    RegionTrace chosen = TRY(trace_for(spec, target_, log_, caches_, Listener()));
    row_.recorded += chosen.match.best.has_value() ? 1 : 0;
    if (chosen.match.best) ++timed_[chosen.match.best->record.caches];
    return found->second = std::move(chosen.trace);
  }

  Result<NetworkChoice> choose(const TraceOfTask& trace_of) {
    if (options_.variant != kGlobalVariant)
      return propagated(parts_, target_, trace_of, propagation_of(options_.variant));
    const auto traces_of = [&](const TaskSpec& spec) -> Result<std::vector<TimedTrace>> {
      const Trace best = TRY(trace_of_task(spec));
      return timed_traces(spec, target_, log_, caches_, best);
    };
    const auto measure = [&](const LoweredNetwork& lowered) {
      return in_thread([&] { return try_network(setting_, lowered); });
    };
    const auto compare = [&](const std::vector<LoweredNetwork>& networks) {
      return in_thread([&] { return compare_networks(setting_, networks); });
    };
    const MeasuredLayouts found = TRY(measured_layouts(parts_, target_, traces_of, trace_of,
                                                       {.measure = measure, .compare = compare}));
    row_.networks = std::ssize(found.all_seconds);
    row_.joint_seconds = found.joint_seconds;
    listener_.note(
        fmt::format("{}: {} networks measured{}: {:.1f} us as joint, {:.1f} as the best of them",
                    row_.name, row_.networks, found.is_settled ? "" : " (there are more to try)",
                    1e6 * found.joint_seconds, 1e6 * found.seconds));
    return found.network;
  }

  void describe() {
    row_.nodes = std::ssize(parts_.regions);
    row_.views = std::ranges::count_if(parts_.regions, is_view);
    row_.distinct = std::ssize(traces_);
    row_.calls = std::ssize(lowered_.steps);
    row_.conversions = conversions_of(lowered_);
    for (const auto& [node, joined] : parts_.joined) row_.fused += std::ssize(joined);
    if (log_)
      listener_.note(fmt::format("{}: {} of {} regions with a trace of {}{}", row_.name,
                                 row_.recorded, row_.distinct, options_.log, timed_text()));
  }

  // ", timed network:memory" or, of several states, ", timed network:memory (18), hot (3)".
  std::string timed_text() const {
    if (timed_.size() == 1) return fmt::format(", timed {}", print(timed_.begin()->first));
    std::vector<std::string> counts;
    for (const auto& [caches, count] : timed_)
      counts.push_back(fmt::format("{} ({})", print(caches), count));
    return counts.empty() ? "" : fmt::format(", timed {}", fmt::join(counts, ", "));
  }

  Result<void> run_loaded() {
    NetworkSteps steps(parts_, lowered_);
    LoadedNetwork network = TRY(load_network(setting_, steps, lowered_));
    row_.peak_bytes = bytes_in(network.plan(), NetworkArena::workspace);
    row_.lower_bound_bytes = network.plan().lower_bound_bytes;
    for (size_t i = 0; i < inputs_.size(); ++i)
      steps.give(parts_.graph.inputs[i], std::move(inputs_[i]));
    TRY(steps.run(network, row_.name, listener_));
    row_.max_abs_error = steps.max_abs_error();
    row_.max_rel_error = steps.max_rel_error();
    row_.reason = steps.reason();
    if (!row_.reason.empty()) return {};
    TRY(time_whole(network));
    if (row_.reason.empty() && !options_.peers.empty()) TRY(compare_with_engines(steps, network));
    if (row_.reason.empty() && !options_.profile.empty()) TRY(profile(network));
    if (row_.reason.empty() && !options_.outputs.empty()) TRY(write(steps));
    return {};
  }

  // Kernels are the same as before, so that outputs are, too.
  Result<void> time_whole(LoadedNetwork& network) {
    const std::vector<std::byte> expected = output_bytes(network);
    TRY(network.run());
    if (output_bytes(network) != expected) {
      row_.reason = "the whole network gives other outputs than its calls, one by one";
      return {};
    }
    row_.seconds = TRY(time_network(network));
    return {};
  }

  // The time is then that of the same rounds.
  Result<void> compare_with_engines(NetworkSteps& steps, LoadedNetwork& network) {
    ComparedModel model{.path = options_.spec,
                        .inputs = TRY(compared(steps, parts_.graph.inputs)),
                        .outputs = TRY(compared(steps, parts_.graph.outputs)),
                        .cores = cores_};
    row_.beside = TRY(beside_engines(network, options_.peers, model));
    row_.seconds = row_.beside->seconds;
    return {};
  }

  Result<std::vector<ComparedTensor>> compared(NetworkSteps& steps,
                                               const std::vector<TensorId>& ids) const {
    std::vector<ComparedTensor> tensors;
    for (const TensorId id : ids)
      tensors.push_back({.name = tensor(id).name,
                         .shape = tensor(id).shape.value_or(std::vector<int64_t>()),
                         .values = *TRY(steps.values(id))});
    return tensors;
  }

  Result<void> profile(LoadedNetwork& network) {
    const NetworkProfile profile = TRY(profile_network(network, lowered_));
    row_.kernels_seconds = 0;
    for (const ProfiledKernel& kernel : profile.kernels) {
      *row_.kernels_seconds += kernel.seconds;
      if (kernel.is_conversion) row_.conversion_seconds += kernel.seconds;
    }
    return write_file(options_.profile, trace_viewer_text(profile));
  }

  static std::vector<std::byte> output_bytes(const LoadedNetwork& network) {
    std::vector<std::byte> bytes;
    for (size_t b = 0; b < network.program().buffers.size(); ++b) {
      if (network.program().buffers[b].buffer.role != BufferRole::output) continue;
      const std::span<const std::byte> own = network.bytes(b);
      bytes.insert(bytes.end(), own.begin(), own.end());
    }
    return bytes;
  }

  Result<void> write(NetworkSteps& steps) {
    std::vector<OuterTensor> made;
    RegionInputs outputs;
    for (const TensorId id : parts_.graph.outputs) {
      made.push_back(outer_tensor(tensor(id)));
      outputs[made.back().name] = *TRY(steps.values(id));
    }
    row_.files = TRY(write_outputs(options_.outputs, made, outputs));
    return {};
  }

  const GraphTensor& tensor(TensorId id) const {
    return parts_.graph.tensors[static_cast<size_t>(id)];
  }

  const RunSpecOptions& options_;
  const Listener& listener_;
  std::optional<Log> log_;
  Partition parts_;
  Target target_;
  std::vector<std::vector<float>> inputs_;  // of the graph, in order
  Caches caches_;                           // as the network runs: of records, these come first
  std::vector<int> cores_;
  TrialSetting setting_{parts_, target_, cores_, inputs_};
  std::map<Caches, int64_t> timed_;  // distinct regions by the state of their record
  std::map<std::string, Trace> traces_;
  LoweredNetwork lowered_;
  RunRow row_;
};

Result<void> check_peers(const RunSpecOptions& options) {
  if (!options.peers.empty() && !options.spec.ends_with(".onnx"))
    return fail("run: --peer needs an ONNX model, which engines read; {} is none", options.spec);
  for (const std::string& peer : options.peers)
    if (const Result<void> there = check_engine(peer); !there)
      return fail("run: {}", there.error().message);
  return {};
}

}  // namespace

std::optional<double> ratio_of(const RunRow& row) {
  if (!row.beside) return std::nullopt;
  std::optional<double> fastest;
  for (const EngineRow& engine : row.beside->rows)
    if (engine.seconds) fastest = std::min(fastest.value_or(*engine.seconds), *engine.seconds);
  return fastest ? std::optional(*fastest / row.beside->seconds) : std::nullopt;
}

Result<Run> run_network(const RunSpecOptions& options, const Listener& listener) {
  TRY(check_output_folder(options.outputs));
  TRY(check_network_variant(options.variant));
  TRY(check_peers(options));
  Graph graph = TRY(read_model(options.spec, options.shapes));
  std::optional<Log> log = TRY(read_log_of_run(options.log, listener));
  if (log && options.exact) log = exact_records(*std::move(log));
  if (log && options.variant == kLoopOnlyVariant)
    log = TRY(campaigns_of_variant(*log, kLoopOnlyVariant));
  const PartitionOptions as_tuned = log ? partition_of(*log) : PartitionOptions();
  Partition parts = TRY(partition(std::move(graph), as_tuned));
  Target target = TRY(resolve_target(options.target));
  TRY(require_runnable(target));
  return NetworkRun(options, listener, std::move(log), std::move(parts), std::move(target)).run();
}

}  // namespace dovetail
