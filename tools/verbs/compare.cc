// SPDX-License-Identifier: Apache-2.0
// The verb `compare`: strategies side by side, on measured spaces or on a device.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "campaign/compare/compare_options.h"
#include "campaign/interrupt.h"
#include "core/base/files.h"
#include "report/tables/compare_tables.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

Result<void> write_results(const CompareOptions& options, const Comparison& comparison) {
  const fs::path folder(options.folder);
  for (const NamedText& file : comparison_files(comparison))
    TRY(replace_file((folder / file.name).string(), file.text));
  return replace_file((folder / "comparison.json").string(), print_json(comparison));
}

}  // namespace

Comparison about_comparison(const CompareOptions& options, int64_t seeds) {
  Comparison about;
  about.tool = "dovetail " DOVETAIL_VERSION;
  for (uint64_t k = 0; k < static_cast<uint64_t>(seeds); ++k)
    about.seeds.push_back(options.seed + k);
  about.default_first = !options.no_default;
  about.cutoff_start = ScoreOptions().budget.cutoff_start;
  about.cutoff_end = ScoreOptions().budget.cutoff_end;
  about.resolution = static_cast<int64_t>(ScoreOptions().resolution);
  about.resamples = options.resamples;
  about.confidence = BootstrapOptions().confidence;
  about.warm_start = options.train_on;
  return about;
}

Result<ExitCode> run_compare(const CompareOptions& options) {
  catch_interrupts();
  const std::vector<Arm> arms = TRY(parse_arms(options.strategies, options.cost_model));
  for (const Arm& arm : arms) TRY(check_available(arm.strategy));
  const CompareOutcome outcome = TRY(options.simulate.empty() ? compare_live(options, arms)
                                                              : compare_simulated(options, arms));
  if (outcome.exit == ExitCode::interrupted) {
    fmt::print(stderr, "dovetail: interrupted; {}\n",
               options.simulate.empty() ? "everything measured is saved; the same command goes on"
                                        : "nothing was written");
  }
  if (outcome.exit != ExitCode::done) return outcome.exit;
  const Comparison comparison = TRY(compare_runs(outcome.input));
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) return fail(fmt::format("cannot make {}: {}", options.folder, error.message()));
  TRY(write_results(options, comparison));
  const std::string text = options.json ? print_json(comparison) : comparison_table(comparison);
  std::fputs(text.c_str(), stdout);
  return ExitCode::done;
}

}  // namespace dovetail
