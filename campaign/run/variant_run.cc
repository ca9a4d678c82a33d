// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/variant_run.h"

#include <algorithm>
#include <utility>

#include "campaign/recorded_tasks.h"
#include "campaign/run/network_profile.h"
#include "campaign/run/network_variants.h"
#include "campaign/run/output_files.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/ir/region/canonical.h"
#include "core/ir/region/region_text.h"
#include "core/record/log/network_records.h"
#include "deploy/fusion/recorded_calls.h"
#include "deploy/layouts/choose_layouts.h"
#include "deploy/network/lower_network.h"

namespace dovetail {
namespace {

std::vector<std::byte> output_bytes(const LoadedNetwork& network) {
  std::vector<std::byte> bytes;
  for (size_t b = 0; b < network.program().buffers.size(); ++b) {
    if (network.program().buffers[b].buffer.role != BufferRole::output) continue;
    const std::span<const std::byte> own = network.bytes(b);
    bytes.insert(bytes.end(), own.begin(), own.end());
  }
  return bytes;
}

}  // namespace

OuterTensor outer_tensor(const GraphTensor& tensor) {
  return {.name = tensor.name,
          .type = tensor.type,
          .shape = tensor.shape.value_or(std::vector<int64_t>())};
}

VariantRun::VariantRun(const RunSetting& setting, std::optional<std::string> variant, SharedLog log,
                       Partition parts)
    : setting_(setting), takes_kept_(!variant), log_(std::move(log)), parts_(std::move(parts)) {
  row_.name = setting.options.spec;
  row_.variant = std::move(variant).value_or(std::string(kJointVariant));
}

Result<void> VariantRun::choose() {
  const auto trace_of = [this](const TaskSpec& task) { return trace_of_task(task); };
  const NetworkChoice chosen = TRY(choice(trace_of));
  lowered_ = TRY(lower_network(parts_, setting_.target, trace_of, chosen));
  TRY(check_memory());
  if (found_) TRY(keep_found());
  describe();
  log_.reset();  // of large campaigns it takes more memory than the network
  return {};
}

Result<void> VariantRun::check_memory() const {
  const std::optional<int64_t> most = bytes_of_limit(setting_.options.memory_limit_mb);
  if (!most) return {};
  const NetworkPlan plan = TRY(plan_network(lowered_.program));
  if (kept_bytes(plan) <= *most) return {};
  return fail(
      "variant {} takes {:.1f} MB of memory, {:.1f} of constants and {:.1f} of temporaries; "
      "expected at most {:.1f} (--memory-limit){}",
      row_.variant, 1e-6 * static_cast<double>(kept_bytes(plan)),
      1e-6 * static_cast<double>(bytes_in(plan, NetworkArena::constants)),
      1e-6 * static_cast<double>(bytes_in(plan, NetworkArena::workspace)),
      *setting_.options.memory_limit_mb,
      row_.variant == kGlobalVariant ? "" : "; variant global chooses what fits");
}

// Nodes that compute the same have one trace.
Result<Trace> VariantRun::trace_of_task(const TaskSpec& spec) {
  const auto [found, is_new] = traces_.try_emplace(print(spec));
  if (!is_new) return found->second;
  const std::optional<uint64_t>& seed = setting_.options.trace_seed;
  if (seed) {
    auto random = TRY(random_trace_for(spec, setting_.target, *seed));
    row_.random_traces += random ? 1 : 0;
    if (random) return found->second = std::move(random->trace);
  }
  // Misses are counted and said once: many regions exist only between these layouts.
  RegionTrace chosen =
      TRY(trace_for(spec, setting_.target, *log_, setting_.caches, Listener(), allows_));
  row_.recorded += chosen.match.best.has_value() ? 1 : 0;
  if (chosen.match.best) ++timed_[chosen.match.best->record.caches];
  return found->second = std::move(chosen.trace);
}

// A task without a record, or with a random trace, has only that one.
Result<std::vector<TimedTrace>> VariantRun::traces_of_task(const TaskSpec& spec) {
  const Trace best = TRY(trace_of_task(spec));
  if (setting_.options.trace_seed) return std::vector<TimedTrace>{{.trace = best}};
  return timed_traces(
      spec, setting_.target, *log_, setting_.caches, best, TRY(otherwise_(spec)),
      setting_.options.memory_limit_mb ? SlowerTraces::of_each_algorithm : SlowerTraces::few,
      allows_);
}

Result<NetworkChoice> VariantRun::choice(const TraceOfTask& trace_of) {
  const bool is_global = row_.variant == kGlobalVariant;
  if (is_global || takes_kept_)
    if (std::optional<ChosenNetwork> kept = kept_choice(trace_of)) {
      row_.variant = kGlobalVariant;
      say_what_is_fused(kept->chains);
      parts_ = std::move(kept->parts);
      return std::move(kept->network);
    }
  if (is_global) return choose_global(trace_of);
  const auto traces_of = [this](const TaskSpec& task) { return traces_of_task(task); };
  return propagated(parts_, setting_.target, traces_of, propagation_of(row_.variant));
}

Result<NetworkChoice> VariantRun::choose_global(const TraceOfTask& trace_of) {
  MeasuredFusions found = TRY(measure_networks(trace_of));
  row_.networks = std::ssize(found.all_seconds);
  row_.joint_seconds = found.joint_seconds;
  setting_.listener.note(fmt::format(
      "{}: {} networks measured{}: {:.1f} us as joint, {:.1f} as the best of them{}", row_.name,
      row_.networks, found.is_settled ? "" : " (there are more to try)", 1e6 * found.joint_seconds,
      1e6 * found.seconds, found.network.weights_ahead ? ", with weights asked for ahead" : ""));
  found_ = network_record(parts_, setting_.target, found);
  say_what_is_fused(found.chains);
  parts_ = std::move(found.parts);
  return std::move(found.network);
}

Result<MeasuredFusions> VariantRun::measure_networks(const TraceOfTask& trace_of) {
  const auto traces_of = [this](const TaskSpec& task) { return traces_of_task(task); };
  const auto measure = [&](const LoweredNetwork& lowered) {
    return in_thread([&] { return try_network(trials_, lowered); });
  };
  const auto compare = [&](const std::vector<LoweredNetwork>& networks) {
    return in_thread([&] { return compare_networks(trials_, networks); });
  };
  return measured_fusions(parts_, setting_.target, traces_of, trace_of,
                          {.most_bytes = bytes_of_limit(setting_.options.memory_limit_mb),
                           .measure = measure,
                           .compare = compare});
}

std::optional<ChosenNetwork> VariantRun::kept_choice(const TraceOfTask& trace_of) {
  if (!*log_ || setting_.options.choose_again) return std::nullopt;
  const std::optional<NetworkRecord> record =
      kept_network(**log_, chosen_under(network_of_graph(parts_, setting_.target),
                                        setting_.options.exact, setting_.options.memory_limit_mb));
  if (!record) return std::nullopt;
  Result<ChosenNetwork> chosen = chosen_network(parts_, *record);
  Result<void> lowers = chosen ? Result<void>() : fail(chosen.error().message);
  if (chosen) {
    leave_out_inexact(*chosen);
    if (const auto lowered =
            lower_network(chosen->parts, setting_.target, trace_of, chosen->network);
        !lowered)
      lowers = fail(lowered.error().message);
  }
  if (!lowers) {
    setting_.listener.note(fmt::format(
        "{}: the network that {} keeps {}: {}", row_.name, (*log_)->path,
        takes_kept_ ? "is not taken, but joint" : "is chosen again", lowers.error().message));
    return std::nullopt;
  }
  row_.kept = true;
  row_.networks = record->networks;
  row_.joint_seconds = record->joint_seconds;
  setting_.listener.note(
      fmt::format("{}: the network that {} keeps{}: {:.1f} us when it was chosen, {:.1f} as joint",
                  row_.name, (*log_)->path, takes_kept_ ? " is taken (variant global)" : "",
                  1e6 * record->seconds, 1e6 * record->joint_seconds));
  return std::move(*chosen);
}

void VariantRun::leave_out_inexact(ChosenNetwork& kept) {
  for (size_t node = 0; node < kept.network.nodes.size(); ++node) {
    std::optional<Trace>& trace = kept.network.nodes[node].trace;
    if (!trace || !trace->algorithm) continue;
    const Result<Region> region = parse_region(kept.parts.regions[node].text);
    if (region && !allows_(canonical(*region).spec, trace->algorithm)) trace.reset();
  }
}

// A log that others write, or that is compressed, is no reason not to run.
Result<void> VariantRun::keep_found() {
  if (!*log_ || setting_.options.trace_seed) return {};
  NetworkRecord kept = chosen_under(*std::exchange(found_, std::nullopt), setting_.options.exact,
                                    setting_.options.memory_limit_mb);
  kept.trials = num_trials(**log_);
  kept.calls = recorded_calls(parts_, lowered_);
  const NetworkTrial trial = TRY(in_thread([&] { return try_network(trials_, lowered_); }));
  for (size_t c = 0; c < kept.calls.size(); ++c) kept.calls[c].seconds = trial.step_seconds[c];
  if (const Result<void> done = keep_network((*log_)->path, std::move(kept)); !done)
    setting_.listener.note(
        fmt::format("{}: what was chosen is not kept: {}", row_.name, done.error().message));
  return {};
}

void VariantRun::say_what_is_fused(const std::vector<NodeChain>& chains) const {
  for (const NodeChain& chain : chains) {
    std::vector<std::string> names;
    for (const size_t node : chain.nodes) names.push_back(parts_.graph.nodes[node].name);
    setting_.listener.note(fmt::format("{}: one region: {}", row_.name, fmt::join(names, ", ")));
  }
}

void VariantRun::describe() {
  row_.nodes = std::ssize(parts_.regions);
  row_.views = std::ranges::count_if(parts_.regions, is_view);
  row_.distinct = std::ssize(traces_);
  row_.calls = std::ssize(lowered_.steps);
  row_.conversions = conversions_of(lowered_);
  for (const auto& [node, joined] : parts_.joined) row_.fused += std::ssize(joined);
  if (*log_)
    setting_.listener.note(fmt::format("{}: {} of {} regions with a trace of {}{}", row_.name,
                                       row_.recorded, row_.distinct, setting_.options.log,
                                       timed_text()));
}

// ", timed network:memory" or, of several states, ", timed network:memory (18), hot (3)".
std::string VariantRun::timed_text() const {
  if (timed_.size() == 1) return fmt::format(", timed {}", print(timed_.begin()->first));
  std::vector<std::string> counts;
  for (const auto& [caches, count] : timed_)
    counts.push_back(fmt::format("{} ({})", print(caches), count));
  return counts.empty() ? "" : fmt::format(", timed {}", fmt::join(counts, ", "));
}

Result<void> VariantRun::load() {
  network_ = TRY(load_network(trials_, lowered_, StoreConstants::call_by_call));
  if (setting_.options.profile.empty())
    lowered_.program = without_bodies(std::move(lowered_.program));
  make_room_for(parts_.graph);
  row_.peak_bytes = bytes_in(network_->plan(), NetworkArena::workspace);
  row_.lower_bound_bytes = network_->plan().lower_bound_bytes;
  row_.constant_bytes = bytes_in(network_->plan(), NetworkArena::constants);
  steps_.emplace(parts_, lowered_, setting_.target);
  for (size_t i = 0; i < setting_.inputs.size(); ++i)
    steps_->give(parts_.graph.inputs[i], setting_.inputs[i]);
  TRY(steps_->run(*network_, row_.name, setting_.listener));
  row_.max_abs_error = steps_->max_abs_error();
  row_.max_rel_error = steps_->max_rel_error();
  row_.reason = steps_->reason();
  for (const NetworkSteps::InexactCall& call : steps_->inexact()) {
    if (call.range_error <= bound_of(call.task.region, setting_.rule->max_error())) continue;
    // A trace that was not asked of the rule may be refused before: choosing again would not help.
    is_beyond_ |= setting_.rule->refuse(call.task, call.algorithm, call.range_error);
  }
  if (!is_right() || is_beyond_) return {};
  TRY(check_whole());
  return judge_outputs();
}

Result<void> VariantRun::judge_outputs() {
  double largest = 0;
  for (size_t o = 0; o < parts_.graph.outputs.size(); ++o)
    largest = std::max(largest, range_error(TRY(steps_->values(parts_.graph.outputs[o])),
                                            setting_.reference.outputs[o]));
  row_.range_error = largest;
  row_.left_out = setting_.rule->refused();
  return {};
}

// Kernels are the same as before, so that outputs are, too.
Result<void> VariantRun::check_whole() {
  const std::vector<std::byte> expected = output_bytes(*network_);
  TRY(network_->run());
  if (output_bytes(*network_) != expected)
    row_.reason = "the whole network gives other outputs than its calls, one by one";
  return {};
}

Result<void> VariantRun::time() {
  row_.seconds = TRY(time_network(*network_));
  return {};
}

void VariantRun::take(const VariantRun& same) {
  row_.same_as = same.row_.variant;
  row_.seconds = same.row_.seconds;
  row_.round_seconds = same.row_.round_seconds;
  row_.engines = same.row_.engines;
  row_.max_abs_error = same.row_.max_abs_error;
  row_.max_rel_error = same.row_.max_rel_error;
  row_.range_error = same.row_.range_error;
  row_.left_out = same.row_.left_out;
  row_.reason = same.row_.reason;
  row_.peak_bytes = same.row_.peak_bytes;
  row_.lower_bound_bytes = same.row_.lower_bound_bytes;
  row_.constant_bytes = same.row_.constant_bytes;
}

Result<void> VariantRun::finish() {
  if (!is_right()) return {};
  if (!setting_.options.profile.empty()) TRY(write_profile());
  return setting_.options.outputs.empty() ? Result<void>() : write_graph_outputs();
}

Result<std::vector<ComparedTensor>> VariantRun::compared(const std::vector<TensorId>& ids) {
  std::vector<ComparedTensor> tensors;
  for (const TensorId id : ids)
    tensors.push_back({.name = tensor(id).name,
                       .values = converted(TRY(steps_->values(id)), tensor(id).type)
                                     .reshaped(tensor(id).shape.value_or(std::vector<int64_t>()))});
  return tensors;
}

Result<void> VariantRun::write_profile() {
  const NetworkProfile profile = TRY(profile_network(*network_, lowered_));
  row_.kernels_seconds = 0;
  for (const ProfiledKernel& kernel : profile.kernels) {
    *row_.kernels_seconds += kernel.seconds;
    if (kernel.is_conversion) row_.conversion_seconds += kernel.seconds;
  }
  return write_file(setting_.options.profile, trace_viewer_text(profile));
}

Result<void> VariantRun::write_graph_outputs() {
  std::vector<OuterTensor> made;
  RegionInputs outputs;
  for (const TensorId id : parts_.graph.outputs) {
    made.push_back(outer_tensor(tensor(id)));
    outputs[made.back().name] = TRY(steps_->values(id));
  }
  row_.files = TRY(write_outputs(setting_.options.outputs, made, outputs));
  return {};
}

}  // namespace dovetail
