// SPDX-License-Identifier: Apache-2.0
#pragma once

// CampaignDevice: the runner and the clock of a campaign: a device of this machine with the wall
// clock, or logs (--results-from) with a clock that adds up their times.
//
//   CampaignDevice device(plan, TRY(make_local_runner(target, {})), earlier_records);
//   device.runner().submit(input);
//   device.seconds()                 since the campaign began, earlier processes included
//                                  (campaign/tune/clocked_runner.h)

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/tune/campaign.h"
#include "campaign/tune/clocked_runner.h"
#include "core/record/recalling_runner.h"
#include "measure/runner/local_runner.h"

namespace dovetail {

class CampaignDevice {
 public:
  // Without `here`, a device of this machine, logs answer. `earlier`: the records of a resumed
  // campaign; `known`: those of other campaigns, which are not measured again.
  CampaignDevice(const CampaignPlan& plan, std::unique_ptr<LocalRunner> here,
                 const std::vector<Record>& earlier, const std::vector<Record>& known)
      : caches_(plan.caches), here_(std::move(here)) {
    for (const Record& record : earlier)
      before_seconds_ = std::max(before_seconds_, record.elapsed_seconds);
    if (!here_) simulated_.emplace(*plan.results, before_seconds_);
    if (!here_) return;
    clocked_.emplace(*here_, /*runs=*/earlier.empty());
    recalling_.emplace(*clocked_, known, caches_);
  }

  Runner& runner() { return recalling_ ? static_cast<Runner&>(*recalling_) : *simulated_; }
  // Trials that other campaigns of the log answered.
  int64_t recalled() const { return recalling_ ? recalling_->recalled() : 0; }
  bool is_simulated() const { return simulated_.has_value(); }
  // Summed over all processes that worked on the campaign.
  double seconds() const {
    return here_ ? before_seconds_ + clocked_->seconds() : simulated_->seconds();
  }
  double peak_gflops() const { return here_ ? here_->peak_gflops() : 0; }
  std::vector<std::string> take_warnings() {
    return here_ ? here_->take_warnings() : std::vector<std::string>();
  }
  // Empty if logs answer instead of a device.
  Machine measure_limits(const Target& target, const std::vector<Region>& regions) const {
    return here_ ? measure_machine(target, here_->peak_gflops(), regions, caches_) : Machine();
  }

 private:
  Caches caches_;
  std::unique_ptr<LocalRunner> here_;
  double before_seconds_ = 0;  // spent by earlier processes
  std::optional<LogRunner> simulated_;
  std::optional<ClockedRunner> clocked_;      // wraps here_
  std::optional<RecallingRunner> recalling_;  // wraps clocked_
};

}  // namespace dovetail
