// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/variant_run.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "campaign/network/call_matches.h"
#include "campaign/network/network_variants.h"
#include "core/base/fail.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/record/log/network_records.h"
#include "deploy/fusion/measured_fusions.h"
#include "deploy/fusion/recorded_calls.h"

namespace dovetail {
namespace {

Result<std::vector<std::byte>> output_bytes(LoadedNetwork& network) {
  std::vector<std::byte> bytes;
  for (size_t b = 0; b < network.program().buffers.size(); ++b) {
    if (network.program().buffers[b].buffer.role != BufferRole::output) continue;
    const NDArray own = TRY(network.read(b));
    bytes.insert(bytes.end(), own.bytes().begin(), own.bytes().end());
  }
  return bytes;
}

std::set<std::string> texts_of(const TaskList& list) {
  std::set<std::string> texts;
  for (const Task& task : list.tasks) texts.insert(task.spec.text);
  return texts;
}

std::string of_network_text(const RunRow& row) {
  if (row.of_network == 0) return "";
  return fmt::format("; {} more as measured in the kept network", row.of_network);
}

}  // namespace

OuterTensor outer_tensor(const GraphTensor& tensor) {
  return {.name = tensor.name,
          .type = tensor.type,
          .shape = tensor.shape.value_or(std::vector<int64_t>())};
}

VariantRun::VariantRun(const RunSetting& setting, std::optional<std::string> variant, SharedLog log,
                       Partition parts)
    : setting_(setting),
      wish_{.name = setting.request.name,
            .variant = std::move(variant),
            .exact = setting.request.exact,
            .memory_limit_mb = setting.request.memory_limit_mb,
            .choose_again = setting.request.choose_again},
      traces_({.target = setting.target,
               .log = std::move(log),
               .caches = setting.caches,
               .allows = allowed_by(setting.rule),
               .trace_seed = setting.request.trace_seed,
               .slower = setting.request.memory_limit_mb ? SlowerTraces::of_each_algorithm
                                                         : SlowerTraces::few}),
      parts_(std::move(parts)) {
  row_.name = setting.request.name;
}

Result<void> VariantRun::choose() {
  MeasureNetworks measure;
  if (!setting_.keeps_network)
    measure = [this](const Partition& parts) { return measure_networks(parts); };
  const std::set<std::string> tunable =
      texts_of(TRY(region_tasks(parts_, print(setting_.target.name))));
  NetworkOfLog chosen =
      TRY(choose_network(std::move(parts_), traces_, wish_, setting_.listener, measure));
  matches_ = call_matches(chosen, traces_, tunable);
  parts_ = std::move(chosen.parts);
  lowered_ = std::move(chosen.lowered);
  row_.variant = std::move(chosen.variant);
  if (chosen.record) {
    row_.kept = !chosen.is_measured;
    row_.networks = chosen.record->networks;
    row_.chosen_seconds = chosen.record->seconds;
    row_.joint_seconds = chosen.record->joint_seconds;
  }
  if (chosen.is_measured) {
    TRY(keep_found(std::move(*chosen.record)));
    if (setting_.request.owns_process)
      setting_.listener.note(fmt::format("{}: measuring networks took up to {:.0f} MB of memory",
                                         row_.name,
                                         1e-6 * static_cast<double>(process_peak_bytes())));
  }
  describe();
  traces_.release_log();
  return {};
}

Result<MeasuredFusions> VariantRun::measure_networks(const Partition& parts) {
  const std::optional<Log>& log = *traces_.sources().log;
  if (log && !setting_.request.trace_seed)
    if (const Result<void> can = check_network_can_be_kept(log->path); !can)
      setting_.listener.note(
          fmt::format("{}: what is chosen will not be kept: {}", row_.name, can.error().message));
  const auto traces_of = [this](const KeyedTask& task) { return traces_.timed(task); };
  const auto trace_of = [this](const KeyedTask& task) { return traces_.best(task); };
  const TrialSetting trials{parts, setting_.target, setting_.cores, setting_.data.front().inputs,
                            setting_.request.owns_process};
  const auto measure = [&](const LoweredNetwork& lowered) {
    return in_thread([&] { return try_network(trials, lowered); });
  };
  const auto compare = [&](const std::vector<LoweredNetwork>& networks) {
    return in_thread([&] { return compare_networks(trials, networks); });
  };
  return measured_fusions(parts, setting_.target, traces_of, trace_of,
                          {.most_bytes = bytes_of_limit(setting_.request.memory_limit_mb),
                           .measure = measure,
                           .compare = compare});
}

// A log that others write, or that is compressed, must not prevent the run.
Result<void> VariantRun::keep_found(NetworkRecord found) {
  const std::optional<Log>& log = *traces_.sources().log;
  if (!log || setting_.request.trace_seed) return {};
  NetworkRecord kept =
      chosen_under(std::move(found), setting_.request.exact, setting_.request.memory_limit_mb);
  kept.trials = num_trials(*log);
  kept.calls = recorded_calls(parts_, lowered_);
  const NetworkTrial trial = TRY(in_thread([&] { return try_network(trials_, lowered_); }));
  for (size_t c = 0; c < kept.calls.size(); ++c) kept.calls[c].seconds = trial.step_seconds[c];
  const Result<void> done = keep_network(log->path, std::move(kept));
  setting_.listener.note(
      done ? fmt::format("{}: the network is kept in {}", row_.name, log->path)
           : fmt::format("{}: what was chosen is not kept: {}", row_.name, done.error().message));
  return {};
}

void VariantRun::describe() {
  row_.nodes = num_model_nodes(parts_);
  row_.model_constant_bytes = constant_bytes(parts_.graph);
  row_.views = std::ranges::count_if(parts_.regions, is_view);
  row_.calls = std::ssize(lowered_.steps);
  std::set<std::string_view> tasks;
  for (const NetworkStep& step : lowered_.steps) tasks.insert(step.task.text);
  row_.distinct = std::ssize(tasks);
  row_.of_network = std::ranges::count(matches_, MatchLevel::network, &RecordMatch::level);
  row_.recorded = row_.calls - row_.of_network -
                  std::ranges::count(matches_, MatchLevel::none, &RecordMatch::level);
  row_.random_traces = std::ranges::count_if(
      traces_.found(), [](const auto& entry) { return entry.second.is_random; });
  describe_regions();
  row_.conversions = conversions_of(lowered_);
  row_.fused = row_.nodes - std::ssize(parts_.regions);
  if (*traces_.sources().log)
    setting_.listener.note(fmt::format("{}: {} of {} calls with a record of {}{}{}", row_.name,
                                       row_.recorded, row_.calls, setting_.request.log_name,
                                       timed_text(), of_network_text(row_)));
}

void VariantRun::describe_regions() {
  row_.match.level = row_.calls == 0 ? MatchLevel::none : MatchLevel::exact;
  for (size_t i = 0; i < lowered_.steps.size(); ++i) {
    const NetworkStep& step = lowered_.steps[i];
    row_.regions.push_back(
        {.node = step.node ? parts_.graph.nodes[*step.node].name : lowered_.program.calls[i].name,
         .spec = step.task.text,
         .algorithm = algorithm_of(step.trace),
         .match = matches_[i]});
    row_.match.level = std::max(row_.match.level, matches_[i].level);
  }
}

// ", timed network:memory" or, of several states, ", timed network:memory (18), hot (3)".
std::string VariantRun::timed_text() const {
  std::map<Caches, int64_t> timed;  // calls per state of their record
  for (const RecordMatch& match : matches_)
    if (match.best) ++timed[match.best->record.caches];
  if (timed.size() == 1) return fmt::format(", timed {}", print(timed.begin()->first));
  std::vector<std::string> counts;
  for (const auto& [caches, count] : timed)
    counts.push_back(fmt::format("{} ({})", print(caches), count));
  return counts.empty() ? "" : fmt::format(", timed {}", fmt::join(counts, ", "));
}

Result<void> VariantRun::load() {
  TRY(load_network_here());
  for (const NetworkData& data : setting_.data) {
    const bool may_release = &data == &setting_.data.back() && !setting_.keeps_network;
    TRY(check_on(data, may_release ? GraphConstants::released : GraphConstants::kept));
    if (!is_right() || is_beyond_) return {};
  }
  row_.left_out = setting_.rule->refused();
  return {};
}

Result<void> VariantRun::load_network_here() {
  network_ = TRY(load_network(trials_, lowered_, StoreConstants::call_by_call));
  if (!setting_.request.is_profiled && !setting_.keeps_network)
    lowered_.program = without_bodies(std::move(lowered_.program));
  if (setting_.request.owns_process) make_room_for(parts_.graph);
  row_.peak_bytes = bytes_in(network_->plan(), NetworkMemory::workspace);
  row_.lower_bound_bytes = network_->plan().lower_bound_bytes;
  row_.constant_bytes = bytes_in(network_->plan(), NetworkMemory::constants);
  return {};
}

Result<void> VariantRun::check_on(const NetworkData& data, GraphConstants constants) {
  const OnCores unpinned(setting_.all_cores);
  TRY(write_inputs(parts_.graph, data.inputs, *network_));
  steps_.emplace(parts_, lowered_, setting_.target, constants);
  for (size_t i = 0; i < data.inputs.size(); ++i)
    steps_->give(parts_.graph.inputs[i], data.inputs[i]);
  TRY(steps_->run(*network_, row_.name, setting_.listener));
  row_.max_abs_error = std::max(row_.max_abs_error, steps_->max_abs_error());
  row_.max_rel_error = std::max(row_.max_rel_error, steps_->max_rel_error());
  row_.reason = steps_->reason();
  learn_errors();
  if (!is_right() || is_beyond_) return {};
  TRY(check_whole());
  return judge_outputs(data);
}

void VariantRun::learn_errors() {
  for (const NetworkChecker::CallError& call : steps_->errors()) {
    errors_.push_back(call);
    if (!call.algorithm) continue;
    if (call.range_error <= bound_of(call.task.region, setting_.rule->max_error())) continue;
    // A trace chosen without asking the rule may be refused already: choosing again would not help.
    is_beyond_ |= setting_.rule->refuse(call.task, *call.algorithm, call.range_error);
  }
}

bool VariantRun::has_other_algorithms() const {
  return std::ranges::any_of(
      lowered_.steps, [](const NetworkStep& step) { return step.trace.algorithm.has_value(); });
}

Result<void> VariantRun::judge_outputs(const NetworkData& data) {
  double largest = row_.range_error.value_or(0);
  for (size_t o = 0; o < parts_.graph.outputs.size(); ++o)
    largest = std::max(largest, range_error(TRY(steps_->values(parts_.graph.outputs[o])),
                                            data.reference.outputs[o]));
  row_.range_error = largest;
  return {};
}

JudgedNetwork VariantRun::judged() && {
  return {.variant = row_.variant,
          .parts = std::move(parts_),
          .lowered = std::move(lowered_),
          .matches = std::move(matches_),
          .errors = std::move(errors_),
          .range_error = row_.range_error,
          .chosen_seconds = row_.chosen_seconds,
          .joint_seconds = row_.joint_seconds};
}

// The kernels are the same as before, so the outputs must be, too.
Result<void> VariantRun::check_whole() {
  const std::vector<std::byte> expected = TRY(output_bytes(*network_));
  TRY(network_->run());
  if (TRY(output_bytes(*network_)) != expected)
    row_.reason = "the whole network gives other outputs than its calls, one by one";
  return {};
}

Result<void> VariantRun::time() {
  const std::vector<double> samples = TRY(time_network(*network_));
  row_.seconds = median(samples);
  row_.interval = interval_of(samples);
  return {};
}

void VariantRun::take(const VariantRun& same) {
  row_.same_as = same.row_.variant;
  row_.seconds = same.row_.seconds;
  row_.interval = same.row_.interval;
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
  row_.model_constant_bytes = same.row_.model_constant_bytes;
}

Result<NamedArrays> VariantRun::arrays(const std::vector<TensorId>& ids) {
  NamedArrays arrays;
  for (const TensorId id : ids)
    arrays[tensor(id).name] = converted(TRY(steps_->values(id)), tensor(id).type)
                                  .reshaped(tensor(id).shape.value_or(std::vector<int64_t>()));
  return arrays;
}

Result<NetworkProfile> VariantRun::profile() {
  NetworkProfile profile = TRY(profile_network(*network_, lowered_));
  row_.kernels_seconds = 0;
  for (const ProfiledKernel& kernel : profile.kernels) {
    *row_.kernels_seconds += kernel.seconds;
    if (kernel.is_conversion) row_.conversion_seconds += kernel.seconds;
  }
  return profile;
}

}  // namespace dovetail
