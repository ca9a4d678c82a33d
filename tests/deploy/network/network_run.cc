// SPDX-License-Identifier: Apache-2.0
#include "tests/deploy/network/network_run.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <thread>

#include "core/base/cores.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/ir/program/buffer_values.h"
#include "deploy/network/link_network.h"
#include "deploy/network/network_code.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

using Tensors = std::vector<std::vector<float>>;

Tensors drawn_tensors(const Graph& graph) {
  std::mt19937 numbers(1);
  std::uniform_real_distribution<float> real(-1, 1);
  Tensors drawn(graph.tensors.size());
  const auto draw = [&](size_t id) {
    const GraphTensor& tensor = graph.tensors[id];
    drawn[id].resize(static_cast<size_t>(num_elements(*tensor.shape)));
    for (float& value : drawn[id])
      value = tensor.type == ElementType::f32 ? real(numbers) : static_cast<float>(numbers() % 2);
  };
  for (size_t id = 0; id < graph.tensors.size(); ++id)
    if (graph.tensors[id].constant) draw(id);
  for (const TensorId id : graph.inputs) draw(static_cast<size_t>(id));
  return drawn;
}

void evaluate(const Partition& parts, Tensors& values) {
  for (const NodeRegion& node : parts.regions) {
    if (is_view(node)) {
      values[static_cast<size_t>(node.made[0].second)] =
          values[static_cast<size_t>(node.given[0].second)];
      continue;
    }
    const Region region = right(node.spec.value(), node.spec.text());
    NamedArrays inputs;
    for (const auto& [name, id] : node.given) inputs[name] = values[static_cast<size_t>(id)];
    const RegionValues made = evaluate_region(region, inputs);
    for (const auto& [name, id] : node.made) {
      values[static_cast<size_t>(id)] = floats_of(made.at(name).values);
    }
  }
}

std::optional<size_t> tensor_named(const Graph& graph, const std::string& name) {
  for (size_t id = 0; id < graph.tensors.size(); ++id)
    if (graph.tensors[id].name == name) return id;
  return std::nullopt;
}

// Errors of sums go with what is summed: an element that cancels to almost nothing carries those of
// its largest neighbours.
double allowed_error(const std::vector<float>& wanted) {
  float largest = 0;
  for (const float value : wanted) largest = std::max(largest, std::abs(value));
  return 1e-4 * (1 + static_cast<double>(largest));
}

::testing::AssertionResult outputs_agree(const Partition& parts, LoadedNetwork& network,
                                         const Tensors& expected) {
  for (size_t b = 0; b < network.program().buffers.size(); ++b) {
    const NetworkBuffer& held = network.program().buffers[b];
    if (held.buffer.role != BufferRole::output) continue;
    const std::vector<float> found =
        floats_of(load_values(held.buffer, right(network.read(b)).bytes()));
    const std::vector<float>& wanted = expected[*tensor_named(parts.graph, held.tensors[0])];
    const double allowed = allowed_error(wanted);
    for (size_t e = 0; e < wanted.size(); ++e)
      if (!(std::abs(found[e] - wanted[e]) <= allowed))
        return ::testing::AssertionFailure()
               << held.tensors[0] << " " << e << " is " << found[e] << ", expected " << wanted[e];
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult run_loaded(const Partition& parts, const LoweredNetwork& lowered,
                                      const Target& target, StoreConstants when,
                                      const NetworkPlanOptions& plan) {
  Tensors values = drawn_tensors(parts.graph);
  const auto constants = [&](const std::string& name) -> Result<NDArray> {
    return NDArray(values[*tensor_named(parts.graph, name)]);
  };
  auto code = build_network(lowered.program, target);
  if (!code) return ::testing::AssertionFailure() << code.error().message;
  const NetworkPlan planned = right(plan_network(lowered.program, plan));
  Executable linked =
      right(link_network(parts.graph, lowered.program, planned, std::move(*code), target));
  auto network = LoadedNetwork::load(
      {.program = lowered.program, .plan = planned, .executable = std::move(linked)},
      {allowed_cores().front()}, constants, when);
  if (!network) return ::testing::AssertionFailure() << network.error().message;
  const auto give = [&] {
    for (size_t b = 0; b < network->program().buffers.size(); ++b) {
      const NetworkBuffer& held = network->program().buffers[b];
      if (held.buffer.role != BufferRole::activation) continue;
      EXPECT_TRUE(network->write(b, values[*tensor_named(parts.graph, held.tensors[0])]));
    }
  };
  give();
  if (when == StoreConstants::call_by_call)
    for (size_t call = 0; call < network->program().calls.size(); ++call) {
      EXPECT_TRUE(network->store_constants(call, constants));
      EXPECT_TRUE(network->run_call(call));
    }
  evaluate(parts, values);
  for (int repeat = 0; repeat < 2; ++repeat) {  // a second run finds what the first one left
    if (plan.boundary == NetworkBoundary::inside) give();
    right(network->run());
    if (const auto agree = outputs_agree(parts, *network, values); !agree) return agree;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace

Target cpu_here() { return right(cpu_target(TargetName{})); }

Partition parts_of(const std::string& lines, const PartitionOptions& options) {
  return right(partition(right(parse_graph("graph g\n" + lines, "g")), options), lines);
}

Result<LoweredNetwork> lowered_network(const Partition& parts, const Target& target,
                                       const TraceOfTask& trace_of, Propagation propagation) {
  const NetworkChoice choice = TRY(propagated(parts, target, only(trace_of), propagation));
  return lower_network(parts, target, trace_of, choice);
}

TraceOfTask random_traces_of(const Target& target, uint64_t seed) {
  auto rng = std::make_shared<std::mt19937_64>(seed);
  return [target, rng](const TaskSpec& task) -> Result<Trace> {
    const Space space = TRY(build_space(task, target));
    constexpr int kTries = 20;
    for (int i = 0; i < kTries; ++i) {
      Trace trace = space.decode(space.sample(*rng));
      const auto schedule = apply(trace, task.region, task.border, target);
      if (schedule && lower(*schedule, target)) return trace;
    }
    return space.default_trace();
  };
}

namespace {

::testing::AssertionResult loads_and_runs(const Partition& parts, const LoweredNetwork& lowered,
                                          const Target& target, StoreConstants when,
                                          const NetworkPlanOptions& plan = {}) {
  const NetworkProgram again = right(parse_network(print(lowered.program)));
  if (!(again == lowered.program)) return ::testing::AssertionFailure() << "parses as another one";
  auto result = ::testing::AssertionSuccess();
  // A network's threads pin their caller.
  std::thread([&] { result = run_loaded(parts, lowered, target, when, plan); }).join();
  return result;
}

}  // namespace

::testing::AssertionResult runs_right(const Partition& parts, const LoweredNetwork& lowered,
                                      StoreConstants when, const NetworkPlanOptions& plan) {
  return loads_and_runs(parts, lowered, cpu_here(), when, plan);
}

::testing::AssertionResult runs_right_on(const Target& target, const Partition& parts,
                                         const LoweredNetwork& lowered) {
  return loads_and_runs(parts, lowered, target, StoreConstants::all);
}

::testing::AssertionResult runs_right(const Partition& parts) {
  const Target target = cpu_here();
  const auto lowered = lowered_network(parts, target, default_traces(target));
  if (!lowered) return ::testing::AssertionFailure() << lowered.error().message;
  return runs_right(parts, *lowered);
}

}  // namespace dovetail::testing
