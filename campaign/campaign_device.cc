// SPDX-License-Identifier: Apache-2.0
#include "campaign/campaign_device.h"

#include <algorithm>

namespace dovetail {

CampaignClock::CampaignClock(const std::vector<Record>& earlier) {
  for (const Record& record : earlier) before_ = std::max(before_, record.elapsed_seconds);
}

Result<CampaignDevice> CampaignDevice::start(const CampaignPlan& plan) {
  CampaignDevice device;
  device.cold_ = plan.options.cold;
  if (!plan.results) device.local_ = TRY(make_runner(plan.target, {.cold = plan.options.cold}));
  return device;
}

void CampaignDevice::continue_after(const CampaignPlan& plan, const std::vector<Record>& earlier) {
  clock_.emplace(earlier);
  if (plan.results) simulated_.emplace(*plan.results, clock_->before());
}

std::vector<std::string> CampaignDevice::take_warnings() {
  return local_ ? local_->take_warnings() : std::vector<std::string>();
}

Machine CampaignDevice::measure_limits(const Target& target,
                                       const std::vector<Region>& regions) const {
  return local_ ? measure_machine(target, local_->peak_gflops(), regions, cold_) : Machine();
}

}  // namespace dovetail
