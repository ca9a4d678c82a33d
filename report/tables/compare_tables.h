// SPDX-License-Identifier: Apache-2.0
#pragma once

// A Comparison as text: a table for a terminal, CSV files with the data of all tables and figures,
// LaTeX tables for a paper.
//
//   for (const NamedText& file : comparison_files(comparison)) write_file(file.name, file.text);

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/compare/comparison.h"

namespace dovetail {

struct NamedText {
  std::string name;  // scores.csv
  std::string text;
};

// An interval over runs needs ends that are more than the least and the greatest draw: each of
// those must be rarer than what the interval leaves out. Else tables say that runs are too few.
bool has_intervals(const Comparison& comparison);

// Says whether a strategy's trials or seconds to a share of the optimum are a lower bound: on some
// space half of its runs or more ended before, so that the budget stands for their median.
bool is_lower_bound(const ComparedStrategy& of, double share,
                    std::optional<double> QualityReached::* value);

// Tables for a paper; their last row says what was run.
std::string scores_tex(const Comparison& comparison);
std::string spaces_tex(const Comparison& comparison);  // a score for each space
std::string pairs_tex(const Comparison& comparison);

// The facts of the runs for a table that stands alone in a paper, as LaTeX.
std::string runs_note(const Comparison& comparison);
// "it ends where random search is expected to have come 95 % of the way: after 99 of 200 trials on
// gmm": a score has less than the budget there. Empty where it has all of it.
std::string scored_part(const Comparison& comparison);
// "runs that proposed nothing more before their budget was spent, and keep their best: ga.py 3 of
// 6"; empty where there are none.
std::string early_ends(const Comparison& comparison);
std::string seeds_text(const std::vector<uint64_t>& seeds);  // "seeds 0 to 19"; at least one

// For tables and figures: strategies that are programs, without "exec:" and the folders of paths
// where that leaves names that differ.
Comparison with_short_names(Comparison comparison);

std::string comparison_table(const Comparison& comparison);
// scores, runs, quality, pairs and curves as CSV; scores, spaces and pairs as LaTeX.
std::vector<NamedText> comparison_files(const Comparison& comparison);

}  // namespace dovetail
