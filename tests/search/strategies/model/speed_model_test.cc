// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/model/speed_model.h"

#include <gtest/gtest.h>

#include "search/strategies/points/points.h"
#include "tests/search/small_space.h"

namespace dovetail {
namespace {

using testing::conditional_space;
using testing::larger_space;

double squared_distance(const Place& a, const Place& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

TEST(PointPlaces, AreNearForNearSizesAndAsFarForAnyTwoNames) {
  const Space space = larger_space();  // tile.m, tile.n, parallel
  const PointPlaces places(space);
  const Place at = places.place_of({24, 84, 0});
  EXPECT_EQ(at.size(), places.groups().size());
  EXPECT_LT(squared_distance(at, places.place_of({30, 84, 0})),
            squared_distance(at, places.place_of({120, 84, 0})));
  const PointPlaces named(conditional_space());  // threads: off, on
  EXPECT_NEAR(squared_distance(named.place_of({1, 1, 0, 1}), named.place_of({1, 1, 1, 1})), 1,
              1e-12);
}

TEST(PointPlaces, HaveNoCoordinateForWhatIsTheSameEverywhere) {
  const PointPlaces places(larger_space());
  EXPECT_EQ(places.num_groups(), 3u);
}

// Twice as slow as estimated, and the second coordinate costs something that no estimate knows.
std::vector<SpeedSample> samples() {
  std::vector<SpeedSample> samples;
  for (int i = 0; i < 24; ++i) {
    const double estimate = -7 + 0.2 * (i % 6), hidden = (i % 4) / 3.0;
    samples.push_back({.place = {(i % 5) / 4.0, hidden},
                       .log_seconds = estimate + 0.7 + 0.5 * hidden,
                       .log_estimate = estimate});
  }
  return samples;
}

TEST(SpeedModel, ScalesTheEstimateAndLearnsWhatItMisses) {
  SpeedModel model({0, 1});
  model.learn(samples());
  const Forecast forecast(model, {{{0.5, 0.0}, -6.5}, {{0.5, 1.0}, -6.5}, {{0.5, 0.0}, -5.5}}, {});
  EXPECT_NEAR(forecast.belief(0).mean, -6.5 + 0.7, 0.05);
  EXPECT_NEAR(forecast.belief(1).mean, -6.5 + 0.7 + 0.5, 0.05);
  EXPECT_NEAR(forecast.belief(2).mean, -5.5 + 0.7, 0.05);
}

TEST(SpeedModel, TrustsTheEstimateWhenOnePointIsKnown) {
  SpeedModel model({0, 1});
  model.learn({{.place = {0, 0}, .log_seconds = -6, .log_estimate = -7}});
  const Forecast forecast(model, {{{1, 1}, -7}, {{1, 1}, -8}}, {});
  EXPECT_NEAR(forecast.belief(0).mean, -6, 1e-6);
  EXPECT_NEAR(forecast.belief(1).mean, -7, 1e-6);
}

TEST(Forecast, IsSurerOfWhatIsNearToWhatWasChosenOrIsAwaited) {
  SpeedModel model({0, 1});
  model.learn(samples());
  const std::vector<Forecast::Candidate> candidates{
      {{0.4, 0.4}, -6.5}, {{0.4, 0.42}, -6.5}, {{0.9, 2.5}, -6.5}};
  Forecast forecast(model, candidates, {});
  const double near = forecast.belief(1).deviation, far = forecast.belief(2).deviation,
               mean = forecast.belief(1).mean;
  forecast.choose(0);
  EXPECT_LT(forecast.belief(1).deviation, 0.9 * near);
  EXPECT_GT(forecast.belief(2).deviation, 0.9 * far);
  EXPECT_EQ(forecast.belief(1).mean, mean);
  const Forecast awaiting(model, candidates, {candidates[0].place});
  EXPECT_NEAR(awaiting.belief(1).deviation, forecast.belief(1).deviation, 1e-9);
}

}  // namespace
}  // namespace dovetail
