// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "campaign/region_trace.h"
#include "campaign/resolve_target.h"
#include "campaign/run/expected_outputs.h"
#include "campaign/run/npy.h"
#include "campaign/run/region_tensors.h"
#include "campaign/run/run_inputs.h"
#include "campaign/workloads.h"
#include "core/ir/region/region_text.h"
#include "measure/run_here.h"

namespace dovetail {
namespace {

Result<void> refuse_files(const std::string& spec) {
  if (!is_workload_file(spec)) return {};
  return fail(fmt::format("run: {} is a {}; expected one spec, as this version runs no networks",
                          spec, spec.starts_with("@") ? "suite" : "model"));
}

Unexpected no_folder(const std::string& folder, const std::string& found) {
  return fail(fmt::format("--outputs {}: {}; expected a folder", folder, found));
}

// Before anything runs.
Result<void> refuse_what_is_no_folder(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) || std::filesystem::is_directory(path, error))
    return {};
  return no_folder(path, "is none");
}

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return no_folder(folder, error.message());
  return {};
}

void check_outputs(const std::vector<OuterTensor>& made, const RegionInputs& outputs,
                   const ExpectedOutputs& expected, RunRow& row) {
  for (const OuterTensor& tensor : made) {
    const OutputErrors errors = compare(tensor.name, tensor.shape, outputs.at(tensor.name),
                                        expected.find(tensor.name)->second);
    row.max_abs_error = std::max(row.max_abs_error, errors.max_abs_error);
    row.max_rel_error = std::max(row.max_rel_error, errors.max_rel_error);
    if (row.reason.empty()) row.reason = errors.reason;
  }
}

Result<std::vector<std::string>> write_outputs(const std::string& folder,
                                               const std::vector<OuterTensor>& made,
                                               const RegionInputs& outputs) {
  TRY(make_folder(folder));
  std::vector<std::string> files;
  for (const OuterTensor& tensor : made) {
    files.push_back(
        (std::filesystem::path(folder) / fmt::format("output_{}.npy", files.size())).string());
    TRY(write_npy(
        files.back(),
        {.type = tensor.type, .shape = tensor.shape, .values = outputs.find(tensor.name)->second}));
  }
  return files;
}

}  // namespace

Result<Run> run_spec(const RunSpecOptions& options, const Listener& listener) {
  const std::string& spec = options.spec;
  TRY(refuse_files(spec));
  TRY(refuse_what_is_no_folder(options.outputs));
  const Region region = TRY(parse_region(spec));
  TRY(check_memory(region));
  const Target target = TRY(resolve_target(options.target));
  TRY(require_runnable(target));
  const RegionInputs inputs = options.inputs.empty()
                                  ? random_inputs(region, options.seed)
                                  : TRY(read_inputs(options.inputs, tensors_given(region, spec)));
  RegionTrace chosen = TRY(trace_for(region, target, options.log, listener));
  RunRow row;
  row.name = print(region);
  row.match = std::move(chosen.match);
  const Result<RunHere> run = run_here(chosen.program, target, inputs, TimingRule());
  if (!run) {
    row.reason = run.error().message;
    return Run{.rows = {std::move(row)}};
  }
  row.seconds = run->seconds;
  const std::vector<OuterTensor> made = tensors_made(region);
  check_outputs(made, run->outputs, expected_outputs(region, chosen.trace, inputs), row);
  if (!options.outputs.empty()) row.files = TRY(write_outputs(options.outputs, made, run->outputs));
  return Run{.rows = {std::move(row)}};
}

}  // namespace dovetail
