// SPDX-License-Identifier: Apache-2.0
#include "campaign/campaign_device.h"

#include <algorithm>

namespace dovetail {

Result<CampaignDevice> CampaignDevice::start(const CampaignPlan& plan) {
  CampaignDevice device;
  device.cold_ = plan.options.cold;
  MeasureOptions measure;
  measure.cold = device.cold_;
  if (!plan.results) device.local_ = TRY(make_local_runner(plan.target, measure));
  return device;
}

void CampaignDevice::continue_after(const CampaignPlan& plan, const std::vector<Record>& earlier) {
  watch_ = {};
  for (const Record& record : earlier) {
    before_seconds_ = std::max(before_seconds_, record.elapsed_seconds);
  }
  if (plan.results) simulated_.emplace(*plan.results, before_seconds_);
}

std::vector<std::string> CampaignDevice::take_warnings() {
  return local_ ? local_->take_warnings() : std::vector<std::string>();
}

Machine CampaignDevice::measure_limits(const Target& target,
                                       const std::vector<Region>& regions) const {
  return local_ ? measure_machine(target, local_->peak_gflops(), regions, cold_) : Machine();
}

}  // namespace dovetail
