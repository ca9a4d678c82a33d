// SPDX-License-Identifier: Apache-2.0
#pragma once

// CampaignDevice: what a campaign measures with, and its clock: a device of this machine and the
// wall clock, or logs (--results-from) and a clock that adds up what they say.
//
//   CampaignDevice device = TRY(CampaignDevice::start(plan));
//   device.continue_after(plan, log.records);  // of a campaign that is resumed; none: from 0
//   device.runner(), device.seconds()

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "core/base/stopwatch.h"
#include "measure/local_runner.h"
#include "search/compare/simulate/recorded_results.h"

namespace dovetail {

class CampaignDevice {
 public:
  static Result<CampaignDevice> start(const CampaignPlan& plan);
  void continue_after(const CampaignPlan& plan, const std::vector<Record>& earlier);

  Runner& runner() { return local_ ? static_cast<Runner&>(*local_) : *simulated_; }
  // Over all the processes that worked on the campaign.
  double seconds() const {
    return simulated_ ? simulated_->seconds() : before_seconds_ + watch_.seconds();
  }
  double peak_gflops() const { return local_ ? local_->peak_gflops() : 0; }
  std::vector<std::string> take_warnings();
  // The limits are empty for a device that is not here.
  Machine measure_limits(const Target& target, const std::vector<Region>& regions) const;

 private:
  bool cold_ = false;
  std::unique_ptr<LocalRunner> local_;
  double before_seconds_ = 0;  // of the processes before this one
  Stopwatch watch_;
  std::optional<LogRunner> simulated_;
};

}  // namespace dovetail
