// SPDX-License-Identifier: Apache-2.0
// The verb `compare`: strategies side by side, on measured spaces or on a device.
#include <cstdio>
#include <filesystem>

#include "campaign/compare/compare_options.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/printable.h"
#include "report/tables/compare_tables.h"
#include "tools/command_line/experiment.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

constexpr Option<CompareOptions> kCompareOptions[] = {
    {"WORKLOAD", &CompareOptions::workloads, kWorkloadHelp},
    {"--shape", &CompareOptions::shapes, kShapeHelp},
    {"--constant", &CompareOptions::constants, kConstantHelp},
    {.name = "--target",
     .member = &CompareOptions::target,
     .help = kTargetHelp,
     .values = target_forms},
    {.name = "--strategies",
     .member = &CompareOptions::strategies,
     .help = "NAME or NAME:OPTION=VALUE,..., separated by commas, each with @COST_MODEL, "
             "@loop_only=LAYOUT, @no_layouts=LAYOUT or @warm behind it if wanted (required)",
     .values = strategy_names},
    {.name = "--cost-model",
     .member = &CompareOptions::cost_model,
     .help = "cost model of strategies that name none",
     .values = cost_model_names},
    {"--seeds", &CompareOptions::seeds, "repeats of each strategy: 20 simulated, 5 live"},
    {"--seed", &CompareOptions::seed, "the first seed"},
    {"--trials", &CompareOptions::trials,
     "trials of each run; without it 1 % of a measured space, 200 live"},
    {"--simulate", &CompareOptions::simulate,
     "DIR whose sub-folders have space.json.gz files, to search without the device"},
    {"--train-on", &CompareOptions::train_on,
     "DIR of measured spaces: what @warm begins with, other operators only"},
    {"--pretrain-trials", &CompareOptions::pretrain_trials,
     "trials of an agent (ppo@warm) on each of those spaces"},
    {"--points", &CompareOptions::points,
     "largest number of points of measured spaces whose files do not say it"},
    {"--resamples", &CompareOptions::resamples, "resamples of the bootstrap intervals"},
    {"--again", &CompareOptions::again,
     "live: how many times the best of all runs are measured again at the end, in turn"},
    {"--no-default", &CompareOptions::no_default, "runs do not begin with the default trace"},
    {"-o", &CompareOptions::folder, "DIR for comparison.json, tables and logs (required)"},
};

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail("cannot make {}: {}", folder, error.message());
  return {};
}

// The error that write_results() would meet; leaves nothing behind.
Result<void> check_folder(const std::string& folder) {
  fs::path topmost_missing;
  std::error_code ignored;
  for (fs::path at = fs::absolute(folder); !fs::exists(at, ignored); at = at.parent_path())
    topmost_missing = at;
  Result<void> writable = make_folder(folder);
  if (writable) writable = check_replaceable((fs::path(folder) / "comparison.json").string());
  if (!topmost_missing.empty()) fs::remove_all(topmost_missing, ignored);
  return writable;
}

std::string text_of(const Comparison& comparison) {
  return with_schema("dovetail-compare-1", print_json(comparison));
}

Result<void> write_results(const CompareOptions& options, const Comparison& comparison) {
  TRY(make_folder(options.folder));
  const fs::path folder(options.folder);
  for (const NamedText& file : comparison_files(comparison))
    TRY(replace_file((folder / file.name).string(), file.text));
  return replace_file((folder / "comparison.json").string(), text_of(comparison));
}

Result<ExitCode> run_compare(const CompareOptions& options, bool json) {
  if (options.strategies.empty()) return fail("compare: --strategies is missing");
  if (options.folder.empty()) return fail("compare: -o DIR is missing");
  TRY(check_folder(options.folder));
  catch_interrupts();
  const Listener listener = listener_on_stderr();
  const CompareOutcome outcome = TRY(compare(options, listener));
  if (outcome.ending == Ending::device_lost) return ExitCode::device_failure;
  if (outcome.ending == Ending::interrupted) {
    listener.note("interrupted; everything done is saved; the same command goes on");
    return ExitCode::interrupted;
  }
  const Comparison& comparison = outcome.comparison;
  const Result<void> written = write_results(options, comparison);
  put(json ? printable_json(text_of(comparison)) : comparison_table(comparison));
  TRY(written);
  return ExitCode::done;
}

void add_compare_options(VerbParser& parser, CompareOptions& options) {
  parser.add<CompareOptions>(kCompareOptions, options);
  parser.add_json();
}

}  // namespace

Result<ExitCode> compare_verb(Arguments arguments) {
  CompareOptions options;
  VerbParser parser("compare",
                    "Strategies side by side: on measured spaces, or on a device.\n\n"
                    "  dovetail compare --strategies random,dovetail --simulate "
                    "gmm_space/space.json.gz -o out\n");
  add_compare_options(parser, options);
  TRY(expand_experiment<CompareOptions>("compare", add_compare_options, arguments));
  ExperimentFile taken_out;
  parser.add<ExperimentFile>(kExperimentOptions, taken_out);
  if (TRY(parser.parse(std::move(arguments)))) return parser.print_help();
  return run_compare(options, parser.wants_json());
}

}  // namespace dovetail
