// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/best_record.h"

#include <gtest/gtest.h>

#include <vector>

namespace dovetail {
namespace {

TEST(AreTied, WhenTheIntervalsOverlap) {
  const std::vector<double> fast{1.00, 1.01, 1.02}, close{1.01, 1.015, 1.03},
      slow{1.03, 1.035, 1.04};
  EXPECT_TRUE(are_tied(fast, close));
  EXPECT_FALSE(are_tied(fast, slow));
}

TEST(AreTied, NeverWhenTheMediansAreFarApart) {
  const std::vector<double> noisy{0.5, 1.0, 2.0}, slower{0.6, 1.1, 2.0};
  EXPECT_FALSE(are_tied(noisy, slower));
}

TEST(AreTied, NotWithoutSamples) { EXPECT_FALSE(are_tied({}, {})); }

}  // namespace
}  // namespace dovetail
