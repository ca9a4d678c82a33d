// SPDX-License-Identifier: Apache-2.0
// The verb `pretrain`: trains an agent of ppo on measured spaces.
#include "campaign/pretrain.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "report/tables/table.h"
#include "tools/interrupt.h"
#include "tools/progress_bar.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

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

}  // namespace

Result<ExitCode> run_pretrain(const PretrainOptions& options, bool json) {
  catch_interrupts();
  ProgressBar bar(stderr);
  const Listener listener = listener_of(bar);
  const PretrainedAgent trained = TRY(pretrain(options, listener));
  if (trained.interrupted) {
    listener.note("interrupted; nothing was written");
    return ExitCode::interrupted;
  }
  std::fputs(text_of(trained, options.output, json).c_str(), stdout);
  return ExitCode::done;
}

}  // namespace dovetail
