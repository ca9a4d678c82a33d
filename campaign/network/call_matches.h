// SPDX-License-Identifier: Apache-2.0
#pragma once

// call_matches: says of each call of a network how well the log fits it.
//
//   call_matches(network, traces, {"c2d:ci=3,…", "gmm:…"})
//     exact, family  the record of its trace
//     network        none, but it was measured where it stands, in the network that the log keeps
//     none           neither: nobody searched for its trace
//
// A log keeps networks of default traces, too: `run --variant global` on another model's log gives
// one. So a call counts as `network` only if trials of its region are in the log, or if no trial
// can be, since the network alone has the region: a conversion, or a chain fused there.

#include <set>
#include <string>
#include <vector>

#include "campaign/network/choose_network.h"
#include "campaign/network/task_traces.h"
#include "core/record/log/best_record.h"

namespace dovetail {

// One entry per step. `tunable`: the tasks that a campaign of the model has, as text.
std::vector<RecordMatch> call_matches(const NetworkOfLog& network, const TaskTraces& traces,
                                      const std::set<std::string>& tunable);

}  // namespace dovetail
