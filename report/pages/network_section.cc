// SPDX-License-Identifier: Apache-2.0
#include "report/pages/network_section.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/charts/scale.h"
#include "report/data/network_picture.h"
#include "report/pages/markup.h"

namespace dovetail {
namespace {

double seconds_of_calls(const NetworkRecord& network) {
  double sum = 0;
  for (const CallOfNetwork& call : network.calls) sum += call.seconds.value_or(0);
  return sum;
}

std::string conversions_text(const NetworkRecord& network) {
  int64_t count = 0;
  double seconds = 0;
  for (const CallOfNetwork& call : network.calls) {
    if (!call.is_conversion) continue;
    ++count;
    seconds += call.seconds.value_or(0);
  }
  if (count == 0) return "No tensor is converted into another layout.";
  return fmt::format("{} {} another layout: {:.2f} % of the time.", count,
                     count == 1 ? "tensor is converted into" : "tensors are converted into",
                     100 * seconds / std::max(seconds_of_calls(network), 1e-12));
}

std::string network_text(const ChosenNetworkData& data) {
  const NetworkRecord& network = data.network;
  std::string text =
      fmt::format("{} when it was chosen, from {} {} that {} measured; {} as variant joint.",
                  seconds_text(network.seconds), network.networks,
                  network.networks == 1 ? "network" : "networks",
                  network.networks == 1 ? "was" : "were", seconds_text(network.joint_seconds));
  if (network.prefetches_weights) text += " Weights are asked for ahead.";
  for (const std::vector<std::string>& chain : network.fused)
    text += fmt::format(" Fused: {}.", fmt::join(chain, ", "));
  if (data.trials_since > 0)
    text += fmt::format(
        " The log has {} more {} since: dovetail run MODEL --log {} --variant global chooses anew.",
        data.trials_since, data.trials_since == 1 ? "trial" : "trials", data.log);
  return text + " " + conversions_text(network);
}

DataTable call_table(const NetworkRecord& network, const std::string& name) {
  const double all = std::max(seconds_of_calls(network), 1e-12);
  using Call = const CallOfNetwork&;
  return table_of<CallOfNetwork>(
      name, fmt::format("Calls of {}", network.model), network.calls,
      {{"call", &CallOfNetwork::call},
       {"with", [](Call call) { return fmt::format("{}", fmt::join(call.with, " ")); }},
       {"time (µs)", [](Call call) { return microseconds_cell(call.seconds); }},
       {"% of all",
        [all](Call call) { return number_cell(100 * call.seconds.value_or(0) / all, 2); }},
       {"given", [](Call call) { return stored_text(call.given); }, kCode},
       {"made", [](Call call) { return stored_text(call.made); }, kCode}});
}

bool is_model_file(const std::string& task) { return task.ends_with(".onnx"); }

std::string how_to_get_one(const CampaignData& data) {
  for (const CampaignInfo& campaign : data.campaigns)
    for (const std::string& task : tasks_of(campaign.header.options))
      if (is_model_file(task))
        return fmt::format(
            "No network of {} was measured whole: dovetail run {} --log {} --variant global "
            "chooses one, and the log keeps it.",
            task, task, campaign.log);
  return "No network was measured whole.";
}

// ", exact, in 190 MB": a log keeps a network for each combination.
std::string conditions_of(const NetworkRecord& network) {
  std::string text = network.exact ? ", exact" : "";
  if (network.memory_limit_bytes)
    text += fmt::format(", in {:g} MB", 1e-6 * static_cast<double>(*network.memory_limit_bytes));
  return text;
}

}  // namespace

std::string stored_text(const std::vector<StoredTensor>& tensors) {
  std::string text;
  for (const StoredTensor& stored : tensors)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stored.tensor, stored.form);
  return text;
}

bool has_networks(const CampaignData& data) {
  return !data.networks.empty() ||
         std::ranges::any_of(data.campaigns, [](const CampaignInfo& campaign) {
           return std::ranges::any_of(tasks_of(campaign.header.options), is_model_file);
         });
}

Section network_section(Report& report, const CampaignData& data) {
  std::string html;
  for (const ChosenNetworkData& chosen : data.networks) {
    const NetworkRecord& network = chosen.network;
    const std::string title =
        fmt::format("{} on {}{}", network.model.empty() ? "Network" : network.model, network.target,
                    conditions_of(network));
    html += fmt::format("<h3>{}</h3>\n", escape_markup(title)) + paragraph(network_text(chosen));
    if (network.calls.empty()) {
      html += paragraph(
          "Its line was written before calls had times: dovetail run with --choose-again measures "
          "them.");
      continue;
    }
    const std::string name =
        slug(fmt::format("{}-{}{}", network.model, network.target, conditions_of(network)));
    html += keep(report, Figure{fmt::format("network-{}", name), title, network_picture(network),
                                "A bar is a call, as the network runs it; “+ 2”: two more nodes "
                                "run inside it. Lines are tensors on their way to the calls that "
                                "read them, in the colour of their layout, as bars are: "
                                "dimensions from the outermost to the innermost, “1:16” a block "
                                "of 16 of dimension 1. Hollow: a conversion."});
    html += details("Calls, and the layouts of what they are given and make",
                    keep(report, call_table(network, fmt::format("calls-{}", name))));
  }
  if (data.networks.empty()) html += paragraph(how_to_get_one(data));
  return {"network", data.networks.size() > 1 ? "Networks" : "Network", std::move(html)};
}

}  // namespace dovetail
