// SPDX-License-Identifier: Apache-2.0
#pragma once

// The figures and tables of a campaign: functions from CampaignData to charts.
//
//   speedups(data, facts)      best against default, a bar a task
//   time_by_task(data, facts)  build, run, check, search, model, stacked
//
// A task is labelled by its name if `facts` have one, else by its spec.

#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/pages/figure.h"
#include "report/tables/data_table.h"

namespace dovetail {

// The tasks, one row each: counts, times, percentages, the record.
DataTable task_table(const CampaignData& data, const MachineFacts& facts);
// "No trial yet: conv1, fc." Empty: all tasks have one.
std::string untried_text(const CampaignData& data, const MachineFacts& facts);
DataTable failure_table(const CampaignData& data);
DataTable campaign_table(const CampaignData& data);

Figure speedups(const CampaignData& data, const MachineFacts& facts);
// The same by kind of operator: geometric means.
Figure speedups_by_kind(const CampaignData& data);
Figure percentages(const CampaignData& data, const MachineFacts& facts);  // peak and roof
Figure gflops(const CampaignData& data, const MachineFacts& facts);
Figure time_by_task(const CampaignData& data, const MachineFacts& facts);
Figure time_by_campaign(const CampaignData& data);
Figure drift(const CampaignData& data, const MachineFacts& facts);
Figure failed_by_task(const CampaignData& data, const MachineFacts& facts);

}  // namespace dovetail
