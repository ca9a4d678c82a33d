// SPDX-License-Identifier: Apache-2.0
#include "dovetail/network.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "campaign/accuracy/graph_inputs.h"
#include "campaign/network/network_sources.h"
#include "campaign/recorded_target.h"
#include "campaign/recorded_tasks.h"
#include "campaign/run/fitted_array.h"
#include "campaign/run/judged_variants.h"
#include "campaign/run/network_trials.h"
#include "campaign/run/prepared_network.h"
#include "core/base/fail.h"
#include "core/base/statistics.h"
#include "core/ir/program/buffer_values.h"
#include "dovetail/handles/model_data.h"
#include "dovetail/handles/option_words.h"
#include "dovetail/handles/own_thread.h"

namespace dovetail::api {

struct Network::Data {
  std::vector<TensorInfo> inputs, outputs;
  Facts facts;
  std::optional<LoadedNetwork> network;  // used by the thread alone
  OwnThread thread;

  Data() = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  ~Data() {
    thread.run([this] { network.reset(); });
  }
};

namespace {

AskedVariant variant_of(Layouts layouts) {
  // In the order of the enumerators.
  constexpr std::string_view kNames[] = {
      "",           "joint",     "forward_only", "backward_only", "without_propagation",
      "no_layouts", "loop_only", "global"};
  if (layouts == Layouts::kept) return std::nullopt;
  return std::string(kNames[static_cast<size_t>(layouts)]);
}

NetworkRequest request_of(const Model& model, const std::string& log,
                          const CompileOptions& options) {
  return {.name = model.name(),
          .log_name = log,
          .exact = options.exact,
          .max_error = options.max_error,
          .memory_limit_mb = options.memory_limit_mb,
          .owns_process = false};
}

Result<PreparedNetwork> prepared_of(const Model& model, const Target& target,
                                    const std::string& log_path, const CompileOptions& options,
                                    const Listener& listener) {
  TRY(require_runnable(target));
  auto log = std::make_shared<const std::optional<dovetail::Log>>(
      TRY(read_log_of_run(log_path, listener, options.exact)));
  const Graph& graph = model.data().graph;
  const PartitionOptions as_tuned = *log ? TRY(partition_of(**log, graph)) : PartitionOptions();
  const InputSets inputs = [&](const Graph& own) -> Result<std::vector<std::vector<NDArray>>> {
    return std::vector<std::vector<NDArray>>{TRY(given_inputs(options.inputs, options.seed)(own))};
  };
  return prepare_network(request_of(model, log_path, options), std::move(log),
                         TRY(partition(graph, as_tuned)), inputs, target, listener);
}

Network::Facts facts_of(const RunRow& row) {
  return {.regions = row.distinct,
          .calls = row.calls,
          .recorded = row.recorded,
          .conversions = row.conversions,
          .constant_bytes = row.constant_bytes,
          .temporary_bytes = row.peak_bytes,
          .range_error = row.range_error.value_or(0)};
}

Result<Network> compile_with(const Model& model, const Target& target, const std::string& log_path,
                             const CompileOptions& options, const Listener& listener) {
  const PreparedNetwork prepared = TRY(prepared_of(model, target, log_path, options, listener));
  const MakeVariant choose = [&](const AskedVariant& variant) {
    return choose_variant(prepared, variant, prepared.log, prepared.parts);
  };
  VariantRuns runs;
  runs.push_back(TRY(choose(variant_of(options.layouts))));
  auto data = std::make_shared<Network::Data>();
  data->inputs = model.inputs();
  data->outputs = model.outputs();
  TRY(data->thread.run([&]() -> Result<void> {
    TRY(load_within_bound(runs, choose, *prepared.rule));
    VariantRun& run = *runs.front();
    if (!run.is_right()) return fail("{}: {}", model.name(), run.row().reason);
    data->facts = facts_of(run.row());
    data->network = std::move(run).loaded();
    return {};
  }));
  say_what_is_left_out(*prepared.rule, model.name(), listener);
  return Network(std::move(data));
}

// Row-major on the host; itself if it is already.
Result<NDArray> dense(const std::string& name, const NDArray& array) {
  if (!array.is_on_host()) return fail("{}: is in a device's memory; expected the host's", name);
  if (array.is_dense()) return array;
  NDArray copy = NDArray::zeros(array.type(), array.shape());
  copy_elements(array, copy);
  return copy;
}

Result<std::vector<NDArray>> fitted_inputs(const std::vector<NDArray>& arrays,
                                           const std::vector<TensorInfo>& wanted) {
  if (arrays.size() != wanted.size())
    return fail("found {} inputs; expected {}", arrays.size(), wanted.size());
  std::vector<NDArray> inputs;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const std::string name = fmt::format("input {}", i);
    const OuterTensor tensor{wanted[i].name, wanted[i].type, wanted[i].shape};
    inputs.push_back(TRY(fitted(name, TRY(dense(name, arrays[i])), tensor)));
  }
  return inputs;
}

// Tensors without elements have no buffer.
Result<void> write(const std::vector<NDArray>& inputs, LoadedNetwork& network) {
  auto held = network.executable().inputs.begin();
  for (const NDArray& input : inputs)
    if (!input.empty()) TRY(network.write((held++)->buffer, input));
  return {};
}

Result<std::vector<NDArray>> read(const std::vector<TensorInfo>& outputs, LoadedNetwork& network) {
  std::vector<NDArray> arrays;
  auto held = network.executable().outputs.begin();
  for (const TensorInfo& output : outputs) {
    if (num_elements(output.shape) == 0) {
      arrays.push_back(NDArray::zeros(output.type, output.shape));
      continue;
    }
    const size_t buffer = (held++)->buffer;
    const NDArray stored = TRY(network.read(buffer));
    const Buffer& layout = network.program().buffers[buffer].buffer;
    arrays.push_back(load_values(layout, stored.bytes()).reshaped(output.shape));
  }
  return arrays;
}

}  // namespace

const std::vector<TensorInfo>& Network::inputs() const { return data_->inputs; }
const std::vector<TensorInfo>& Network::outputs() const { return data_->outputs; }
const Network::Facts& Network::facts() const { return data_->facts; }

Result<std::vector<NDArray>> Network::run(const std::vector<NDArray>& inputs) const {
  const std::vector<NDArray> given = TRY(fitted_inputs(inputs, data_->inputs));
  return data_->thread.run([&]() -> Result<std::vector<NDArray>> {
    TRY(write(given, *data_->network));
    TRY(data_->network->run());
    return read(data_->outputs, *data_->network);
  });
}

Result<double> Network::seconds() const {
  return data_->thread.run(
      [&]() -> Result<double> { return median(TRY(time_network(*data_->network))); });
}

Result<Network> compile(const Model& model, const Target& target, const Log& log,
                        const CompileOptions& options, const Listener& listener) {
  return with_members(compile_with(model, target, log.path(), options, with_members(listener)));
}

Result<Network> compile(const Model& model, const Target& target, const CompileOptions& options,
                        const Listener& listener) {
  return with_members(compile_with(model, target, {}, options, with_members(listener)));
}

}  // namespace dovetail::api
