// SPDX-License-Identifier: Apache-2.0
// The page of a comparison, one function per section.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "report/pages/comparison_figures.h"
#include "report/pages/report.h"
#include "report/tables/compare_tables.h"
#include "search/compare/space_tests.h"

namespace dovetail {
namespace {

bool is_simulated(const Comparison& comparison) { return comparison.kind == "simulated"; }

std::string score_text(const Comparison& comparison) {
  if (comparison.score_is == "share_of_best") {
    return fmt::format(
        "Score: the best time of all runs over the best so far, mean over the trials. Times: what "
        "runs held for their best, measured again at the end, {} times in turn, the fastest of "
        "each. Intervals: {:.0f} "
        "%, bootstrap with {} draws of the runs of each space.",
        comparison.again, 100 * comparison.confidence, comparison.resamples);
  }
  const char* first =
      comparison.default_first
          ? " Every run begins with the default trace, which calculated random search does not "
            "have: a strategy that draws at random after it stands above 0 by what that one trace "
            "is worth."
          : "";
  const std::string part = scored_part(comparison);
  return fmt::format(
      "Score: how far on the way from calculated random search (0) to the optimum (1), mean over "
      "{} points of the budget, then over the spaces; below 0 is slower than random search.{}{} "
      "Intervals: {:.0f} %, bootstrap with {} draws of the runs of each space.",
      comparison.resolution,
      part.empty() ? "" : fmt::format(" The mean has less than the budget: {}.", part), first,
      100 * comparison.confidence, comparison.resamples);
}

std::string ended_text(const Comparison& comparison) {
  const std::string ended = early_ends(comparison);
  return ended.empty() ? "" : fmt::format(" There are {}.", ended);
}

// Says beside the scores what they cannot show.
std::string limits_text(const Comparison& comparison) {
  if (is_simulated(comparison)) {
    return "Limits: a space here is a reduced one, points around the default trace, and its "
           "optimum is the best of readings on one device, most of them single. What a "
           "score says of the whole space, or of another device, is not measured.";
  }
  return "Limits: the best time of all runs is no optimum, so a score of 1 says only that no run "
         "of this comparison found better; all times are of one device.";
}

Section scores_section(Report& report, const Comparison& comparison) {
  return {"scores", "Scores",
          paragraph(score_text(comparison) + ended_text(comparison)) +
              paragraph(limits_text(comparison)) + keep(report, scores(comparison)) +
              keep(report, score_table(comparison)) +
              paragraph(
                  "“≥”: half of the runs or more ended before on some space, whose budget "
                  "stands for what it would have taken. Seconds to 95 % are those of build, check "
                  "and run; the strategy's own time is not among them. Wins, ties (within 1 %) and "
                  "losses: "
                  "medians of the runs' best times, against each other strategy on each "
                  "space.")};
}

Section budget_section(Report& report, const Comparison& comparison) {
  return {"budget", "Score over the budget", keep(report, score_over_budget(comparison))};
}

Section ranks_section(Report& report, const Comparison& comparison) {
  const FriedmanTest& test = comparison.ranks;
  std::string html;
  if (test.average_ranks.size() == comparison.strategies.size() && test.average_ranks.size() >= 2) {
    html += paragraph(fmt::format(
        "Friedman's test over {} spaces: statistic {:.2f}, p = {:.3g}. Strategies joined by a bar "
        "cannot be told apart by their ranks (Nemenyi, 5 %).",
        comparison.spaces.size(), test.statistic, test.p));
    html += keep(report, ranks(comparison));
  } else {
    html += paragraph("Ranks ask for two strategies and two spaces at least.");
  }
  if (!comparison.pairs.empty()) {
    html += "<h3>In pairs</h3>\n";
    const double least_p = std::min(1.0, std::pow(2, 1 - double(comparison.spaces.size())));
    html += paragraph(fmt::format(
        "Wilcoxon's signed-rank test, asked twice. “p over spaces”: would they differ on other "
        "spaces like these? Each space counts once ({0} here), by the difference of the "
        "medians of its runs' scores; p cannot be below {1:.2g}, nor after Holm's correction "
        "for all pairs ({2} here) below {3:.2g}. “p over runs”: do they differ on just these "
        "spaces? "
        "Runs are paired by space and seed (n: pairs that differ, Holm's correction): runs on "
        "one space are replicates, so a small p says nothing of other spaces. “r over runs” is "
        "which way it points, from -1 to 1 (matched-pairs rank-biserial correlation): above 0 to "
        "the strategy, below 0 to the one against it. The difference of medians, in which each "
        "space counts once, may point the other way. “Spaces with p < "
        "0.05”: how many differ by themselves, over the seeds of each (Holm's correction over "
        "spaces). Wins, ties (within 1 %) and losses are the first's.",
        comparison.spaces.size(), least_p, comparison.pairs.size(),
        std::min(1.0, least_p * static_cast<double>(comparison.pairs.size()))));
    html += keep(report, pair_table(comparison));
  }
  return {"ranks", "Who can be told apart", std::move(html)};
}

Section curves_section(Report& report, const Comparison& comparison) {
  const Drawing legend = draw_legend(strategy_legend(comparison), 8, 0, 944);
  std::string html = fmt::format(
      "<div class=\"scroll legend\">{}</div>\n",
      inline_svg({.width = 960, .height = legend.height, .body = legend.body}, "strategies"));
  for (const BudgetAxis axis : {BudgetAxis::trials, BudgetAxis::seconds}) {
    const bool trials = axis == BudgetAxis::trials;
    const std::string over = trials                     ? "trials"
                             : is_simulated(comparison) ? "seconds of the simulated clock"
                                                        : "seconds";
    html += fmt::format("<h3>Over {}</h3>\n", over);
    std::vector<Figure> figures;
    for (size_t i = 0; i < comparison.spaces.size(); ++i)
      figures.push_back(best_on_space(comparison, i, axis));
    html += keep_grid(report, figures, fmt::format("Best so far over {}", over),
                      fmt::format("Median over the runs; with up to four strategies its {:.0f} % "
                                  "interval as a band.",
                                  100 * comparison.confidence));
  }
  return {"curves", "Best so far", std::move(html)};
}

Section quality_section(Report& report, const Comparison& comparison) {
  return {
      "quality", "Trials to quality",
      paragraph("Until a run is within a share of the optimum: medians over the runs, geometric "
                "means over the spaces. “≥”: half of the runs or more ended before on some "
                "space, whose budget stands for their median.") +
          keep(report, quality_table(comparison)) + keep(report, reached(comparison))};
}

std::string runs_text(const std::vector<uint64_t>& seeds) {
  if (seeds.empty()) return "none";
  return fmt::format("{} a strategy and space, {}", counted(std::ssize(seeds), "run"),
                     seeds_text(seeds));
}

Section what_was_compared(Report& report, const Comparison& comparison) {
  const bool simulated = is_simulated(comparison);
  std::string html = facts_list(
      {{"kind", simulated ? "simulated: answered from spaces that were measured completely"
                          : comparison.kind},
       {"target", comparison.target},
       {"tool", comparison.tool},
       {"runs", runs_text(comparison.seeds)},
       {"budget", comparison.budget_share
                      ? fmt::format("{:.3g} % of a space's points", 100 * *comparison.budget_share)
                      : ""},
       {"trial 1",
        comparison.default_first ? "the default trace, for all strategies" : "the strategy's own"},
       {"score's curve",
        simulated ? fmt::format("cut-offs {} to {}", comparison.cutoff_start, comparison.cutoff_end)
                  : ""},
       {"cost models began with", comparison.warm_start}});
  html += keep(report, space_table(comparison));
  html += "<h3>Score on each space</h3>\n" + keep(report, space_score_table(comparison));
  return {"compared", "What was compared", std::move(html)};
}

Page heading(const Comparison& comparison) {
  Page page;
  page.title = fmt::format("Comparison of {} strategies", comparison.strategies.size());
  page.subtitle = fmt::format("{}, {}", comparison.kind, comparison.target);
  page.cards = {{fmt::format("{}", comparison.strategies.size()), "strategies"},
                {fmt::format("{}", comparison.spaces.size()),
                 comparison.spaces.size() == 1 ? "space" : "spaces"},
                {fmt::format("{}", comparison.seeds.size()),
                 comparison.seeds.size() == 1 ? "run each" : "runs each"}};
  const auto best = std::ranges::max_element(
      comparison.strategies, {},
      [](const ComparedStrategy& strategy) { return strategy.score.value_or(-1e300); });
  if (!has_difference(comparison))
    page.cards.push_back(
        {"none", "stands out: no pair of strategies differs (p of at least 0.05)"});
  else if (best != comparison.strategies.end() && best->score)
    page.cards.push_back({fmt::format("{:.3f}", *best->score), "highest score: " + best->name});
  page.footer = fmt::format("Made by dovetail report from {}.", comparison.tool);
  return page;
}

}  // namespace

Report comparison_report(const Comparison& whole) {
  const Comparison comparison = with_short_names(whole);
  Report report;
  report.page = heading(comparison);
  std::vector<Section>& sections = report.page.sections;
  sections.push_back(scores_section(report, comparison));
  sections.push_back(budget_section(report, comparison));
  sections.push_back(ranks_section(report, comparison));
  sections.push_back(curves_section(report, comparison));
  sections.push_back(quality_section(report, comparison));
  sections.push_back(what_was_compared(report, comparison));
  return report;
}

}  // namespace dovetail
