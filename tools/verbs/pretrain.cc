// SPDX-License-Identifier: Apache-2.0
// The verb `pretrain`: trains an agent of ppo on measured spaces.
#include "campaign/pretrain.h"

#include <cstdio>
#include <tuple>

#include "campaign/indented_json.h"
#include "report/tables/row_table.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {

auto fields_of(Of<PretrainedTask> auto& task) {
  return std::tuple(Field{"spec", task.task, Column{"spec"}},
                    Field{"trials", task.trials, Column{"trials"}},
                    Field{"first_share", task.first_share, Column{"first (%)", digits(1, 100)}},
                    Field{"last_share", task.last_share, Column{"last (%)", digits(1, 100)}});
}

namespace {

constexpr Option<PretrainOptions> kPretrainOptions[] = {
    {"SPACE", &PretrainOptions::spaces,
     "a space.json.gz of bruteforce, its folder, or a folder of such folders"},
    {"-o", &PretrainOptions::output, "FILE for the agent (required)"},
    {"--trials", &PretrainOptions::trials, "points drawn from each space"},
    {"--without", &PretrainOptions::without, "OPERATOR to leave out, as its specs begin: c2d"},
    {"--hidden", &PretrainOptions::hidden,
     "width of the networks' layers, as that of ppo:hidden=N"},
    {"--seed", &PretrainOptions::seed, "seed of everything random"},
};

Result<ExitCode> run_pretrain(const PretrainOptions& options, bool json) {
  if (options.spaces.empty())
    return fail("pretrain: no SPACE given; dovetail bruteforce makes them");
  if (options.output.empty()) return fail("pretrain: -o FILE is missing");
  catch_interrupts();
  const Listener listener = listener_on_stderr();
  const PretrainedAgent trained = TRY(pretrain(options, listener));
  if (trained.interrupted) {
    listener.note("interrupted; nothing was written");
    return ExitCode::interrupted;
  }
  put(json ? result_json("dovetail-pretrain-1",
                         indented_json(std::tuple(Field{"file", options.output},
                                                  Field{"tasks", trained.tasks})))
           : print(table_of(trained.tasks)));
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> pretrain_verb(Arguments arguments) {
  return parse_and_run<PretrainOptions>(
      "pretrain",
      "Trains an agent on measured spaces, for tune --strategy ppo --agent FILE.\n\n"
      "  dovetail pretrain gmm_space -o gmm.agent\n",
      kPretrainOptions, run_pretrain, std::move(arguments));
}

}  // namespace dovetail
