// SPDX-License-Identifier: Apache-2.0
// The state that the agent of the strategy ppo sees; ppo_slow_test.cc tests the optima it finds.
#include "search/strategies/ppo/ppo.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/strategies/points/points.h"
#include "search/strategies/ppo/ppo_drafter.h"

namespace dovetail {
namespace {

TEST(Ppo, StatesHaveOneSizeForAllOperatorsAndTargets) {
  Target gpu;
  gpu.name.backend = "opencl";
  gpu.execution = ExecutionModel::work_groups;
  gpu.max_work_group_size = 256;
  gpu.local_memory_bytes = 48 << 10;
  for (const Target& target : {Target{}, gpu}) {
    for (const char* spec :
         {"c1d:ci=8,co=16,w=16,k=3", "c2d:ci=8,co=16,h=8,w=8,k=3,p=1", "dep:c=16,h=8,w=8,k=3",
          "t2d:ci=8,co=8,h=4,w=4,k=4,s=2,p=1", "gmm:m=8,n=16,k=8"}) {
      const Space space = *build_space(*parse_operator(spec), target);
      const StateEncoder encoder(space);
      const size_t last = space.parameters().size() - 1;
      const std::vector<double> places = encode(space, space.default_point());
      const std::vector<float> features = encoder.features(
          last, 4, 0.5, places, std::vector<bool>(places.size(), true), SearchProgress{});
      EXPECT_EQ(std::ssize(features), state_size()) << spec;
      for (const float feature : features) {
        EXPECT_TRUE(std::isfinite(feature)) << spec;
        EXPECT_LE(std::abs(feature), 4) << spec;
      }
    }
  }
}

}  // namespace
}  // namespace dovetail
