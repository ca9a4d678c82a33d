// SPDX-License-Identifier: Apache-2.0
#pragma once

// ArmShares: the share of a round that each of several searches (arms of a bandit) gets:
//
//   share = least + (1 - arms · least) · (gain + prior) / (count + prior count), over their sum
//
//   ArmShares shares(4, {.least = 0.08, .fade = 0.8});
//   shares.settle(2, 0.05);          // a result of arm 2, 5 % faster than the best before
//   shares.fade();                   // once a round
//   shares.draw(rng, {true, true, false, true})   // an arm that has something left
//
// Gains and counts fade, so that an arm does not live on gains of long ago, and one without gains
// comes back. UCB's confidence bounds do not fit: gains are rare, large and ever smaller, not draws
// of one distribution, and every arm keeps a least share anyway.

#include <cstddef>
#include <random>
#include <vector>

#include "search/strategies/points/points.h"

namespace dovetail {

struct ArmOptions {
  double least = 0.08;  // minimum share of every arm
  double fade = 0.8;    // factor of gains and counts per round
};

class ArmShares {
 public:
  ArmShares(size_t arms, const ArmOptions& options) : options_(options), arms_(arms) {}

  void settle(size_t arm, double gain) {
    arms_[arm].gain += gain;
    arms_[arm].count += 1;
  }
  void fade() {
    for (Arm& arm : arms_) {
      arm.gain *= options_.fade;
      arm.count *= options_.fade;
    }
  }
  std::vector<double> shares() const {
    double sum = 0;
    for (const Arm& arm : arms_) sum += rate(arm);
    const double rest = 1 - options_.least * static_cast<double>(arms_.size());
    std::vector<double> shares;
    for (const Arm& arm : arms_) shares.push_back(options_.least + rest * rate(arm) / sum);
    return shares;
  }
  // Draws by share among the open arms; at least one must be open.
  size_t draw(std::mt19937_64& rng, const std::vector<bool>& open) const {
    std::vector<double> weights = shares();
    double sum = 0;
    size_t last = 0;
    for (size_t arm = 0; arm < weights.size(); ++arm) {
      if (!open[arm]) weights[arm] = 0;
      if (open[arm]) last = arm;
      sum += weights[arm];
    }
    double left = draw_fraction(rng) * sum;
    for (size_t arm = 0; arm < last; ++arm) {
      if (open[arm] && left < weights[arm]) return arm;
      left -= weights[arm];
    }
    return last;
  }

 private:
  struct Arm {
    double gain = 0, count = 0;
  };
  static double rate(const Arm& arm) {
    constexpr double kPriorGain = 0.01, kPriorCount = 8;
    return (arm.gain + kPriorGain) / (arm.count + kPriorCount);
  }

  ArmOptions options_;
  std::vector<Arm> arms_;
};

}  // namespace dovetail
