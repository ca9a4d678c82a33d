// SPDX-License-Identifier: Apache-2.0
#include "costmodel/cost_models.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TEST(CostModels, NoneScoresEveryProgramTheSame) {
  const auto model = make_cost_model("none");
  ASSERT_TRUE(model);
  const Program a, b;
  const std::vector<const Program*> programs{&a, &b};
  const CostSample samples[] = {{&a, 0.5}, {&b, std::nullopt}};
  (*model)->update(samples);
  const std::vector<double> scores = (*model)->predict(programs);
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[0], scores[1]);
}

TEST(CostModels, AnUnknownNameListsTheKnownOnes) {
  EXPECT_ERROR(make_cost_model("oracle"), "unknown cost model 'oracle'; expected one of: none");
}

}  // namespace
}  // namespace dovetail
