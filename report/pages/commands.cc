// SPDX-License-Identifier: Apache-2.0
// The commands of report/pages/campaign_page.h.
#include <fmt/format.h>

#include "core/base/shell_word.h"
#include "report/pages/campaign_page.h"

namespace dovetail {
namespace {

std::string option_text(const std::string& name, const OptionValue& value) {
  std::string option = name;
  for (char& letter : option) letter = letter == '_' ? '-' : letter;
  if (const auto* set = std::get_if<bool>(&value)) return *set ? " --" + option : "";
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    std::string all;
    for (const std::string& text : *texts) all += fmt::format(" --{} {}", option, shell_word(text));
    return all;
  }
  const auto* text = std::get_if<std::string>(&value);
  return fmt::format(" --{} {}", option, text != nullptr ? shell_word(*text) : print(value));
}

std::vector<std::string> tasks_of(const CampaignInfo& campaign) {
  const auto option = campaign.header.options.find("tasks");
  if (option == campaign.header.options.end()) return {};
  const auto* tasks = std::get_if<std::vector<std::string>>(&option->second);
  return tasks != nullptr ? *tasks : std::vector<std::string>();
}

}  // namespace

std::string tune_command(const CampaignInfo& campaign) {
  std::string command = "dovetail tune";
  for (const std::string& task : tasks_of(campaign)) command += " " + shell_word(task);
  command += " --target " + shell_word(campaign.header.target);
  for (const auto& [name, value] : campaign.header.options) {
    if (name != "tasks") command += option_text(name, value);
  }
  return command +
         fmt::format(" --seed {} --log {}", campaign.header.seed, shell_word(campaign.log));
}

std::string replay_command(const CampaignInfo& campaign, const std::vector<std::string>& specs) {
  std::string command = "dovetail replay";
  for (const std::string& spec : specs) command += " " + shell_word(spec);
  return command + fmt::format(" --target {} --log {} --check", shell_word(campaign.header.target),
                               shell_word(campaign.log));
}

}  // namespace dovetail
