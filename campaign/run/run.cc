// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/run.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "campaign/accuracy/accuracy_rule.h"
#include "campaign/network/network_variants.h"
#include "campaign/recorded_target.h"
#include "campaign/recorded_tasks.h"
#include "campaign/run/fitted_array.h"
#include "campaign/run/npy.h"
#include "campaign/run/output_files.h"
#include "campaign/run/run_network.h"
#include "campaign/run/run_region.h"
#include "campaign/workloads.h"
#include "core/backends/backends.h"
#include "core/base/fail.h"
#include "core/ir/region/canonical.h"
#include "core/ir/region/region_text.h"
#include "measure/check/output_check.h"
#include "measure/reference/bounded_number.h"
#include "measure/reference/long_reference.h"
#include "measure/reference/region_slices.h"
#include "measure/runner/run_here.h"
#include "primitives/apply.h"
#include "primitives/lowering/nest/blocked_sum.h"

namespace dovetail {
namespace {

// Elements of the reference per slice, which takes some 5 MB.
constexpr int64_t kCheckedAtOnce = 1 << 18;

// User data may all have one sign, and weights may all be equal, as in the light models of the ONNX
// project: only the worst-case bound holds for their sums.
//
// An algorithm that rounds otherwise may err by as much as its data explains; campaign/accuracy
// decides whether that is too much.
Tolerance tolerance_of_run(const Region& region, const Trace& trace, const SumBound& sums,
                           const NamedArrays& inputs) {
  Tolerance tolerance = tolerance_of(region, trace.algorithm);
  if (trace.algorithm)
    if (const auto numbers = region_numbers(region, inputs, {}))
      tolerance.algorithm = explained_error(region, trace.algorithm, numbers->sizes);
  if (region.op) {
    const auto products = static_cast<double>(products_per_output(*region.op));
    tolerance.sums = std::max(tolerance.sums, sums.error(products));
  }
  return tolerance;
}

// Logs use canonical tensor names; files and messages use the user's.
NamedArrays with_canonical_names(const NamedArrays& inputs, const CanonicalTask& task) {
  NamedArrays renamed;
  for (const auto& [name, values] : inputs) renamed[task.names.at(name)] = values;
  return renamed;
}

NamedArrays with_own_names(NamedArrays outputs, const CanonicalTask& task) {
  NamedArrays renamed;
  for (const auto& [own, name] : task.names) {
    const auto output = outputs.find(name);
    if (output != outputs.end()) renamed[own] = std::move(output->second);
  }
  return renamed;
}

std::string file_of(const std::string& folder, size_t number) {
  return (std::filesystem::path(folder) / fmt::format("input_{}.npy", number)).string();
}

}  // namespace

Result<NamedArrays> read_inputs(const std::string& folder, const std::vector<OuterTensor>& given) {
  NamedArrays inputs;
  for (size_t number = 0; number < given.size(); ++number) {
    const std::string path = file_of(folder, number);
    if (!std::filesystem::exists(path))
      return fail("{}: no such file; expected tensor {}", path, described(given[number]));
    inputs[given[number].name] = TRY(fitted(path, TRY(read_npy(path)), given[number]));
  }
  const std::string beyond = file_of(folder, given.size());
  if (std::filesystem::exists(beyond))
    return fail("{}: one input too many; expected {}", beyond, given.size());
  return inputs;
}

RegionRun run_region(const Region& region, const CanonicalTask& task, const RegionTrace& chosen,
                     const Target& target, const NamedArrays& inputs,
                     const std::optional<TimingRule>& timing) {
  RegionRun done;
  done.row.name = print(region);
  done.row.match = chosen.match;
  Result<RunHere> run =
      run_here(chosen.program, target, with_canonical_names(inputs, task), timing);
  if (!run) {
    done.row.reason = run.error().message;
    return done;
  }
  done.row.seconds = run->seconds;
  done.row.interval = interval_of(run->samples);
  done.outputs = with_own_names(std::move(run->outputs), task);
  const SumBound sums = sum_bound(task.spec, chosen.trace, target);
  RegionCheck check = check_region(region, chosen.trace, sums, inputs, done.outputs);
  done.row.max_abs_error = check.max_abs_error;
  done.row.max_rel_error = check.max_rel_error;
  done.row.range_error = check.range_error;
  done.algorithm = chosen.trace.algorithm;
  done.row.reason = std::move(check.reason);
  return done;
}

SumBound sum_bound(const TaskSpec& task, const Trace& trace, const Target& target) {
  const Result<Schedule> schedule = apply(trace, task.region, task.border, target);
  if (!schedule) return {};
  std::map<std::string, double> chains;  // both stages of an rfactored sum count
  for (const Stage& stage : schedule->stages) {
    const std::string& tensor = stage.computation.output.tensor;
    if (stage.computation.reducer == Reducer::sum)
      chains[tensor.substr(0, tensor.find(".rf"))] += longest_chain(stage, schedule->stages);
  }
  double longest = 0;
  for (const auto& [tensor, chain] : chains) longest = std::max(longest, chain);
  return {.longest_chain = longest};
}

RegionCheck check_region(const Region& region, const Trace& trace, const SumBound& sums,
                         const NamedArrays& inputs, const NamedArrays& outputs) {
  const Tolerance tolerance = tolerance_of_run(region, trace, sums, inputs);
  std::vector<OutputComparison> comparisons;
  for (const OuterTensor& tensor : tensors_made(region))
    comparisons.emplace_back(tensor.name, tensor.shape, outputs.at(tensor.name), tolerance);
  for (const RegionSlice& slice : slices_of(region, kCheckedAtOnce)) {
    const ExpectedOutputs expected = expected_outputs(slice.region, slice.of(inputs), sums);
    for (OutputComparison& comparison : comparisons) {
      const auto range = slice.elements.find(comparison.tensor());
      comparison.add(range == slice.elements.end() ? 0 : range->second.first,
                     expected.find(comparison.tensor())->second);
    }
  }
  RegionCheck result;
  for (const OutputComparison& comparison : comparisons) {
    const OutputCheck check = comparison.result();
    result.max_abs_error = std::max(result.max_abs_error, check.max_abs_error);
    result.max_rel_error = std::max(result.max_rel_error, check.max_rel_error);
    result.range_error = std::max(result.range_error, check.range_error);
    if (result.reason.empty()) result.reason = check.reason;
  }
  return result;
}

namespace {

// The rule learns the data from which it estimates the error of a single region.
void learn_numbers(const Region& region, const NamedArrays& inputs, AccuracyRule& rule) {
  if (estimated_computation(region) != nullptr)
    rule.learn(region, inputs, expected_numbers(region, inputs));
}

// Repeats without the algorithm that exceeded the bound, until one is within it.
Result<RegionRun> run_within(AccuracyRule& rule, const TaskSpec& task,
                             const std::function<Result<RegionRun>()>& run) {
  while (true) {
    RegionRun done = TRY(run());
    if (!done.algorithm || !done.row.range_error ||
        *done.row.range_error <= bound_of(task.region, rule.max_error()))
      return done;
    rule.refuse(task, *done.algorithm, *done.row.range_error);
  }
}

}  // namespace

Result<Run> run_spec(const RunSpecOptions& options, const Listener& listener) {
  const std::string& spec = options.spec;
  if (spec.starts_with("@")) return fail("run: {} is a suite; expected one spec, or a model", spec);
  if (is_workload_file(spec)) return run_network(options, listener);
  if (!options.profile.empty())
    return fail("run: --profile is of a network; expected a model instead of {}", spec);
  if (!options.constants.empty())
    return fail("run: --constant is of a network; expected a model instead of {}", spec);
  if (options.memory_limit_mb)
    return fail("run: --memory-limit is of a network; expected a model instead of {}", spec);
  if (!options.peers.empty())
    return fail(
        "run: --peer is of a network; expected a model instead of {}; bench runs specs "
        "beside libraries",
        spec);
  if (!options.variants.empty() && options.variants != std::vector<std::string>{"joint"})
    return fail("run: --variant {} is of a network; expected a model instead of {}",
                fmt::join(options.variants, ","), spec);
  TRY(check_output_folder(options.outputs));
  const Region region = TRY(parse_region(spec));
  TRY(check_memory(region));
  const Target target = TRY(resolve_target(options.target));
  TRY(require_runnable(target));
  const NamedArrays inputs = options.inputs.empty()
                                 ? make_inputs(region, DataKind::real, options.seed)
                                 : TRY(read_inputs(options.inputs, tensors_given(region, spec)));
  const CanonicalTask task = canonical(region);
  const std::optional<Log> log = TRY(read_log_of_run(options.log, listener, options.exact));
  const auto rule =
      std::make_shared<AccuracyRule>(TRY(accuracy_rule(options.exact, options.max_error)));
  if (const auto note = long_reference_note(region)) listener.note(*note);
  learn_numbers(region, inputs, *rule);
  RegionRun done = TRY(run_within(*rule, task.spec, [&]() -> Result<RegionRun> {
    const RegionTrace chosen =
        TRY(trace_for(task.spec, target, log, Caches::hot, listener, allowed_by(rule)));
    return run_region(region, task, chosen, target, inputs, TimingRule());
  }));
  done.row.left_out = rule->refused();
  say_what_is_left_out(*rule, spec, listener);
  if (done.row.seconds && !options.outputs.empty())
    done.row.files = TRY(write_outputs(options.outputs, tensors_made(region), done.outputs));
  return Run{.rows = {std::move(done.row)}, .target = target};
}

}  // namespace dovetail
