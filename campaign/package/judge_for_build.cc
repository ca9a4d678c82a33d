// SPDX-License-Identifier: Apache-2.0
#include "campaign/package/judge_for_build.h"

#include <utility>

#include "campaign/recorded_target.h"
#include "campaign/run/judged_variants.h"
#include "campaign/run/network_trials.h"
#include "campaign/run/prepared_network.h"
#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

// A build is a run without timing.
RunSpecOptions run_options(const BuildOptions& options, const Target& target) {
  RunSpecOptions run;
  run.spec = options.model;
  run.target = print(target.name);
  run.log = options.log;
  if (options.variant) run.variants = {*options.variant};
  run.memory_limit_mb = options.memory_limit_mb;
  run.exact = options.exact;
  run.max_error = options.max_error;
  run.shapes = options.shapes;
  run.constants = options.constants;
  return run;
}

std::string words_of(size_t sets, bool is_random) {
  if (is_random) return "random inputs";
  return fmt::format("calibration, {} of inputs", counted(sets, "set"));
}

Result<void> run_within_bound(VariantRuns& runs, const RunSetting& setting,
                              const NetworkSources& sources) {
  const MakeVariant again = [&](const AskedVariant& variant) {
    return choose_variant(setting, variant, sources);
  };
  return in_thread([&]() -> Result<void> {
    TRY(load_within_bound(runs, again, *setting.rule));
    return {};
  });
}

JudgedBuild taken(VariantRun& run, const PreparedNetwork& prepared, std::string data) {
  std::string reason = run.row().reason;
  return {.network = std::move(run).judged(),
          .target = prepared.target,
          .rule = prepared.rule,
          .data = std::move(data),
          .reason = std::move(reason)};
}

}  // namespace

Result<JudgedBuild> judge_for_build(const BuildOptions& options, const Target& target,
                                    const Listener& listener) {
  const RunSpecOptions as_run = run_options(options, target);
  const std::vector<std::string> folders = options.calibrate.empty()
                                               ? std::vector<std::string>()
                                               : TRY(input_folders(options.calibrate));
  PreparedNetwork prepared = TRY(read_network(as_run, folders, target, listener));
  prepared.keeps_network = true;
  VariantRuns runs;
  runs.push_back(TRY(choose_variant(prepared, options.variant, std::move(prepared.log),
                                    std::move(prepared.parts))));
  if (check_runs_here(prepared.target)) TRY(run_within_bound(runs, prepared, sources_of(as_run)));
  say_what_is_left_out(*prepared.rule, options.model, listener);
  return taken(*runs.front(), prepared, words_of(prepared.data.size(), folders.empty()));
}

}  // namespace dovetail
