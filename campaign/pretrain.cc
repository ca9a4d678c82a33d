// SPDX-License-Identifier: Apache-2.0
#include "campaign/pretrain.h"

#include <filesystem>

#include "campaign/compare/measured_spaces.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "search/agent/agent.h"
#include "search/strategies/ppo/ppo.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> files_of(const PretrainOptions& options) {
  std::vector<fs::path> files;
  for (const std::string& space : options.spaces)
    for (fs::path& file : TRY(find_spaces(space))) files.push_back(std::move(file));
  return files;
}

Result<void> check_width(const PretrainOptions& options) {
  PpoOptions widest;
  for (const OptionField& field : fields_of(widest)) {
    if (field.name != "hidden" || static_cast<double>(options.hidden) <= field.most) continue;
    return fail("pretrain: --hidden is {}, expected {} to {}", options.hidden, field.least,
                field.most);
  }
  return {};
}

}  // namespace

Result<PretrainedAgent> pretrain(const PretrainOptions& options, const Listener& listener) {
  TRY(check_width(options));
  TRY(agent_available());
  TRY(check_replaceable(options.output));
  const std::optional<SimulatedSpaces> spaces =
      TRY(read_spaces(TRY(files_of(options)), {}, listener));
  if (!spaces) return PretrainedAgent{.agent = {}, .tasks = {}, .interrupted = true};
  const std::vector<const SimulatedSpace*> on = spaces_without(*spaces, options.without);
  if (on.empty()) {
    return fail("pretrain: no space is left without {}, expected another operator's",
                options.without);
  }
  PretrainedAgent trained = TRY(pretrained_agent(on, {.trials = options.trials,
                                                      .seed = options.seed,
                                                      .hidden = static_cast<int>(options.hidden),
                                                      .interrupted = listener.interrupted}));
  if (!trained.interrupted) TRY(replace_file(options.output, print(trained.agent)));
  return trained;
}

}  // namespace dovetail
