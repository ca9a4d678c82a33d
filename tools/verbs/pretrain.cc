// SPDX-License-Identifier: Apache-2.0
// The verb `pretrain`: trains an agent of ppo on measured spaces.
#include "campaign/pretrain.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "campaign/indented_json.h"
#include "report/tables/data_table.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

constexpr Option<PretrainOptions> kPretrainOptions[] = {
    {"SPACE", &PretrainOptions::spaces,
     "space.json.gz of bruteforce, or a folder whose sub-folders have one each"},
    {"-o", &PretrainOptions::output, "FILE for the agent (required)"},
    {"--trials", &PretrainOptions::trials, "drawn of each space"},
    {"--without", &PretrainOptions::without, "OPERATOR to leave out, as its specs begin: c2d"},
    {"--hidden", &PretrainOptions::hidden,
     "width of the networks' layers, as that of ppo:hidden=N"},
    {"--seed", &PretrainOptions::seed, "of everything random"},
};

std::string json_text(const PretrainedAgent& trained, const std::string& file) {
  Json tasks = Json::array();
  for (const PretrainedTask& task : trained.tasks) {
    tasks.push_back({{"spec", task.task},
                     {"trials", task.trials},
                     {"first_share", task.first_share},
                     {"last_share", task.last_share}});
  }
  return indented_json(Json{{"file", file}, {"tasks", std::move(tasks)}});
}

std::string table_text(const PretrainedAgent& trained) {
  const auto percent = [](double PretrainedTask::* share) {
    return [share](const PretrainedTask& task) { return number_cell(100 * (task.*share), 1); };
  };
  return print_rows<PretrainedTask>(trained.tasks,
                                    {{"spec", &PretrainedTask::task},
                                     {"trials", &PretrainedTask::trials},
                                     {"first (%)", percent(&PretrainedTask::first_share)},
                                     {"last (%)", percent(&PretrainedTask::last_share)}});
}

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
  put(json ? json_text(trained, options.output) : table_text(trained));
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> pretrain_verb(Arguments arguments) {
  return parse_and_run<PretrainOptions>(
      "pretrain",
      "Trains an agent on measured spaces, for tune --strategy ppo --agent FILE.\n\n"
      "  dovetail pretrain gmm_space/space.json.gz -o gmm.agent\n",
      kPretrainOptions, run_pretrain, std::move(arguments));
}

}  // namespace dovetail
