// SPDX-License-Identifier: Apache-2.0
// The page of one or several campaigns, one function per section.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/statistics.h"
#include "core/base/text.h"
#include "report/charts/scale.h"
#include "report/data/best_charts.h"
#include "report/data/model_quality.h"
#include "report/data/task_facts.h"
#include "report/data/tuned_network.h"
#include "report/data/winners.h"
#include "report/pages/campaign_figures.h"
#include "report/pages/commands.h"
#include "report/pages/kernels_section.h"
#include "report/pages/markup.h"
#include "report/pages/network_section.h"
#include "report/pages/report.h"

namespace dovetail {
namespace {

// Up to this many tasks have large curves, with every trial as a dot.
constexpr size_t kFewTasks = 3;

// Counts and times, summed over all campaigns.
CampaignInfo totals_of(const CampaignData& data) {
  CampaignInfo totals;
  for (const CampaignInfo& campaign : data.campaigns) {
    totals.trials += campaign.trials;
    totals.valid += campaign.valid;
    totals.rejected += campaign.rejected;
    totals.wall_seconds += campaign.wall_seconds;
    totals.times += campaign.times;
  }
  return totals;
}

std::string campaign_html(const CampaignInfo& campaign, const std::vector<std::string>& specs) {
  const LogHeader& header = campaign.header;
  std::string options;
  for (const auto& [name, value] : header.options) {
    if (name == "tasks") continue;
    options += fmt::format("{}{} = {}", options.empty() ? "" : ", ", name,
                           name == "strategy" ? campaign.strategy() : option_text(value));
  }
  std::vector<std::pair<std::string, std::string>> device;
  for (const auto& [name, value] : header.device.more) device.emplace_back(name, value);
  std::string html =
      facts_list({{"target", header.target},
                  {"device", fmt::format("{} ({})", header.device.name, header.device.family)},
                  {"driver", header.driver},
                  {"tool", header.tool},
                  {"started", header.started},
                  {"seed", fmt::format("{}", header.seed)},
                  {"options", options},
                  {"log", campaign.log},
                  {"campaign", fmt::format("{} (id {})", header.campaign, header.id)}});
  html += details("Everything known of the device", facts_list(device));
  if (!header.experiment.empty()) html += details("Experiment file", code_block(header.experiment));
  return html + details("Commands: run the best again; run the campaign again",
                        (specs.empty() ? "" : code_block(replay_command(campaign, specs))) +
                            code_block(tune_command(campaign)));
}

Section how_to_use(const CampaignData& data) {
  std::string html;
  const std::vector<size_t> campaigns = campaigns_to_use(data);
  bool is_unnamed = false;
  for (const size_t index : campaigns) {
    const CampaignInfo& campaign = data.campaigns[index];
    const bool is_only = campaigns.size() == 1;
    if (!is_only) html += fmt::format("<h3>{}</h3>\n", escape_markup(campaign.name));
    for (const NamedCommand& use : use_commands(data, index, is_only))
      html += paragraph(use.purpose) + code_block(use.command);
    is_unnamed = is_unnamed || (tunes_model(campaign) && campaign.header.workloads.empty());
  }
  if (is_unnamed)
    html += paragraph("MODEL.onnx: the model; a log of an older version does not name its file.");
  return {"use", "How to use this", std::move(html)};
}

Section what_was_run(Report& report, const CampaignData& data) {
  std::string html;
  for (const CampaignInfo& campaign : data.campaigns) {
    if (!campaign.header.distilled_from) continue;
    html += note(fmt::format(
        "{} was distilled: of {} trials it holds those that decide which is best. Counts, curves, "
        "failures and times show what is left.",
        campaign.name, *campaign.header.distilled_from));
  }
  if (data.campaigns.size() == 1) {
    html += campaign_html(data.campaigns[0], specs_of(data, 0));
  } else {
    html += keep(report, campaign_table(data));
    for (size_t i = 0; i < data.campaigns.size(); ++i)
      html += details(data.campaigns[i].name, campaign_html(data.campaigns[i], specs_of(data, i)));
  }
  return {"run", "What was run", std::move(html)};
}

std::string counts_text(const CampaignData& data) {
  const CampaignInfo totals = totals_of(data);
  const int64_t failed = totals.trials - totals.valid;
  return fmt::format(
      "{} of {} trials failed; {} more proposals were illegal or had been tried, and do not count "
      "as trials.",
      failed, totals.trials, totals.rejected);
}

Section results(Report& report, const CampaignData& data, const MachineFacts& facts) {
  std::string html = keep(report, task_table(data, facts));
  const std::string untried = untried_text(data, facts);
  if (!untried.empty()) html += paragraph(untried);
  html += paragraph(
      "Best: the fastest of the finalists, which are measured again at the end; “tied” counts "
      "those that cannot be told apart from it. Default: the default trace, measured again "
      "likewise, or "
      "the median of its first time and the sentinels. × default: how many times as fast as the "
      "default trace. ±: half of the 95 % interval of the best's median. GB/s: of the operands, "
      "where there is no product. "
      "A record is shown by dovetail show LOG#CAMPAIGN.TRIAL.");
  if (data.failures.empty()) html += paragraph(counts_text(data));
  return {"tasks", "Tasks", std::move(html)};
}

// The words below curves: how bands are made, if any are medians over campaigns.
std::string curve_text(const CampaignData& data) {
  const bool bands =
      std::ranges::any_of(data.tasks, [](const TaskData& task) { return task.runs.size() > 1; });
  return bands ? " Where several campaigns of one strategy tuned a task: their median, and as a "
                 "band the 95 % interval of that median (of up to five: their range)."
               : "";
}

const char* name_of(BudgetAxis axis) { return axis == BudgetAxis::trials ? "trials" : "time"; }

Section large_curves(Report& report, const CampaignData& data, const MachineFacts& facts) {
  std::string html;
  for (const TaskData& task : data.tasks) {
    const std::string name = facts.name_of(task.spec);
    if (data.tasks.size() > 1) html += fmt::format("<h3>{}</h3>\n", escape_markup(name));
    for (const BudgetAxis axis : {BudgetAxis::trials, BudgetAxis::seconds}) {
      const std::string over = name_of(axis);
      Figure figure{fmt::format("best-{}-{}", over, slug(name)),
                    fmt::format("{}: best so far over {}", name, over),
                    best_so_far_chart(task, data, axis, true)};
      if (axis == BudgetAxis::trials) {
        figure.caption =
            "Times as first measured; dots are valid trials, those much slower than the default "
            "trace left out." +
            curve_text(data);
      }
      html += keep(report, std::move(figure));
    }
  }
  return {"curves", "Best so far", std::move(html)};
}

std::string grid_text(const CampaignData& data, size_t num_drawn) {
  const size_t without = data.tasks.size() - num_drawn;
  std::string text = "Dashed: the default trace.";
  if (without > 0) {
    text += fmt::format(" {} with a single valid trial {} left out.",
                        without == 1 ? "One task" : fmt::format("{} tasks", without),
                        without == 1 ? "is" : "are");
  }
  return text + curve_text(data);
}

Section small_curves(Report& report, const CampaignData& data, const MachineFacts& facts) {
  std::string html;
  for (const BudgetAxis axis : {BudgetAxis::trials, BudgetAxis::seconds}) {
    const std::string over = name_of(axis);
    Figure figure{fmt::format("share-of-best-{}", over),
                  fmt::format("Speed reached over {}, all tasks", over),
                  share_of_best_chart(data, axis)};
    std::get<LineChart>(figure.chart).height = 230;
    figure.caption =
        "How much of the speed that was found in the end. Line: geometric mean; band: the middle "
        "half of the tasks.";
    html += keep(report, std::move(figure));
  }
  std::vector<Figure> figures;
  for (const TaskData& task : data.tasks) {
    const bool searched =
        std::ranges::any_of(task.runs, [](const TaskRun& run) { return run.valid.size() > 1; });
    if (!searched) continue;
    const std::string name = facts.name_of(task.spec);
    LineChart chart = best_so_far_chart(task, data, BudgetAxis::trials, false);
    chart.title = name;
    chart.width = 320;
    chart.height = 190;
    figures.push_back({fmt::format("best-trials-{}", slug(name)),
                       fmt::format("{}: best so far over trials", name), std::move(chart)});
  }
  if (!figures.empty())
    html += "<h3>By task</h3>\n" + keep_grid(report, figures, "Best so far over trials, by task",
                                             grid_text(data, figures.size()));
  return {"curves", "Best so far", std::move(html)};
}

Section bars(Report& report, const CampaignData& data, const MachineFacts& facts) {
  std::string html;
  std::set<std::string> kinds;
  for (const TaskData& task : data.tasks) kinds.insert(task.spec.substr(0, task.spec.find(':')));
  const std::vector<double> ratios = speedups_of(data);
  if (ratios.empty()) {
    html += paragraph("No task has both a default trace and a valid candidate to compare.");
  } else {
    if (kinds.size() > 1 && kinds.size() < data.tasks.size())
      html += keep(report, speedups_by_kind(data));
    html += keep(report, speedups(data, facts));
  }
  html += keep(report, gflops(data, facts));
  html +=
      has_percentages(data, facts)
          ? keep(report, percentages(data, facts))
          : paragraph(
                "Percent of peak and of roof: the log does not hold what the machine can do. On a "
                "CPU it does once a campaign ends; for one of an older version give --results FILE "
                "with what tune --json or bench --json printed.");
  return {"operators", "Operators", std::move(html)};
}

Section time_section(Report& report, const CampaignData& data, const MachineFacts& facts) {
  const CampaignInfo totals = totals_of(data);
  const MeasureTimes& sum = totals.times;
  const double all = std::max(total(sum), 1e-9);
  std::string html = paragraph(fmt::format(
      "{} from start to finish; the parts add up to {}, because builders and the runner work at "
      "the same time. Build {:.0f} %, run {:.0f} %, check {:.0f} %, search {:.1f} %, model {:.1f} "
      "%: the tuner's own time (search and model) is {:.1f} % of all.",
      duration_text(totals.wall_seconds), duration_text(total(sum)), 100 * sum.build_seconds / all,
      100 * sum.run_seconds / all, 100 * sum.check_seconds / all, 100 * sum.search_seconds / all,
      100 * sum.model_seconds / all, 100 * (sum.search_seconds + sum.model_seconds) / all));
  html += keep(report, time_by_campaign(data));
  if (data.tasks.size() > 1) html += keep(report, time_by_task(data, facts));
  return {"time", "Where time went", std::move(html)};
}

Section failure_section(Report& report, const CampaignData& data, const MachineFacts& facts) {
  return {"failures", "What failed, and why",
          paragraph(counts_text(data)) + keep(report, failure_table(data)) +
              keep(report, failed_by_task(data, facts))};
}

Section model_section(Report& report, const CampaignData& data, const MachineFacts& facts) {
  return {"model", "Cost model",
          keep(report, model_curves(data)) + keep(report, model_table(data, facts))};
}

bool measured_defaults_again(const CampaignData& data) {
  return std::ranges::any_of(data.runs(), [](const auto& run) {
    return !run.second->sentinels.empty() || !run.second->default_confirmations.empty();
  });
}

bool has_winner(const CampaignData& data) {
  return std::ranges::any_of(data.tasks,
                             [](const TaskData& task) { return task.best() != nullptr; });
}

Section layouts(Report& report, const CampaignData& data, const MachineFacts& facts) {
  std::string html;
  if (data.tasks.size() > 1) {
    html += paragraph(
        "Each task has one best trace. Its layouts by the names that oneDNN has: a letter a "
        "dimension, from the outermost to the innermost, upper case where it is split; nChw16c has "
        "blocks of 16 channels innermost. Where a block is not innermost, n C/16 h 16c w.");
    html += keep(report, layout_table(data, facts)) + keep(report, loop_table(data));
  }
  return {"layouts", "Layouts that won", html + winners_html(data, facts)};
}

Section skipped(const CampaignData& data) {
  std::string lines;
  for (const std::string& warning : data.warnings) lines += warning + "\n";
  return {"skipped", "Lines that were skipped", code_block(lines)};
}

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

// How far the default traces' times moved while the campaign ran: the larger it is, the less the
// times beside it can be compared.
std::optional<Card> drift_card(const CampaignData& data, const MachineFacts& facts) {
  constexpr double kMuch = 0.05;  // as tune warns
  std::vector<double> changes;
  const TaskData* most = nullptr;
  for (const TaskData& task : data.tasks) {
    const std::optional<double> drift = drift_of(task);
    if (!drift) continue;
    if (most == nullptr || std::abs(*drift) > std::abs(*drift_of(*most))) most = &task;
    changes.push_back(std::abs(*drift));
  }
  if (changes.empty()) return std::nullopt;
  const double usual = median(changes);
  Card card{.value = percent_text(usual),
            .name = "drift of the default's time",
            .is_warning = usual > kMuch};
  if (changes.size() > 1)
    card.name += fmt::format(", median of {} tasks (most {} in {})", changes.size(),
                             percent_text(std::abs(*drift_of(*most))), facts.name_of(most->spec));
  return card;
}

// A card for each network.
std::vector<Card> network_cards(const CampaignData& data) {
  std::vector<Card> cards;
  for (const TunedNetwork& network : tuned_networks(data)) {
    if (!network.seconds) continue;
    std::string meaning = network.name.empty()
                              ? fmt::format("the network's {} regions", network.nodes)
                              : counted(network.nodes, "region") + " of " + network.name;
    if (network.default_seconds)
      meaning += fmt::format("; by default {}, {:.2f}×", seconds_text(*network.default_seconds),
                             *network.default_seconds / *network.seconds);
    cards.push_back({seconds_text(*network.seconds), meaning});
  }
  return cards;
}

std::vector<Card> cards_of(const CampaignData& data, const MachineFacts& facts) {
  const CampaignInfo totals = totals_of(data);
  const bool one = data.tasks.size() == 1;
  std::vector<Card> cards = network_cards(data);
  const std::vector<double> ratios = speedups_of(data);
  if (one && data.tasks[0].best() != nullptr)
    cards.push_back({seconds_text(data.tasks[0].best()->seconds), "best"});
  if (!ratios.empty()) {
    cards.push_back({fmt::format("{:.2f}×", geometric_mean(ratios)),
                     ratios.size() == 1 ? "default / best"
                                        : fmt::format("default / best, geometric mean of {} tasks",
                                                      ratios.size())});
  }
  if (const auto drift = drift_card(data, facts)) cards.push_back(*drift);
  std::string meaning = totals.trials == 1 ? "trial" : "trials";
  meaning += one ? " of a task" : fmt::format(" of {} tasks", data.tasks.size());
  cards.push_back({fmt::format("{}", totals.trials), meaning});
  if (totals.trials > 0) {
    const double share =
        100 * static_cast<double>(totals.valid) / static_cast<double>(totals.trials);
    cards.push_back({fmt::format("{:.{}f} %", share, share == 100 ? 0 : 1), "valid"});
  }
  if (totals.wall_seconds > 0)
    cards.push_back({duration_text(totals.wall_seconds), "from start to finish"});
  return cards;
}

Page heading(const CampaignData& data, const MachineFacts& facts, const PageState& state) {
  const LogHeader& header = data.campaigns.front().header;
  Page page;
  page.title = data.campaigns.size() == 1 ? fmt::format("Campaign {}", data.campaigns.front().name)
                                          : counted(data.campaigns.size(), "campaign");
  page.subtitle =
      fmt::format("{} on {}, begun {}", header.target, header.device.name, header.started);
  if (!state.written.empty()) page.subtitle += fmt::format("; page written {}", state.written);
  if (state.reload_seconds > 0) page.subtitle += "; the campaign is running";
  page.reload_every_seconds = state.reload_seconds;
  page.cards = cards_of(data, facts);
  page.footer = fmt::format(
      "Made by dovetail report from {}. Times of kernels are medians of samples; "
      "docs/benchmarks.md says what a sample is.",
      header.tool);
  return page;
}

}  // namespace

Report campaign_report(const CampaignData& data, const MachineFacts& facts,
                       const PageState& state) {
  Report report;
  report.page = heading(data, facts, state);
  std::vector<Section>& sections = report.page.sections;
  if (data.tasks.empty()) {
    sections.push_back(what_was_run(report, data));
    sections.push_back({"tasks", "Tasks", paragraph("Nothing has been measured yet.")});
  } else {
    sections.push_back(how_to_use(data));
    if (has_networks(data)) sections.push_back(network_section(report, data, facts));
    sections.push_back(results(report, data, facts));
    sections.push_back(data.tasks.size() <= kFewTasks ? large_curves(report, data, facts)
                                                      : small_curves(report, data, facts));
    sections.push_back(bars(report, data, facts));
    if (auto kernels = kernels_section(report, data, facts)) sections.push_back(*kernels);
    if (has_winner(data)) sections.push_back(layouts(report, data, facts));
    if (has_rounds(data)) sections.push_back(model_section(report, data, facts));
    sections.push_back(time_section(report, data, facts));
    if (!data.failures.empty()) sections.push_back(failure_section(report, data, facts));
    if (measured_defaults_again(data))
      sections.push_back({"drift", "Drift", keep(report, drift(data, facts))});
    sections.push_back(what_was_run(report, data));
  }
  if (!data.warnings.empty()) sections.push_back(skipped(data));
  return report;
}

}  // namespace dovetail
