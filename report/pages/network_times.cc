// SPDX-License-Identifier: Apache-2.0
#include "report/pages/network_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "report/charts/scale.h"
#include "report/data/task_facts.h"
#include "report/pages/commands.h"
#include "report/pages/figure.h"
#include "report/pages/markup.h"

namespace dovetail {
namespace {

constexpr int64_t kFewTrials = 20;

// A model's graph mostly has its file's name.
std::string stem_of(const std::string& model) {
  return std::filesystem::path(model).stem().string();
}

std::string file_name_of(const TunedNetwork& network) {
  return std::filesystem::path(network.file).filename().string();
}

// The default's time, that of the network which the log keeps, and other engines'.
void add_marks(const CampaignData& data, const TunedNetwork& network, const MachineFacts& facts,
               LineChart& chart) {
  const TimeUnit unit = unit_of(network);
  const auto add = [&](const std::string& name, double seconds) {
    chart.references.push_back({.y = seconds * unit.per_second,
                                .name = fmt::format("{} {}", name, time_text(seconds, unit))});
  };
  if (network.default_seconds) add("default", *network.default_seconds);
  const std::string& target = data.campaigns[network.campaign].header.target;
  for (const ChosenNetworkData& chosen : data.networks) {
    const NetworkRecord& kept = chosen.network;
    if (kept.target != target || kept.exact || kept.memory_limit_bytes) continue;
    if (!network.name.empty() && kept.model != stem_of(network.file)) continue;
    add("kept network, whole", kept.seconds);
  }
  for (const EngineTime& engine : facts.engines)
    if (network.name.empty() || engine.model == file_name_of(network))
      add(engine.engine, engine.seconds);
}

// "network-time", with the model's name where there are several.
std::string named(std::string_view figure, const TunedNetwork& network) {
  return network.name.empty() ? std::string(figure)
                              : fmt::format("{}-{}", figure, slug(network.name));
}

// "the network", or the model's name where there are several.
std::string name_of(const TunedNetwork& network) {
  return network.name.empty() ? "the network" : network.name;
}

Figure curve_figure(const CampaignData& data, const TunedNetwork& network,
                    const MachineFacts& facts) {
  LineChart chart = network_curve(data, network);
  add_marks(data, network, facts, chart);
  std::string caption =
      "The sum of what the network's nodes take, by the best of each task until then: first "
      "readings, and from the end of a campaign on the times that were confirmed there, so that "
      "the last step may go up. Default: the default traces as they were confirmed.";
  if (!data.networks.empty())
    caption += " Kept: the network of run --variant global, measured whole, with its conversions.";
  caption += facts.engines.empty()
                 ? " Other engines have lines here if --results names what run --peer … --json "
                   "printed."
                 : " Other engines, measured whole: from --results.";
  const std::string title = network.name.empty()
                                ? "The network's time while it was tuned"
                                : fmt::format("The time of {} while it was tuned", network.name);
  return {named("network-time", network), title, std::move(chart), caption};
}

std::string heading_of(const TunedNetwork& network) {
  return network.name.empty() ? "Where the time is"
                              : fmt::format("Where the time of {} is", network.name);
}

// Its time in a column of numbers, or why it has none.
NumberCell time_or_reason(const NetworkTask& of, const TimeUnit& unit) {
  if (of.seconds) return significant_cell(*of.seconds * unit.per_second);
  return {text_cell(of.trials == 0 ? "no trial yet" : "no valid candidate")};
}

std::optional<double> ratio_of(std::optional<double> part, std::optional<double> all) {
  return part && all && *all > 0 ? std::optional(*part / *all) : std::nullopt;
}

NumberCell percent_of_roof(const CampaignData& data, const MachineFacts& facts,
                           const NetworkTask& of) {
  return number_cell(of.task ? percent_of_roof(data, facts, *of.task) : std::nullopt, 1);
}

DataTable where_table(const CampaignData& data, const TunedNetwork& network,
                      const MachineFacts& facts) {
  using Of = const NetworkTask&;
  const TimeUnit unit = unit_of(network);
  const auto time = [&unit](std::optional<double> NetworkTask::* seconds) {
    return [&unit, seconds](Of of) {
      const std::optional<double>& value = of.*seconds;
      return significant_cell(value ? std::optional(*value * unit.per_second) : value);
    };
  };
  const auto title = [&unit](std::string_view what) {
    return fmt::format("{} ({})", what, unit.name);
  };
  const auto share = [&network](Of of) {
    const auto part = ratio_of(of.seconds, network.known_seconds);
    return number_cell(part ? std::optional(100 * *part) : part, 1);
  };
  DataTable table = table_of<NetworkTask>(
      named("network-tasks", network), heading_of(network), network.tasks,
      {{"name", [&](Of of) { return facts.name_of(of.spec); }},
       {"task", &NetworkTask::spec, kBelow},
       {"nodes", &NetworkTask::nodes},
       {title("default"), time(&NetworkTask::default_seconds)},
       {title("now"), [&unit](Of of) { return time_or_reason(of, unit); }},
       {network.seconds ? "% of network" : "% of known", share},
       {"× default",
        [](Of of) { return number_cell(ratio_of(of.default_seconds, of.seconds), 2); }},
       {"% of roof", [&](Of of) { return percent_of_roof(data, facts, of); }},
       {"trials", &NetworkTask::trials},
       {title("last fifth's gain"), time(&NetworkTask::last_gain_seconds)}});
  drop_empty(table);
  return table;
}

std::string percent(double part, double all) {
  return fmt::format("{:.{}f} %", 100 * part / all, part < 0.1 * all ? 1 : 0);
}

// "The last fifth of the trials took 0.41 ms (2.5 %) off the network, most of it in conv1 (0.3 ms)
// and fc (0.1 ms)."
std::string gain_text(const TunedNetwork& network, const MachineFacts& facts) {
  const TimeUnit unit = unit_of(network);
  std::vector<const NetworkTask*> gaining;
  double gain = 0;
  for (const NetworkTask& of : network.tasks) {
    if (of.last_gain_seconds.value_or(0) <= 0) continue;
    gaining.push_back(&of);
    gain += *of.last_gain_seconds;
  }
  if (gaining.empty()) return "The last fifth of the trials gained nothing.";
  std::ranges::stable_sort(gaining, std::greater{},
                           [](const NetworkTask* of) { return *of->last_gain_seconds; });
  constexpr size_t kNamed = 3;
  std::vector<std::string> names;
  for (const NetworkTask* of : gaining) {
    if (names.size() == kNamed) break;
    names.push_back(
        fmt::format("{} ({})", facts.name_of(of->spec), time_text(*of->last_gain_seconds, unit)));
  }
  return fmt::format("The last fifth of each task's trials took {} ({}) off {}{}: {}.",
                     time_text(gain, unit), percent(gain, *network.seconds), name_of(network),
                     gaining.size() > kNamed ? ", most of it here" : "", fmt::join(names, ", "));
}

std::string few_trials_text(const TunedNetwork& network) {
  int64_t count = 0;
  double seconds = 0;
  for (const NetworkTask& of : network.tasks) {
    if (of.trials >= kFewTrials) continue;
    ++count;
    seconds += of.seconds.value_or(0);
  }
  if (count == 0) return "";
  return fmt::format(
      " {} of {} tasks, which take {} of its time, {} had fewer than {} trials: a larger budget "
      "begins with the longest of them.",
      count, network.tasks.size(), percent(seconds, *network.seconds), count == 1 ? "has" : "have",
      kFewTrials);
}

// Like "Of 21 tasks, 2 have no trial yet, and 1 has no valid candidate. Shares are …"
std::string untimed_text(const TunedNetwork& network) {
  const auto untimed = [](const NetworkTask& of) { return !of.seconds; };
  const auto untried = [](const NetworkTask& of) { return !of.seconds && of.trials == 0; };
  const auto num_untried = std::ranges::count_if(network.tasks, untried);
  const auto num_invalid = std::ranges::count_if(network.tasks, untimed) - num_untried;
  const auto have = [](auto count) { return count == 1 ? "has" : "have"; };
  std::vector<std::string> parts;
  if (num_untried > 0)
    parts.push_back(fmt::format("{} {} no trial yet", num_untried, have(num_untried)));
  if (num_invalid > 0)
    parts.push_back(fmt::format("{} {} no valid candidate", num_invalid, have(num_invalid)));
  std::string text =
      fmt::format("Of {} tasks, {}.", network.tasks.size(), fmt::join(parts, ", and "));
  if (network.known_seconds > 0)
    text += fmt::format(" Shares are of the {} that the others take: {} takes more.",
                        time_text(network.known_seconds, unit_of(network)), name_of(network));
  return text;
}

std::string spend_html(const CampaignData& data, const TunedNetwork& network,
                       const MachineFacts& facts) {
  if (!network.seconds) return paragraph(untimed_text(network));
  const CampaignInfo& campaign = data.campaigns[network.campaign];
  const bool is_distilled = campaign.header.distilled_from.has_value();
  if (is_distilled)
    return paragraph(
        "This log was distilled: it lacks the trials from which the gains of the last fifth would "
        "follow.");
  const std::string html = paragraph(gain_text(network, facts) + few_trials_text(network));
  const bool has_gains = std::ranges::any_of(
      network.tasks, [](const NetworkTask& of) { return of.last_gain_seconds.has_value(); });
  if (!has_gains) return html;
  return html + paragraph(
                    "The last fifth's gain: the fastest of a task's earlier trials against its "
                    "best, as both "
                    "were confirmed in the end; in first readings, and at most what the task "
                    "gained in all, "
                    "where nothing was confirmed.");
}

}  // namespace

std::string network_times(Report& report, const CampaignData& data, const TunedNetwork& network,
                          const MachineFacts& facts) {
  std::string html;
  Figure figure = curve_figure(data, network, facts);
  if (!std::get<LineChart>(figure.chart).series.empty()) html += keep(report, std::move(figure));
  html += fmt::format("<h3>{}</h3>\n", escape_markup(heading_of(network))) +
          spend_html(data, network, facts);
  html += keep(report, where_table(data, network, facts));
  return html;
}

}  // namespace dovetail
