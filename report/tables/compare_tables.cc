// SPDX-License-Identifier: Apache-2.0
#include "report/tables/compare_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <map>

#include "core/base/text.h"
#include "report/tables/data_table.h"
#include "search/compare/space_tests.h"

namespace dovetail {
namespace {

using Cells = std::vector<std::string>;

// Numbers have six digits; a missing value is empty.
std::string cell(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : ""; }
std::string cell(const std::optional<double>& value) { return value ? cell(*value) : ""; }
std::string cell(std::integral auto value) { return fmt::format("{}", value); }
std::string cell(const std::string& text) { return text; }

template <typename... Values>
std::string line(const Values&... values) {
  return csv_line({cell(values)...});
}

std::string scores_csv(const Comparison& all) {
  std::string text = line("strategy", "space", "score", "low", "high", "trials_to_95",
                          "seconds_to_95", "is_lower_bound", "share_of_optimum");
  for (const ComparedStrategy& of : all.strategies) {
    text += line(of.name, "all", of.score, of.score_low, of.score_high, of.trials_to_95,
                 of.seconds_to_95, int{of.trials_to_95_is_lower_bound}, of.geomean_best);
    for (const StrategyOnSpace& on : of.spaces)
      text += line(of.name, on.space, on.score, on.score_low, on.score_high, "", "", "", "");
  }
  return text;
}

std::string runs_csv(const Comparison& all) {
  std::string text = line("strategy", "space", "seed", "score", "best_seconds", "trials",
                          "rejected", "search_seconds", "model_seconds");
  for (const ComparedStrategy& of : all.strategies) {
    for (const StrategyOnSpace& on : of.spaces) {
      for (size_t k = 0; k < on.run_scores.size(); ++k) {
        text += line(of.name, on.space, all.seeds[k], on.run_scores[k], on.best_seconds[k],
                     on.trials[k], on.rejected[k], on.search_seconds[k], on.model_seconds[k]);
      }
    }
  }
  return text;
}

std::string quality_csv(const Comparison& all) {
  std::string text =
      line("strategy", "space", "share", "runs", "reached", "median_trials", "median_seconds");
  for (const ComparedStrategy& of : all.strategies) {
    for (const StrategyOnSpace& on : of.spaces) {
      for (const QualityReached& level : on.quality) {
        text += line(of.name, on.space, level.share, level.runs, level.reached, level.trials,
                     level.seconds);
      }
    }
  }
  return text;
}

std::string pairs_csv(const Comparison& all) {
  std::string text = line("a", "b", "n", "mean_difference", "p", "p_holm", "wins", "ties", "losses",
                          "median_difference_over_spaces", "p_over_spaces", "p_over_spaces_holm",
                          "rank_biserial_over_runs");
  for (const SpaceTest& test : test_over_spaces(all)) {
    const PairTest& pair = test.runs;
    text +=
        line(pair.a, pair.b, pair.n, pair.mean_difference, pair.p, pair.p_holm, pair.wins,
             pair.ties, pair.losses, test.median_difference, test.p, test.p_holm, test.run_effect);
  }
  return text;
}

void add_series(const std::string& strategy, const std::string& space, const std::string& what,
                const Series& series, std::string& text) {
  for (size_t k = 0; k < series.at.size(); ++k) {
    text +=
        line(strategy, space, what, series.at[k], series.middle[k], series.low[k], series.high[k]);
  }
}

std::string curves_csv(const Comparison& all) {
  std::string text = line("strategy", "space", "what", "at", "middle", "low", "high");
  for (const ComparedStrategy& of : all.strategies) {
    add_series(of.name, "all", "score", of.score_curve, text);
    for (const StrategyOnSpace& on : of.spaces) {
      add_series(of.name, on.space, "score", on.score_curve, text);
      add_series(of.name, on.space, "best_over_trials", on.over_trials, text);
      add_series(of.name, on.space, "best_over_seconds", on.over_seconds, text);
    }
  }
  return text;
}

// With a ≥ if some runs were censored.
std::string bounded(double value, bool is_lower_bound) {
  return fmt::format("{}{:.0f}", is_lower_bound ? "$\\geq$" : "", value);
}

std::string score_note(const Comparison& all) {
  const bool is_live = all.score_is == "share_of_best";
  const std::string part = scored_part(all);
  return fmt::format(
      "Score: {}{}. Intervals: {:.0f}\\,\\%, bootstrap over runs, {} draws.",
      is_live ? "best time of all runs over the best so far, mean over trials; times are of "
                "the best traces, measured again in one sitting"
              : "0 is calculated random search, 1 the optimum at once",
      part.empty() ? "" : "; " + escape_latex(part), 100 * all.confidence, all.resamples);
}

// Without the folders of its paths: "exec:python3 /a/b/ga.py --seed 1" is "python3 ga.py --seed 1".
std::string short_name(const std::string& name) {
  constexpr std::string_view kProgram = "exec:";
  if (!name.starts_with(kProgram)) return name;
  std::vector<std::string> words;
  for (std::string_view word : split(std::string_view(name).substr(kProgram.size()), ' ')) {
    const size_t slash = word.rfind('/');
    const size_t equals = word.substr(0, slash).rfind('=');
    const size_t begin = equals == word.npos ? 0 : equals + 1;
    const bool is_path = slash != word.npos && slash + 1 < word.size();
    words.push_back(is_path
                        ? std::string(word.substr(0, begin)) + std::string(word.substr(slash + 1))
                        : std::string(word));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

std::string early_ends(const Comparison& all) {
  std::vector<std::string> strategies;
  for (const ComparedStrategy& of : all.strategies) {
    int64_t ended = 0, runs = 0;
    for (size_t s = 0; s < std::min(of.spaces.size(), all.spaces.size()); ++s)
      for (const int64_t trials : of.spaces[s].trials) {
        ++runs;
        ended += trials < all.spaces[s].trials ? 1 : 0;
      }
    if (ended > 0)
      strategies.push_back(fmt::format("{} {} of {}", short_name(of.name), ended, runs));
  }
  if (strategies.empty()) return "";
  return fmt::format(
      "runs that proposed nothing more before their budget was spent, and keep their best: {}",
      fmt::join(strategies, ", "));
}

std::string seeds_text(const std::vector<uint64_t>& seeds) {
  return seeds.size() == 1 ? fmt::format("seed {}", seeds.front())
                           : fmt::format("seeds {} to {}", seeds.front(), seeds.back());
}

std::string scored_part(const Comparison& all) {
  std::vector<std::string> cut;
  for (const ComparedSpace& space : all.spaces)
    if (space.scored_trials && *space.scored_trials < space.trials)
      cut.push_back(fmt::format("{} of {} on {}", *space.scored_trials,
                                counted(space.trials, "trial"), space.name));
  if (cut.empty()) return "";
  return fmt::format(
      "it ends where random search is expected to have come {:.0f} % of the way: after {}",
      100 * all.cutoff_end, fmt::join(cut, ", "));
}

std::string runs_note(const Comparison& all) {
  std::string spaces;
  for (const ComparedSpace& space : all.spaces)
    spaces += (spaces.empty() ? "" : ", ") + escape_latex(space.name);
  const std::string seeds = all.seeds.empty() ? "" : fmt::format(" ({})", seeds_text(all.seeds));
  std::string budget;
  if (all.budget_share)
    budget = fmt::format("{:.3g}\\,\\% of a space's points", 100 * *all.budget_share);
  else if (!all.spaces.empty())
    budget = counted(all.spaces.front().trials, "trial");
  const std::string ended = early_ends(all);
  return fmt::format(
      "{} of each strategy{} on {}{} ({}). Budget of a run: {}. "
      "Trial 1 is {}.{}",
      counted(std::ssize(all.seeds), "run"), seeds, all.spaces.size() == 1 ? "" : "each of ",
      counted(std::ssize(all.spaces), "space"), spaces, budget,
      all.default_first ? "the default trace" : "the strategy's own",
      ended.empty() ? "" : " There are " + escape_latex(ended) + ".");
}

Comparison with_short_names(Comparison all) {
  std::map<std::string, std::string> names;
  std::map<std::string, int> uses;
  for (const ComparedStrategy& of : all.strategies) ++uses[names[of.name] = short_name(of.name)];
  const auto shorten = [&](std::string& name) {
    const auto found = names.find(name);
    if (found != names.end() && uses[found->second] == 1) name = found->second;
  };
  for (ComparedStrategy& of : all.strategies) shorten(of.name);
  for (PairTest& pair : all.pairs) {
    shorten(pair.a);
    shorten(pair.b);
  }
  return all;
}

bool is_lower_bound(const ComparedStrategy& of, double share,
                    std::optional<double> QualityReached::* value) {
  return std::ranges::any_of(of.spaces, [&](const StrategyOnSpace& on) {
    return std::ranges::any_of(
        on.quality, [&](const QualityReached& own) { return own.share == share && !(own.*value); });
  });
}

// A draw of one run only has the probability runs^-runs on each space.
bool has_intervals(const Comparison& all) {
  const auto runs = static_cast<double>(all.seeds.size());
  const double rarest = std::pow(runs, -runs * static_cast<double>(all.spaces.size()));
  return rarest <= (1 - all.confidence) / 2;
}

std::string scores_tex(const Comparison& all) {
  std::vector<Cells> rows{{"strategy", "score", "95\\,\\% interval", "trials to 95\\,\\%",
                           "share of best", "wins/ties/losses"}};
  for (const ComparedStrategy& of : all.strategies) {
    rows.push_back({escape_latex(of.name), fmt::format("{:.3f}", of.score.value_or(0)),
                    has_intervals(all) ? fmt::format("[{:.3f}, {:.3f}]", of.score_low.value_or(0),
                                                     of.score_high.value_or(0))
                                       : "too few runs",
                    bounded(of.trials_to_95, of.trials_to_95_is_lower_bound),
                    fmt::format("{:.3f}", of.geomean_best),
                    fmt::format("{}/{}/{}", of.wins, of.ties, of.losses)});
  }
  return with_note(latex_tabular("lrrrrr", rows), rows[0].size(),
                   runs_note(all) + " " + score_note(all));
}

std::string spaces_tex(const Comparison& all) {
  std::vector<Cells> rows{{"strategy"}};
  for (const ComparedSpace& space : all.spaces) rows[0].push_back(escape_latex(space.name));
  for (const ComparedStrategy& of : all.strategies) {
    Cells row{escape_latex(of.name)};
    for (const StrategyOnSpace& on : of.spaces)
      row.push_back(fmt::format("{:.2f}", on.score.value_or(0)));
    rows.push_back(std::move(row));
  }
  return with_note(latex_tabular("l" + std::string(all.spaces.size(), 'r'), rows), rows[0].size(),
                   runs_note(all) + " " + score_note(all));
}

std::string pairs_tex(const Comparison& all) {
  std::vector<Cells> rows{{"strategies", "median difference", "$p$, Wilcoxon over spaces",
                           "the same, Holm", "$p$, Wilcoxon over runs, Holm", "$r$ over runs",
                           "wins/ties/losses"}};
  for (const SpaceTest& test : test_over_spaces(all)) {
    const PairTest& pair = test.runs;
    rows.push_back({fmt::format("{} -- {}", escape_latex(pair.a), escape_latex(pair.b)),
                    fmt::format("{:+.3f}", test.median_difference), fmt::format("{:.2g}", test.p),
                    fmt::format("{:.2g}", test.p_holm), fmt::format("{:.2g}", pair.p_holm),
                    fmt::format("{:+.2f}", test.run_effect),
                    fmt::format("{}/{}/{}", pair.wins, pair.ties, pair.losses)});
  }
  const std::string tests = fmt::format(
      "$p$: Wilcoxon's signed-rank test. Over spaces: each space counts once, by the difference of "
      "the medians of its runs' scores. Over runs: runs are paired by space and seed, which says "
      "nothing of other spaces; $r$, the matched-pairs rank-biserial correlation, is which way it "
      "points: above 0 to the first strategy. Holm: corrected for {}.",
      counted(all.pairs.size(), "pair"));
  return with_note(latex_tabular("lrrrrrr", rows), rows[0].size(), runs_note(all) + " " + tests);
}

std::string comparison_table(const Comparison& whole) {
  const Comparison comparison = with_short_names(whole);
  using Of = const ComparedStrategy&;
  const auto score = [](std::optional<double> ComparedStrategy::* value) {
    return [value](Of of) { return number_cell((of.*value).value_or(0), 3); };
  };
  const bool known = has_intervals(comparison);
  const auto end = [&](std::optional<double> ComparedStrategy::* value, std::string otherwise) {
    return [=](Of of) {
      return known ? number_cell((of.*value).value_or(0), 3) : NumberCell{text_cell(otherwise)};
    };
  };
  // Trials to a quality level: a lower bound if some space has no median, whose budget then counts.
  const auto trials_to = [](size_t level) {
    return [level](Of of) {
      const QualityReached& all = of.quality.at(level);
      const bool is_least = is_lower_bound(of, all.share, &QualityReached::trials);
      const double trials = all.trials.value_or(0);
      return number_cell(trials, fmt::format("{}{:.0f}", is_least ? ">=" : "", trials));
    };
  };
  const auto reached = [](Of of) {
    const QualityReached& at_95 = of.quality.at(1);
    return number_cell(static_cast<double>(at_95.reached),
                       fmt::format("{}/{}", at_95.reached, at_95.runs));
  };
  const auto wins = [](Of of) {
    return number_cell(static_cast<double>(of.wins),
                       fmt::format("{}/{}/{}", of.wins, of.ties, of.losses));
  };
  return print_rows<ComparedStrategy>(
      comparison.strategies,
      {{"strategy", &ComparedStrategy::name},
       {"score", score(&ComparedStrategy::score)},
       {"low", end(&ComparedStrategy::score_low, "too few runs")},
       {"high", end(&ComparedStrategy::score_high, "-")},
       {"trials to 90 %", trials_to(0)},
       {"95 %", trials_to(1)},
       {"99 %", trials_to(2)},
       {"reached 95 %", reached},
       {"share of best", [](Of of) { return number_cell(of.geomean_best, 3); }},
       {"wins/ties/losses", wins}});
}

std::vector<NamedText> comparison_files(const Comparison& comparison) {
  const Comparison named = with_short_names(comparison);
  return {{"scores.csv", scores_csv(comparison)},   {"runs.csv", runs_csv(comparison)},
          {"quality.csv", quality_csv(comparison)}, {"pairs.csv", pairs_csv(comparison)},
          {"curves.csv", curves_csv(comparison)},   {"scores.tex", scores_tex(named)},
          {"spaces.tex", spaces_tex(named)},        {"pairs.tex", pairs_tex(named)}};
}

}  // namespace dovetail
