// SPDX-License-Identifier: Apache-2.0
// The verb `pretrain`: trains an agent of ppo on measured spaces, for campaigns to begin with.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "campaign/compare/measured_spaces.h"
#include "campaign/interrupt.h"
#include "core/base/files.h"
#include "report/tables/table.h"
#include "search/agent/agent.h"
#include "search/compare/simulate/pretrained_agent.h"
#include "search/strategies/ppo/ppo.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> files_of(const PretrainOptions& options) {
  std::vector<fs::path> files;
  for (const std::string& space : options.spaces) {
    if (!fs::is_directory(space)) {
      files.emplace_back(space);
      continue;
    }
    for (fs::path& file : TRY(find_spaces(space))) files.push_back(std::move(file));
  }
  return files;
}

void print_result(const PretrainOptions& options, const PretrainedAgent& trained) {
  if (options.json) {
    nlohmann::ordered_json tasks = nlohmann::ordered_json::array();
    for (const PretrainedTask& task : trained.tasks) {
      tasks.push_back({{"spec", task.task},
                       {"trials", task.trials},
                       {"first_share", task.first_share},
                       {"last_share", task.last_share}});
    }
    const nlohmann::ordered_json json{{"file", options.output}, {"tasks", std::move(tasks)}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  Table table({{"spec", Align::left}, {"trials"}, {"first (%)"}, {"last (%)"}});
  for (const PretrainedTask& task : trained.tasks) {
    table.add_row({task.task, fmt::format("{}", task.trials),
                   fmt::format("{:.1f}", 100 * task.first_share),
                   fmt::format("{:.1f}", 100 * task.last_share)});
  }
  std::fputs(print(table).c_str(), stdout);
}

}  // namespace

Result<ExitCode> run_pretrain(const PretrainOptions& options) {
  catch_interrupts();
  PpoOptions widest;
  for (const OptionField& field : fields_of(widest)) {
    if (field.name != "hidden" || static_cast<double>(options.hidden) <= field.most) continue;
    return fail(fmt::format("pretrain: --hidden is {}, expected {} to {}", options.hidden,
                            field.least, field.most));
  }
  TRY(agent_available());
  const SimulatedSpaces spaces = TRY(read_spaces(TRY(files_of(options)), {}));
  const std::vector<const SimulatedSpace*> on = spaces_without(spaces, options.without);
  if (on.empty()) {
    return fail(fmt::format("pretrain: no space is left without {}, expected another operator's",
                            options.without));
  }
  const PretrainedAgent trained =
      TRY(pretrained_agent(on, {.trials = options.trials,
                                .seed = options.seed,
                                .hidden = static_cast<int>(options.hidden),
                                .interrupted = interrupted}));
  if (trained.interrupted) {
    std::fprintf(stderr, "dovetail: interrupted; nothing was written\n");
    return ExitCode::interrupted;
  }
  TRY(replace_file(options.output, print(trained.agent)));
  print_result(options, trained);
  return ExitCode::done;
}

}  // namespace dovetail
