// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/run_network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>

#include "campaign/recorded_tasks.h"
#include "campaign/resolve_target.h"
#include "campaign/run/output_files.h"
#include "campaign/run/run_region.h"
#include "campaign/workloads.h"
#include "core/base/fail.h"
#include "core/base/half.h"
#include "core/base/stopwatch.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/ir/graph/task.h"
#include "core/ir/region/canonical.h"
#include "core/ir/region/region_text.h"
#include "core/record/log/log.h"
#include "measure/run_here.h"

namespace dovetail {
namespace {

using Values = std::shared_ptr<const std::vector<float>>;  // row-major; views share them

Values values_of(std::vector<float> values) {
  return std::make_shared<const std::vector<float>>(std::move(values));
}

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

class NetworkRun {
 public:
  NetworkRun(const RunSpecOptions& options, const Listener& listener, std::optional<Log> log,
             Partition parts, Target target)
      : options_(options),
        listener_(listener),
        log_(std::move(log)),
        parts_(std::move(parts)),
        target_(std::move(target)),
        values_(parts_.graph.tensors.size()) {
    row_.name = options.spec;
  }

  Result<Run> run() {
    TRY(check_regions());
    say_what_is_narrowed();
    TRY(read_graph_inputs());
    for (size_t i = 0; i < parts_.graph.nodes.size() && row_.reason.empty(); ++i) {
      say_how_far(i);
      TRY(run_node(parts_.graph.nodes[i], parts_.regions[i]));
    }
    if (row_.reason.empty()) row_.seconds = seconds_;
    row_.nodes = std::ssize(parts_.regions);
    row_.views = std::ranges::count_if(parts_.regions, is_view);
    row_.distinct = std::ssize(traces_);
    if (log_)
      listener_.note(fmt::format("{}: {} of {} regions with a trace of {}", row_.name,
                                 row_.recorded, row_.distinct, options_.log));
    if (row_.seconds && !options_.outputs.empty()) TRY(write());
    return Run{.rows = {std::move(row_)}};
  }

 private:
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
    for (size_t i = 0; i < given.size(); ++i)
      at(parts_.graph.inputs[i]) =
          values_of(options_.inputs.empty() ? random_values(given[i], numbers)
                                            : std::move(read[given[i].name]));
    return {};
  }

  void say_how_far(size_t done) {
    constexpr double kSecondsBetween = 5;
    const double elapsed = watch_.seconds();
    if (done == 0 || elapsed < said_seconds_ + kSecondsBetween) return;
    said_seconds_ = elapsed;
    const auto rest = static_cast<double>(parts_.graph.nodes.size() - done);
    listener_.note(fmt::format("{}: {} of {} nodes, some {:.0f} s left", row_.name, done,
                               parts_.graph.nodes.size(),
                               elapsed / static_cast<double>(done) * rest));
  }

  Result<void> run_node(const GraphNode& node, const NodeRegion& text) {
    if (is_view(text)) {
      at(text.made[0].second) = TRY(value(text.given[0].second));
      return {};
    }
    const Region region = TRY(parse_region(text.text));
    RegionInputs inputs;
    for (const auto& [name, id] : text.given) inputs[name] = *TRY(value(id));
    const CanonicalTask task = canonical(region);
    RegionRun done =
        run_region(region, task, *TRY(trace_of(task.spec)), target_, inputs, std::nullopt);
    seconds_ += done.row.seconds.value_or(0);
    row_.max_abs_error = std::max(row_.max_abs_error, done.row.max_abs_error);
    row_.max_rel_error = std::max(row_.max_rel_error, done.row.max_rel_error);
    if (!done.row.reason.empty())
      row_.reason = fmt::format("node {} ({}): {}", node.name, text.text, done.row.reason);
    else
      for (const auto& [name, id] : text.made) TRY(keep(id, std::move(done.outputs.at(name))));
    return {};
  }

  // Nodes that compute the same have one trace.
  Result<const RegionTrace*> trace_of(const TaskSpec& spec) {
    const auto [found, is_new] = traces_.try_emplace(print(spec));
    if (!is_new) return &found->second;
    if (options_.trace_seed) {
      auto random = TRY(random_trace_for(spec, target_, *options_.trace_seed));
      row_.random_traces += random ? 1 : 0;
      if (random) return &(found->second = *std::move(random));
    }
    found->second = TRY(trace_for(spec, target_, log_, listener_));
    row_.recorded += found->second.match.best.has_value() ? 1 : 0;
    return &found->second;
  }

  // Numbers are floats here: beyond 2^24 an integer may have been another one.
  Result<void> keep(TensorId id, std::vector<float> values) {
    constexpr float kExactIntegers = 1 << 24;
    const bool whole = computed_type(tensor(id).type) == ComputedType::integer;
    const auto large = std::ranges::find_if(
        values, [&](float x) { return whole && std::abs(x) > kExactIntegers; });
    if (large != values.end())
      return fail("run: {}: element {} of {} is {}; expected integers to 2^24, which are exact",
                  options_.spec, large - values.begin(), tensor(id).name, *large);
    at(id) = values_of(std::move(values));
    return {};
  }

  Result<Values> value(TensorId id) {
    if (at(id)) return at(id);
    const GraphTensor& constant = tensor(id);
    if (!constant.data)
      return fail("run: {}: constant {} has no numbers; expected an ONNX model", options_.spec,
                  constant.name);
    std::vector<float> values = constant.data->floats;
    for (const int64_t number : constant.data->integers)
      values.push_back(static_cast<float>(number));
    TRY(keep(id, std::move(values)));
    return at(id);
  }

  Result<void> write() {
    std::vector<OuterTensor> made;
    RegionInputs outputs;
    for (const TensorId id : parts_.graph.outputs) {
      made.push_back(outer_tensor(tensor(id)));
      outputs[made.back().name] = *TRY(value(id));
    }
    row_.files = TRY(write_outputs(options_.outputs, made, outputs));
    return {};
  }

  const GraphTensor& tensor(TensorId id) const {
    return parts_.graph.tensors[static_cast<size_t>(id)];
  }
  Values& at(TensorId id) { return values_[static_cast<size_t>(id)]; }

  const RunSpecOptions& options_;
  const Listener& listener_;
  std::optional<Log> log_;
  Partition parts_;
  Target target_;
  std::vector<Values> values_;  // of the tensors; null: not computed yet
  std::map<std::string, RegionTrace> traces_;
  double seconds_ = 0;
  Stopwatch watch_;
  double said_seconds_ = 0;  // when the last note was, by the watch
  RunRow row_;
};

}  // namespace

Result<Run> run_network(const RunSpecOptions& options, const Listener& listener) {
  TRY(check_output_folder(options.outputs));
  Graph graph = TRY(read_model(options.spec, options.shapes));
  std::optional<Log> log = TRY(read_log_of_run(options.log, listener));
  const PartitionOptions as_tuned = log ? partition_of(*log) : PartitionOptions();
  Partition parts = TRY(partition(std::move(graph), as_tuned));
  Target target = TRY(resolve_target(options.target));
  TRY(require_runnable(target));
  return NetworkRun(options, listener, std::move(log), std::move(parts), std::move(target)).run();
}

}  // namespace dovetail
