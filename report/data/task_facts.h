// SPDX-License-Identifier: Apache-2.0
#pragma once

// The best of a task, against the default trace and against the machine.
//
//   peak_gflops_of(data, facts, task)      by --results, else by the machine in the log's header
//
// All are none for a task without a valid candidate, or with a spec that this version cannot read.

#include <optional>
#include <string>
#include <vector>

#include "core/ir/machine.h"
#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/tables/data_table.h"

namespace dovetail {

// Adds the names that the headers have, each once. Where others have names, a written region
// without one is "region 1": its formula is no name.
void add_names(const CampaignData& data, MachineFacts& facts);

std::optional<double> speedup_of(const TaskData& task);
std::vector<double> speedups_of(const CampaignData& data);
std::optional<double> seconds_of_best(const TaskData& task);

std::optional<double> gflops_of(const TaskData& task, const std::optional<double>& seconds);
std::optional<double> gbytes_per_second_of(const TaskData& task);
std::optional<double> peak_gflops_of(const CampaignData& data, const MachineFacts& facts,
                                     const TaskData& task);
std::optional<double> percent_of_peak(const CampaignData& data, const MachineFacts& facts,
                                      const TaskData& task);
std::optional<double> percent_of_roof(const CampaignData& data, const MachineFacts& facts,
                                      const TaskData& task);
// Says whether one of these percentages is known.
bool has_percentages(const CampaignData& data, const MachineFacts& facts);

// The largest change of the default trace's time during the campaigns, by sentinels and
// confirmations against its first reading: 0.5 is half as slow again. None: it has one reading.
std::optional<double> drift_of(const TaskData& task);

// Removes columns that are empty in all rows.
void drop_empty(DataTable& table);

}  // namespace dovetail
