// SPDX-License-Identifier: Apache-2.0
// The verb `bruteforce`: measures every point of a reduced space.
#include "campaign/bruteforce.h"
#include "core/base/fail.h"
#include "core/base/printable.h"
#include "core/base/text.h"

#include <cstdio>
#include <tuple>
#include <vector>

#include "campaign/indented_json.h"
#include "report/tables/row_table.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {

auto fields_of(Of<BruteforceResult> auto& result) {
  return std::tuple(Field{"spec", result.spec, Column{"spec"}},
                    Field{"points", result.points, Column{"points"}},
                    Field{"layouts", result.layouts, Column{"layouts"}},
                    Field{"valid", result.valid, Column{"valid"}},
                    Field{"best_seconds", result.best_seconds, Column{"best (us)", kMicroseconds}},
                    Field{"file", result.file, Column{"file"}});
}

namespace {

struct BruteforceCommand : BruteforceOptions {
  std::vector<std::string> specs;
};

using Command = BruteforceCommand;
constexpr Option<Command> kBruteforceOptions[] = {
    {"SPEC", &Command::specs, "spec of one operator"},
    {.name = "--target", .member = &Command::target, .help = kTargetHelp, .values = target_forms},
    {"--space", &Command::space, "reduced: domains cut down around the default"},
    {"--points", &Command::points, "largest number of points of the space"},
    {"-o", &Command::folder, "DIR for log.jsonl and space.json.gz (required)"},
};

ExitCode tell_of_cut_off(const BruteforceResult& result, const std::string& command) {
  const bool stopped = result.ending == Ending::interrupted;
  const std::string why =
      stopped ? "interrupted" : "the device was lost: " + printable(result.device_error);
  tell_how_to_continue(fmt::format("{}; {} {} saved in {}", why, counted(result.saved, "point"),
                                   result.saved == 1 ? "is" : "are", printable(result.log)),
                       result.was_confirming, command);
  return stopped ? ExitCode::interrupted : ExitCode::device_failure;
}

Result<ExitCode> run_bruteforce(BruteforceCommand options, const std::string& command, bool json) {
  if (options.specs.size() != 1)
    return fail("bruteforce: {} specs given, expected one; see dovetail bruteforce --help",
                options.specs.size());
  if (options.folder.empty()) return fail("bruteforce: -o DIR is missing");
  options.spec = options.specs.front();
  catch_interrupts(command);
  const BruteforceResult result = TRY(bruteforce(options, listener_on_stderr()));
  if (result.ending != Ending::done) return tell_of_cut_off(result, command);
  put(json ? result_json("dovetail-bruteforce-1", indented_json(result))
           : print(table_of(std::vector{result})));
  return result.valid > 0 ? ExitCode::done : ExitCode::no_candidate;
}

}  // namespace

Result<ExitCode> bruteforce_verb(Arguments arguments) {
  const auto run = [command = command_line("bruteforce", arguments)](BruteforceCommand options,
                                                                     bool json) {
    return run_bruteforce(std::move(options), command, json);
  };
  return parse_and_run<BruteforceCommand>(
      "bruteforce",
      "Measures every point of a reduced space of an operator.\n\n"
      "  dovetail bruteforce gmm:m=64,n=64,k=64 --space reduced --points 500 -o gmm_space\n\n"
      "After Ctrl-C or kill -9 the same command goes on.\n",
      kBruteforceOptions, run, std::move(arguments));
}

}  // namespace dovetail
