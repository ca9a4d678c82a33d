// SPDX-License-Identifier: Apache-2.0
#pragma once

// The page of a comparison of strategies: scores and their intervals, curves over the budget, who
// can be told apart from whom, trials to quality, win, tie and loss.
//
//   comparison_report(TRY(parse_comparison(text)))

#include "report/pages/report.h"
#include "search/compare/comparison.h"

namespace dovetail {

Report comparison_report(const Comparison& comparison);

}  // namespace dovetail
