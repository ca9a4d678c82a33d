// SPDX-License-Identifier: Apache-2.0
// The verb `pretrain`: trains an agent of ppo on measured spaces.
#include "campaign/pretrain.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "report/tables/table.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

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

std::string text_of(const PretrainedAgent& trained, const std::string& file, bool json) {
  if (json) {
    nlohmann::ordered_json tasks = nlohmann::ordered_json::array();
    for (const PretrainedTask& task : trained.tasks) {
      tasks.push_back({{"spec", task.task},
                       {"trials", task.trials},
                       {"first_share", task.first_share},
                       {"last_share", task.last_share}});
    }
    return nlohmann::ordered_json{{"file", file}, {"tasks", std::move(tasks)}}.dump(2) + "\n";
  }
  Table table({{"spec", Align::left}, {"trials"}, {"first (%)"}, {"last (%)"}});
  for (const PretrainedTask& task : trained.tasks) {
    table.add_row({task.task, fmt::format("{}", task.trials),
                   fmt::format("{:.1f}", 100 * task.first_share),
                   fmt::format("{:.1f}", 100 * task.last_share)});
  }
  return print(table);
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
  std::fputs(text_of(trained, options.output, json).c_str(), stdout);
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> pretrain_verb(Arguments arguments) {
  return parse_and_run<PretrainOptions>(
      "pretrain", "Trains an agent on measured spaces, for tune --strategy ppo --agent FILE.",
      kPretrainOptions, run_pretrain, std::move(arguments));
}

}  // namespace dovetail
