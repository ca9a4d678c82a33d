// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two reports that there are.
//
//   campaign_report(data, facts, {})                       a page as it is now
//   campaign_report(data, facts, {.reload_seconds = 5})    one that loads itself anew
//   comparison_report(TRY(parse_comparison(text)))

#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/pages/page.h"
#include "search/compare/comparison.h"

namespace dovetail {

struct PageState {
  int reload_seconds = 0;    // 0: the page stays as it is
  std::string written = {};  // UTC time of writing; empty: not shown
};

// One or several campaigns: settings, results, time spent, failures and their causes, drift of the
// machine, winning layouts. A part without data says in one line why it is empty, or is left out
// where nothing could be there.
Report campaign_report(const CampaignData& data, const MachineFacts& facts, const PageState& state);

// A comparison of strategies: scores and their intervals, curves over the budget, tests of which
// differ, trials to quality, win, tie and loss.
Report comparison_report(const Comparison& comparison);

}  // namespace dovetail
