// SPDX-License-Identifier: Apache-2.0
// The verb `compare`: strategies side by side, on measured spaces or on a device.
#include <cstdio>
#include <filesystem>

#include "campaign/compare/compare_options.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/printable.h"
#include "report/tables/compare_tables.h"
#include "search/compare/space_tests.h"
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
     .help = "what is compared (required): NAME or NAME:OPTION=VALUE,..., separated by commas. "
             "@COST_MODEL behind one gives it a cost model of its own, @loop_only=LAYOUT or "
             "@no_layouts=LAYOUT another variant, @warm training on --train-on before it begins",
     .values = strategy_names},
    {.name = "--cost-model",
     .member = &CompareOptions::cost_model,
     .help = "cost model of strategies that name none",
     .values = cost_model_names},
    {"--seeds", &CompareOptions::seeds,
     "runs of each strategy on each space, one for each seed: 20 simulated, 5 live"},
    {"--seed", &CompareOptions::seed, "the first seed; the others follow it"},
    {"--trials", &CompareOptions::trials,
     "trials of each run; without it 1 % of a measured space's points, 200 live"},
    {"--simulate", &CompareOptions::simulate,
     "measured spaces, to search without the device: a space.json.gz of bruteforce, its folder, or "
     "a folder of such folders"},
    {"--train-on", &CompareOptions::train_on,
     "measured spaces, likewise, for @warm: before a search its cost model or agent learns from "
     "those of other operators"},
    {"--pretrain-trials", &CompareOptions::pretrain_trials,
     "trials on each of those spaces from which an agent learns (ppo@warm)"},
    {"--points", &CompareOptions::points,
     "the limit given to bruteforce, for old measured spaces whose files do not say it"},
    {"--resamples", &CompareOptions::resamples,
     "how many times runs are drawn anew for the intervals (bootstrap)"},
    {"--again", &CompareOptions::again,
     "live: how many times the best traces of all runs are measured again at the end, in turn"},
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

std::string legend_of(const Comparison& comparison) {
  const std::string score = comparison.score_is == "share_of_best"
                                ? "best time of all runs over the best so far, mean over trials"
                                : "0 is what random search is expected to reach without the "
                                  "default trace, 1 the optimum at once, mean over the budget";
  return fmt::format(
      "score: {}; wins, ties and losses: by what runs end with, the median best time on each space",
      score);
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
    listener.note("interrupted; each run that ended is saved; the same command goes on");
    return ExitCode::interrupted;
  }
  const Comparison& comparison = outcome.comparison;
  if (const std::string part = scored_part(comparison); !part.empty())
    listener.note(fmt::format("the score has less than the budget: {}", part));
  if (const std::string ended = early_ends(comparison); !ended.empty()) listener.note(ended);
  if (!json) {
    listener.note(legend_of(comparison));
    if (!has_difference(comparison))
      listener.note("no pair of strategies differs: p of 0.05 or more, over spaces and over runs");
  }
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
                    "  dovetail bruteforce gmm:m=64,n=64,k=64 --points 400 -o space\n"
                    "  dovetail compare --simulate space --trials 40 --seeds 5 "
                    "--strategies random,dovetail -o out\n");
  add_compare_options(parser, options);
  TRY(expand_experiment<CompareOptions>("compare", add_compare_options, arguments));
  ExperimentFile taken_out;
  parser.add<ExperimentFile>(kExperimentOptions, taken_out);
  if (TRY(parser.parse(std::move(arguments)))) return parser.print_help();
  return run_compare(options, parser.wants_json());
}

}  // namespace dovetail
