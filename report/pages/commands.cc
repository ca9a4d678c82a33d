// SPDX-License-Identifier: Apache-2.0
#include "report/pages/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"

namespace dovetail {
namespace {

std::string command_option(const std::string& name, const OptionValue& value) {
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

// " --shape input=1,3,224,224"
std::string input_words(const LogHeader& header) {
  std::string words;
  for (const std::string& shape : header.shapes) words += " --shape " + shell_word(shape);
  for (const std::string& held : header.constants) words += " --constant " + shell_word(held);
  return words;
}

// " resnet18.onnx --shape input=1,3,224,224", or the specs.
std::string workload_words(const CampaignInfo& campaign, const std::vector<std::string>& specs) {
  const LogHeader& header = campaign.header;
  std::string words;
  for (const std::string& workload : header.workloads.empty() ? specs : header.workloads)
    words += " " + shell_word(workload);
  return words + input_words(header);
}

bool is_budget(const std::string& option) {
  constexpr std::string_view kBudgets[] = {"trials", "seconds", "total_trials", "total_seconds"};
  return std::ranges::count(kBudgets, option) > 0;
}

OptionValue doubled(const OptionValue& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return 2 * *whole;
  if (const auto* real = std::get_if<double>(&value)) return 2 * *real;
  return value;
}

std::string tune_words(const CampaignInfo& campaign, bool is_longer) {
  const LogHeader& header = campaign.header;
  std::string words = "dovetail tune" + workload_words(campaign, tasks_of(header.options)) +
                      " --target " + shell_word(header.target);
  bool has_budget = false;
  for (const auto& [name, value] : header.options) {
    if (name == "tasks") continue;
    has_budget = has_budget || is_budget(name);
    words += command_option(name, name == "strategy"             ? OptionValue(campaign.strategy())
                                  : is_longer && is_budget(name) ? doubled(value)
                                                                 : value);
  }
  constexpr int64_t kTwiceTheDefault = 2000;
  if (is_longer && !has_budget) words += fmt::format(" --trials {}", kTwiceTheDefault);
  return words + fmt::format(" --seed {} --log {}", header.seed, shell_word(campaign.log));
}

}  // namespace

std::string tune_command(const CampaignInfo& campaign) { return tune_words(campaign, false); }

std::string longer_tune_command(const CampaignInfo& campaign) {
  return tune_words(campaign, true) + " --resume";
}

std::string replay_command(const CampaignInfo& campaign, const std::vector<std::string>& specs) {
  return fmt::format("dovetail replay{} --target {} --log {} --check",
                     workload_words(campaign, specs), shell_word(campaign.header.target),
                     shell_word(campaign.log));
}

std::vector<std::string> specs_of(const CampaignData& data, size_t campaign) {
  std::vector<std::string> specs;
  for (const auto& [task, run] : data.runs())
    if (run->campaign == campaign) specs.push_back(task->spec);
  return specs;
}

bool tunes_model(const CampaignInfo& campaign) {
  return !model_files(campaign.header).empty() ||
         std::ranges::any_of(campaign.header.layers,
                             [](const Layer& layer) { return layer.nodes > 0; });
}

std::string package_of(const std::string& model) {
  return std::filesystem::path(model).stem().string() + "-package";
}

std::vector<size_t> campaigns_to_use(const CampaignData& data) {
  const auto workload_of = [](const CampaignInfo& campaign) {
    return workload_words(campaign, tasks_of(campaign.header.options));
  };
  const auto are_alike = [&](const CampaignInfo& one, const CampaignInfo& other) {
    return one.log == other.log && one.header.target == other.header.target &&
           workload_of(one) == workload_of(other);
  };
  std::vector<size_t> last;
  for (size_t i = 0; i < data.campaigns.size(); ++i) {
    std::erase_if(last, [&](size_t j) { return are_alike(data.campaigns[i], data.campaigns[j]); });
    last.push_back(i);
  }
  return last;
}

std::vector<NamedCommand> use_commands(const CampaignData& data, size_t index, bool is_only) {
  const CampaignInfo& campaign = data.campaigns[index];
  const LogHeader& header = campaign.header;
  const std::string ending =
      fmt::format(" --target {} --log {}", shell_word(header.target), shell_word(campaign.log));
  std::vector<NamedCommand> commands;
  std::vector<std::string> models = model_files(header);
  if (tunes_model(campaign) && header.workloads.empty()) models = {"MODEL.onnx"};
  for (const std::string& model : models) {
    const std::string words = " " + shell_word(model) + input_words(header);
    const bool is_one = models.size() == 1;
    commands.push_back(
        {fmt::format("Run {}. The first time it measures whole networks and keeps the fastest in "
                     "the log.",
                     is_one ? "the network" : model),
         "dovetail run" + words + ending + " --variant global"});
    if (header.target.starts_with("cpu"))
      commands.push_back({"Make a library of it, with a C header, that runs without dovetail.",
                          "dovetail build" + words + ending + " -o " +
                              (is_one && is_only ? "package" : shell_word(package_of(model)))});
  }
  const std::vector<std::string> specs = specs_of(data, index);
  const bool is_all_models = !models.empty() && models.size() >= header.workloads.size();
  if (!is_all_models && !specs.empty())
    commands.push_back(
        {"Run the best of each task again, and check it.", replay_command(campaign, specs)});
  if (!header.distilled_from)
    commands.push_back({"Search on, with twice the budget.", longer_tune_command(campaign)});
  return commands;
}

}  // namespace dovetail
