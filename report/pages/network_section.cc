// SPDX-License-Identifier: Apache-2.0
#include "report/pages/network_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "core/base/text.h"
#include "report/charts/scale.h"
#include "report/data/layout_name.h"
#include "report/data/network_picture.h"
#include "report/data/tuned_network.h"
#include "report/pages/commands.h"
#include "report/pages/markup.h"
#include "report/pages/network_times.h"

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
      fmt::format("{} when it was chosen, from {} that {} measured; {} as variant joint.",
                  seconds_text(network.seconds), counted(network.networks, "network"),
                  network.networks == 1 ? "was" : "were", seconds_text(network.joint_seconds));
  if (network.prefetches_weights) text += " Weights are asked for ahead.";
  for (const std::vector<std::string>& chain : network.fused)
    text += fmt::format(" Fused: {}.", fmt::join(chain, ", "));
  if (data.trials_since > 0)
    text += fmt::format(
        " The log has {} since: dovetail run MODEL --log {} --variant global chooses anew.",
        counted(data.trials_since, "more trial"), data.log);
  return text + " " + conversions_text(network);
}

std::string named_text(const std::vector<StoredTensor>& tensors) {
  std::string text;
  for (const StoredTensor& stored : tensors)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stored.tensor,
                        layout_name(stored.form, {}));
  return text;
}

DataTable call_table(const NetworkRecord& network, const std::string& name) {
  const double all = std::max(seconds_of_calls(network), 1e-12);
  using Call = const CallOfNetwork&;
  const TimeUnit unit = time_unit(network.seconds);
  const auto time = [&unit](Call call) {
    return significant_cell(call.seconds ? std::optional(unit.per_second * *call.seconds)
                                         : call.seconds);
  };
  return table_of<CallOfNetwork>(
      name, fmt::format("Calls of {}", network.model), network.calls,
      {{"call", &CallOfNetwork::call},
       {"with", [](Call call) { return fmt::format("{}", fmt::join(call.with, " ")); }, kBelow},
       {fmt::format("time ({})", unit.name), time},
       {"% of all",
        [all](Call call) { return number_cell(100 * call.seconds.value_or(0) / all, 2); }},
       {"given", [](Call call) { return named_text(call.given); }},
       {"made", [](Call call) { return named_text(call.made); }}});
}

// How many of the tensors between calls have which layout; the most frequent first.
DataTable layout_table(const NetworkRecord& network, const std::string& name) {
  using Count = std::pair<std::string, int64_t>;
  std::map<std::string, int64_t> counts;
  int64_t all = 0;
  for (const CallOfNetwork& call : network.calls) {
    for (const StoredTensor& made : call.made) {
      ++counts[layout_name(made.form, {})];
      ++all;
    }
  }
  std::vector<Count> rows(counts.begin(), counts.end());
  std::ranges::stable_sort(rows, std::greater{}, &Count::second);
  const auto share = [all](const Count& of) {
    return number_cell(
        std::optional(100 * static_cast<double>(of.second) / static_cast<double>(all)), 0);
  };
  return table_of<Count>(name, fmt::format("Layouts of {}", network.model), rows,
                         {{"layout", &Count::first}, {"tensors", &Count::second}, {"%", share}});
}

std::string how_to_get_one(const CampaignData& data) {
  for (const CampaignInfo& campaign : data.campaigns) {
    const std::vector<std::string> models = model_files(campaign.header);
    if (models.empty()) continue;
    return fmt::format(
        "No network of {} was measured whole: dovetail run {} --log {} --variant global chooses "
        "one, and the log keeps it.",
        fmt::join(models, ", "), models.size() == 1 ? models[0] : "MODEL", campaign.log);
  }
  return "No network was measured whole: dovetail run MODEL.onnx --log LOG --variant global "
         "chooses one, and the log keeps it.";
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
  return !data.networks.empty() || std::ranges::any_of(data.campaigns, tunes_model);
}

Section network_section(Report& report, const CampaignData& data, const MachineFacts& facts) {
  std::string html;
  for (const TunedNetwork& network : tuned_networks(data))
    html += network_times(report, data, network, facts);
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
                                "read them, in the colour of their layout, as bars are. Hollow: "
                                "a conversion."});
    html += keep(report, layout_table(network, fmt::format("layouts-{}", name)));
    html += paragraph(
        "Layouts by the names that oneDNN has: a letter a dimension, from the outermost to the "
        "innermost, upper case where it is split; nChw16c has blocks of 16 channels innermost.");
    html += details("Calls, and the layouts of what they are given and make",
                    keep(report, call_table(network, fmt::format("calls-{}", name))));
  }
  if (data.networks.empty()) html += paragraph(how_to_get_one(data));
  return {"network",
          data.networks.size() > 1 || tuned_networks(data).size() > 1 ? "Networks" : "Network",
          std::move(html)};
}

}  // namespace dovetail
