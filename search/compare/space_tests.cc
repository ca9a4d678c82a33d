// SPDX-License-Identifier: Apache-2.0
#include "search/compare/space_tests.h"

#include <algorithm>

#include "core/base/statistics.h"
#include "search/compare/statistics/rank_tests.h"

namespace dovetail {
namespace {

// Null for an unknown name, which a comparison that was read from a file may have.
const ComparedStrategy* strategy_of(const Comparison& comparison, const std::string& name) {
  const auto at = std::ranges::find(comparison.strategies, name, &ComparedStrategy::name);
  return at == comparison.strategies.end() ? nullptr : &*at;
}

std::vector<double> differences_of(const ComparedStrategy* a, const ComparedStrategy* b) {
  std::vector<double> differences;
  if (a == nullptr || b == nullptr) return differences;
  for (size_t s = 0; s < std::min(a->spaces.size(), b->spaces.size()); ++s) {
    const std::vector<double>&of_a = a->spaces[s].run_scores, &of_b = b->spaces[s].run_scores;
    if (!of_a.empty() && !of_b.empty()) differences.push_back(median(of_a) - median(of_b));
  }
  return differences;
}

std::vector<double> differences_of_runs(const ComparedStrategy* a, const ComparedStrategy* b) {
  std::vector<double> differences;
  if (a == nullptr || b == nullptr) return differences;
  for (size_t s = 0; s < std::min(a->spaces.size(), b->spaces.size()); ++s) {
    const std::vector<double>&of_a = a->spaces[s].run_scores, &of_b = b->spaces[s].run_scores;
    for (size_t k = 0; k < std::min(of_a.size(), of_b.size()); ++k)
      differences.push_back(of_a[k] - of_b[k]);
  }
  return differences;
}

double rank_biserial(const WilcoxonTest& test) {
  const double all = test.positive_ranks + test.negative_ranks;
  return all == 0 ? 0 : (test.positive_ranks - test.negative_ranks) / all;
}

}  // namespace

std::vector<SpaceTest> test_over_spaces(const Comparison& comparison) {
  std::vector<SpaceTest> tests;
  std::vector<double> p;
  for (const PairTest& pair : comparison.pairs) {
    const ComparedStrategy* const a = strategy_of(comparison, pair.a);
    const ComparedStrategy* const b = strategy_of(comparison, pair.b);
    const std::vector<double> differences = differences_of(a, b);
    SpaceTest test{.runs = pair};
    test.run_effect = rank_biserial(wilcoxon_signed_rank(differences_of_runs(a, b)));
    if (!differences.empty()) test.median_difference = median(differences);
    test.p = wilcoxon_signed_rank(differences).p;
    p.push_back(test.p);
    tests.push_back(test);
  }
  const std::vector<double> corrected = holm(p);
  for (size_t i = 0; i < tests.size(); ++i) tests[i].p_holm = corrected[i];
  return tests;
}

bool has_difference(const Comparison& comparison) {
  constexpr double kSignificant = 0.05;
  return comparison.pairs.empty() ||
         std::ranges::any_of(test_over_spaces(comparison), [](const SpaceTest& test) {
           return test.p_holm < kSignificant || test.runs.p_holm < kSignificant;
         });
}

}  // namespace dovetail
