// SPDX-License-Identifier: Apache-2.0
#pragma once

// The figures and tables of a comparison: functions from Comparison to charts.
//
//   scores(comparison)                  a value and its interval a strategy
//   score_over_budget(comparison)       curves with bands, mean over spaces
//   best_on_space(comparison, 3, ...)   best time so far on the fourth space, a curve a strategy
//   ranks(comparison)                   critical-difference diagram
//   reached(comparison)                 ECDF: pairs of space and target that are reached by then
//
// A strategy has the same colour and dashes in all of them.

#include "report/charts/drawing.h"
#include "report/pages/figure.h"
#include "report/tables/data_table.h"
#include "search/compare/comparison.h"
#include "search/compare/strategy_curve.h"

namespace dovetail {

Figure scores(const Comparison& comparison);
Figure score_over_budget(const Comparison& comparison);
Figure best_on_space(const Comparison& comparison, size_t space, BudgetAxis axis);
Figure ranks(const Comparison& comparison);

// N. Hansen et al., "COCO: a platform for comparing continuous optimizers in a black-box setting",
// Optimization Methods and Software 36, 2021: the share of all pairs of a space and a target that
// is reached after a number of trials. Targets are times from twice the optimum down to it; the
// median run stands for its space.
Figure reached(const Comparison& comparison);

DataTable score_table(const Comparison& comparison);
DataTable quality_table(const Comparison& comparison);  // trials and seconds to 90, 95, 99 %
DataTable pair_table(const Comparison& comparison);
DataTable space_table(const Comparison& comparison);
// One row per strategy, one column per space: the score on it.
DataTable space_score_table(const Comparison& comparison);

std::vector<LegendEntry> strategy_legend(const Comparison& comparison);

}  // namespace dovetail
