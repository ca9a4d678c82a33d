// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/model/gaussian_process.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/base/statistics.h"

namespace dovetail {
namespace {

using Place = GaussianProcess::Place;

// In the unit square; only the first coordinate matters.
struct Data {
  std::vector<Place> places;
  std::vector<double> values;
};

double wave(const Place& place) { return std::sin(4 * place[0]); }

Data data(size_t count) {
  std::mt19937_64 rng(1);
  Data data;
  for (size_t i = 0; i < count; ++i) {
    const auto draw = [&] { return static_cast<double>(rng() >> 11) * 0x1p-53; };
    data.places.push_back({draw(), draw()});
    data.values.push_back(wave(data.places.back()));
  }
  return data;
}

GaussianProcess learnt(const Data& data) {
  GaussianProcess process({0, 1});
  process.learn(data.places, data.values);
  return process;
}

TEST(GaussianProcess, ExpectsWhatItWasToldWhereItWasTold) {
  const Data known = data(40);
  const GaussianProcess process = learnt(known);
  for (size_t i = 0; i < known.places.size(); ++i) {
    const Belief belief = process.belief(process.seen_from(known.places[i]));
    EXPECT_NEAR(belief.mean, known.values[i], 0.05);
    EXPECT_LT(belief.deviation, 0.3 * process.scale());
  }
}

TEST(GaussianProcess, ExpectsBetweenPlacesWhatASmoothFunctionIsThere) {
  const GaussianProcess process = learnt(data(40));
  for (const double x : {0.2, 0.35, 0.5, 0.65, 0.8}) {
    EXPECT_NEAR(process.mean(process.seen_from({x, 0.5})), wave({x, 0.5}), 0.1) << x;
  }
}

TEST(GaussianProcess, IsAsUnsureAsCanBeFarFromEverything) {
  const Data known = data(20);
  const GaussianProcess process = learnt(known);
  const Belief far = process.belief(process.seen_from({1e6, 1e6}));
  EXPECT_NEAR(far.deviation, process.scale(), 1e-6);
  EXPECT_NEAR(far.mean, mean(known.values), 1e-6);
}

TEST(GaussianProcess, FindsOutWhichDirectionsMatter) {
  const GaussianProcess process = learnt(data(40));
  const auto origin = process.seen_from({0.5, 0.5}), along = process.seen_from({0.8, 0.5}),
             across = process.seen_from({0.5, 0.8});
  EXPECT_GT(process.covariance(origin, across), process.covariance(origin, along));
}

TEST(GaussianProcess, SaysOfOtherValuesAtTheSamePlacesWhatItWouldHaveLearnt) {
  const Data known = data(30);
  const GaussianProcess process = learnt(known);
  std::vector<double> doubled;
  for (const double value : known.values) doubled.push_back(2 * value + 7);
  const auto view = process.seen_from({0.3, 0.9});
  const double expected = 2 * (process.mean(view) - mean(known.values));
  EXPECT_NEAR(GaussianProcess::mean_of(view, process.solve(doubled)), expected, 1e-9);
}

TEST(GaussianProcess, LearnsFromOneValueAndFromEqualOnes) {
  GaussianProcess process({0, 1});
  process.learn({{0.5, 0.5}}, {3});
  EXPECT_NEAR(process.mean(process.seen_from({0.1, 0.1})), 3, 1e-6);
  process.learn({{0.5, 0.5}, {0.5, 0.5}, {0.1, 0.2}}, {3, 3, 3});
  EXPECT_NEAR(process.mean(process.seen_from({0.9, 0.1})), 3, 1e-6);
}

}  // namespace
}  // namespace dovetail
