// SPDX-License-Identifier: Apache-2.0
#include "report/tables/compare_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "report/tables/table.h"

namespace dovetail {
namespace {

using Cells = std::vector<std::string>;

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}
std::string cell(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : ""; }
std::string cell(int64_t value) { return fmt::format("{}", value); }
std::string cell(uint64_t value) { return fmt::format("{}", value); }
std::string cell(const std::optional<double>& value) { return value ? cell(*value) : ""; }

std::string line(const Cells& cells) { return fmt::format("{}\n", fmt::join(cells, ",")); }

std::string scores_csv(const Comparison& all) {
  std::string text = line({"strategy", "space", "score", "low", "high", "trials_to_95",
                           "seconds_to_95", "is_lower_bound", "share_of_optimum"});
  for (const ComparedStrategy& of : all.strategies) {
    text += line({cell(of.name), "all", cell(of.score), cell(of.score_low), cell(of.score_high),
                  cell(of.trials_to_95), cell(of.seconds_to_95),
                  of.trials_to_95_is_lower_bound ? "1" : "0", cell(of.geomean_best)});
    for (const StrategyOnSpace& on : of.spaces) {
      text += line({cell(of.name), cell(on.space), cell(on.score), cell(on.score_low),
                    cell(on.score_high), "", "", "", ""});
    }
  }
  return text;
}

std::string runs_csv(const Comparison& all) {
  std::string text = line({"strategy", "space", "seed", "score", "best_seconds", "trials",
                           "rejected", "search_seconds", "model_seconds"});
  for (const ComparedStrategy& of : all.strategies) {
    for (const StrategyOnSpace& on : of.spaces) {
      for (size_t k = 0; k < on.run_scores.size(); ++k) {
        text += line({cell(of.name), cell(on.space), cell(all.seeds[k]), cell(on.run_scores[k]),
                      cell(on.best_seconds[k]), cell(on.trials[k]), cell(on.rejected[k]),
                      cell(on.search_seconds[k]), cell(on.model_seconds[k])});
      }
    }
  }
  return text;
}

std::string quality_csv(const Comparison& all) {
  std::string text =
      line({"strategy", "space", "share", "runs", "reached", "median_trials", "median_seconds"});
  for (const ComparedStrategy& of : all.strategies) {
    for (const StrategyOnSpace& on : of.spaces) {
      for (const QualityReached& level : on.quality) {
        text += line({cell(of.name), cell(on.space), cell(level.share), cell(level.runs),
                      cell(level.reached), cell(level.trials), cell(level.seconds)});
      }
    }
  }
  return text;
}

std::string pairs_csv(const Comparison& all) {
  std::string text =
      line({"a", "b", "n", "mean_difference", "p", "p_holm", "wins", "ties", "losses"});
  for (const PairTest& pair : all.pairs) {
    text +=
        line({cell(pair.a), cell(pair.b), cell(pair.n), cell(pair.mean_difference), cell(pair.p),
              cell(pair.p_holm), cell(pair.wins), cell(pair.ties), cell(pair.losses)});
  }
  return text;
}

void add_series(const std::string& strategy, const std::string& space, const std::string& what,
                const Series& series, std::string& text) {
  for (size_t k = 0; k < series.at.size(); ++k) {
    text += line({cell(strategy), cell(space), what, cell(series.at[k]), cell(series.middle[k]),
                  cell(series.low[k]), cell(series.high[k])});
  }
}

std::string curves_csv(const Comparison& all) {
  std::string text = line({"strategy", "space", "what", "at", "middle", "low", "high"});
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

std::string latex(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string("_%&#$").find(c) != std::string::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string latex_table(const std::string& columns, const std::vector<Cells>& rows) {
  std::string text = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n", columns);
  for (size_t k = 0; k < rows.size(); ++k) {
    text += fmt::format("{} \\\\\n", fmt::join(rows[k], " & "));
    if (k == 0) text += "\\midrule\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

// At least, where some runs were censored.
std::string bounded(double value, bool is_lower_bound) {
  return fmt::format("{}{:.0f}", is_lower_bound ? "$\\geq$" : "", value);
}

std::string scores_tex(const Comparison& all) {
  std::vector<Cells> rows{{"strategy", "score", "95\\,\\% interval", "trials to 95\\,\\%",
                           "share of best", "wins/ties/losses"}};
  for (const ComparedStrategy& of : all.strategies) {
    rows.push_back(
        {latex(of.name), fmt::format("{:.3f}", of.score.value_or(0)),
         fmt::format("[{:.3f}, {:.3f}]", of.score_low.value_or(0), of.score_high.value_or(0)),
         bounded(of.trials_to_95, of.trials_to_95_is_lower_bound),
         fmt::format("{:.3f}", of.geomean_best),
         fmt::format("{}/{}/{}", of.wins, of.ties, of.losses)});
  }
  return latex_table("lrrrrr", rows);
}

std::string spaces_tex(const Comparison& all) {
  std::vector<Cells> rows{{"strategy"}};
  for (const ComparedSpace& space : all.spaces) rows[0].push_back(latex(space.name));
  for (const ComparedStrategy& of : all.strategies) {
    Cells row{latex(of.name)};
    for (const StrategyOnSpace& on : of.spaces)
      row.push_back(fmt::format("{:.2f}", on.score.value_or(0)));
    rows.push_back(std::move(row));
  }
  return latex_table("l" + std::string(all.spaces.size(), 'r'), rows);
}

std::string pairs_tex(const Comparison& all) {
  std::vector<Cells> rows{{"strategies", "difference", "$n$", "$p$ (Holm)", "wins/ties/losses"}};
  for (const PairTest& pair : all.pairs) {
    rows.push_back({fmt::format("{} -- {}", latex(pair.a), latex(pair.b)),
                    fmt::format("{:+.3f}", pair.mean_difference), cell(pair.n),
                    fmt::format("{:.2g}", pair.p_holm),
                    fmt::format("{}/{}/{}", pair.wins, pair.ties, pair.losses)});
  }
  return latex_table("lrrrr", rows);
}

}  // namespace

std::string comparison_table(const Comparison& comparison) {
  Table table({{"strategy", Align::left},
               {"score"},
               {"low"},
               {"high"},
               {"trials to 90 %"},
               {"95 %"},
               {"99 %"},
               {"reached 95 %"},
               {"share of best"},
               {"wins/ties/losses"}});
  for (const ComparedStrategy& of : comparison.strategies) {
    Cells cells{of.name, fmt::format("{:.3f}", of.score.value_or(0)),
                fmt::format("{:.3f}", of.score_low.value_or(0)),
                fmt::format("{:.3f}", of.score_high.value_or(0))};
    for (const QualityReached& level : of.quality) {
      bool is_lower_bound = false;
      for (const StrategyOnSpace& on : of.spaces)
        for (const QualityReached& own : on.quality)
          is_lower_bound |= own.share == level.share && !own.trials;
      cells.push_back(
          fmt::format("{}{:.0f}", is_lower_bound ? ">=" : "", level.trials.value_or(0)));
    }
    const QualityReached& at_95 = of.quality.at(1);
    cells.push_back(fmt::format("{}/{}", at_95.reached, at_95.runs));
    cells.push_back(fmt::format("{:.3f}", of.geomean_best));
    cells.push_back(fmt::format("{}/{}/{}", of.wins, of.ties, of.losses));
    table.add_row(std::move(cells));
  }
  return print(table);
}

std::vector<NamedText> comparison_files(const Comparison& comparison) {
  return {{"scores.csv", scores_csv(comparison)},   {"runs.csv", runs_csv(comparison)},
          {"quality.csv", quality_csv(comparison)}, {"pairs.csv", pairs_csv(comparison)},
          {"curves.csv", curves_csv(comparison)},   {"scores.tex", scores_tex(comparison)},
          {"spaces.tex", spaces_tex(comparison)},   {"pairs.tex", pairs_tex(comparison)}};
}

}  // namespace dovetail
