// SPDX-License-Identifier: Apache-2.0
#pragma once

// A Comparison as text: a table for a terminal, CSV files with the data of all tables and figures,
// LaTeX tables for a paper.
//
//   for (const NamedText& file : comparison_files(comparison)) write_file(file.name, file.text);

#include <string>
#include <vector>

#include "search/compare/comparison.h"

namespace dovetail {

struct NamedText {
  std::string name;  // scores.csv
  std::string text;
};

std::string comparison_table(const Comparison& comparison);
// scores, runs, quality, pairs and curves as CSV; scores, spaces and pairs as LaTeX.
std::vector<NamedText> comparison_files(const Comparison& comparison);

}  // namespace dovetail
