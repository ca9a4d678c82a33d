// SPDX-License-Identifier: Apache-2.0
#include "costmodel/cost_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "costmodel/boosted_trees.h"
#include "costmodel/rank_quality.h"
#include "costmodel/saved_model.h"
#include "tests/costmodel/programs.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::feature;
using testing::NamedValues;
using testing::random_programs;

constexpr const char* kSpec = "gmm:m=48,n=64,k=96";

std::vector<ModelInput> inputs_of(const std::vector<Program>& programs) {
  std::vector<ModelInput> all;
  for (const Program& program : programs) all.push_back({.program = &program});
  return all;
}

// A device of whose speed the features say all, if not in one number.
double made_up_seconds(const Program& program) {
  const float accumulators = feature(program, cpu(), "body.accumulators");
  const float traffic = feature(program, cpu(), "traffic.l1_bytes_per_multiply_add");
  return 1e-6 * (1 + 8 / std::max(accumulators, 1.0F) + 0.5 * std::min(traffic, 8.0F));
}

std::vector<CostSample> samples_of(const std::vector<Program>& programs) {
  std::vector<CostSample> samples;
  for (const Program& program : programs) {
    samples.push_back({{.program = &program}, made_up_seconds(program)});
  }
  return samples;
}

std::vector<std::optional<double>> seconds_of(const std::vector<Program>& programs) {
  std::vector<std::optional<double>> seconds;
  for (const Program& program : programs) seconds.emplace_back(made_up_seconds(program));
  return seconds;
}

std::unique_ptr<CostModel> model_named(std::string_view name, CostModelOptions options) {
  return std::move(*make_cost_model(name, options));
}

TEST(CostModels, NoneScoresEveryProgramTheSame) {
  const auto model = model_named("none", {});
  const std::vector<Program> programs = random_programs(kSpec, cpu(), 2);
  model->update(samples_of(programs));
  const std::vector<double> scores = model->predict(inputs_of(programs));
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[0], scores[1]);
}

TEST(CostModels, SayOfKnownFeaturesWhatTheySayOfTheProgram) {
  const std::vector<Program> programs = random_programs(kSpec, cpu(), 40);
  std::vector<KnownFeatures> known;
  for (const Program& program : programs) known.push_back(know(program, cpu()));
  std::vector<ModelInput> inputs;
  std::vector<CostSample> samples = samples_of(programs);
  for (size_t i = 0; i < known.size(); ++i) {
    inputs.push_back({.known = &known[i]});
    samples[i].input = inputs.back();
  }
  for (const CostModelEntry& entry : cost_models()) {
    const auto of_programs = make_cost_model(entry.name, {.target = cpu()});
    const auto of_known = make_cost_model(entry.name, {.target = cpu()});
    if (!of_programs) continue;  // a library that this build has not
    EXPECT_EQ((*of_programs)->predict(inputs_of(programs)), (*of_known)->predict(inputs));
    (*of_programs)->update(samples_of(programs));
    (*of_known)->update(samples);
    EXPECT_EQ((*of_programs)->predict(inputs_of(programs)), (*of_known)->predict(inputs))
        << entry.name;
  }
}

TEST(CostModels, AnUnknownNameListsTheKnownOnes) {
  EXPECT_ERROR(make_cost_model("oracle", {}),
               "unknown cost model 'oracle'; expected one of: none, random, roofline, xgboost");
}

TEST(CostModels, RandomScoresComeFromTheSeedAndTheProgram) {
  const std::vector<Program> programs = random_programs(kSpec, cpu(), 12);
  const auto scores = [&](uint64_t seed) {
    return model_named("random", {.target = cpu(), .seed = seed})->predict(inputs_of(programs));
  };
  EXPECT_EQ(scores(1), scores(1));
  EXPECT_NE(scores(1), scores(2));
  const std::vector<double> some = scores(1);
  EXPECT_GT(std::set<double>(some.begin(), some.end()).size(), 6u);
  for (const double score : some) EXPECT_TRUE(0 <= score && score < 1);
}

TEST(CostModels, RooflinePrefersTilesThatKeepTheUnitsBusy) {
  const NamedValues narrow{{"register_tile.n", 16}, {"register_tile.m", 1}},
      wide{{"register_tile.n", 32}, {"register_tile.m", 6}};
  const Program slow = testing::program_at(kSpec, cpu(), narrow);
  const Program fast = testing::program_at(kSpec, cpu(), wide);
  const std::vector<ModelInput> both{{.program = &slow}, {.program = &fast}};
  const std::vector<double> scores = model_named("roofline", {.target = cpu()})->predict(both);
  EXPECT_GT(scores[1], scores[0]);
}

TEST(CostModels, AWarmStartOfAModelThatDoesNotLearnIsRefused) {
  const auto trees = BoostedTrees::train({{FeatureVector(feature_names().size())}, {1.0F}}, {});
  if (!trees) GTEST_SKIP() << trees.error().message;
  const SavedModel saved{.trees = *trees, .rows = 1};
  EXPECT_ERROR(make_cost_model("roofline", {.target = cpu(), .seed = 0, .warm_start = &saved}),
               "cost model roofline learns nothing, so it has no warm start");
}

class Xgboost : public ::testing::Test {
 protected:
  void SetUp() override {
    const Result<void> available = BoostedTrees::available();
    if (!available) GTEST_SKIP() << available.error().message;
  }
};

TEST_F(Xgboost, ScoresAsRooflineUntilItHasSamples) {
  const std::vector<Program> programs = random_programs(kSpec, cpu(), 5);
  const auto model = model_named("xgboost", {.target = cpu()});
  const auto roofline = model_named("roofline", {.target = cpu()});
  EXPECT_EQ(model->predict(inputs_of(programs)), roofline->predict(inputs_of(programs)));
}

TEST_F(Xgboost, LearnsToRankProgramsThatItHasNotSeen) {
  const std::vector<Program> seen = random_programs(kSpec, cpu(), 120, 1);
  const std::vector<Program> unseen = random_programs(kSpec, cpu(), 60, 2);
  const auto model = model_named("xgboost", {.target = cpu()});
  model->update(samples_of(seen));
  EXPECT_GT(kendall_tau(model->predict(inputs_of(unseen)), seconds_of(unseen)), 0.7);
}

TEST_F(Xgboost, TheSameSamplesGiveTheSameScores) {
  const std::vector<Program> programs = random_programs(kSpec, cpu(), 40);
  const auto scores = [&] {
    const auto model = model_named("xgboost", {.target = cpu(), .seed = 7});
    model->update(samples_of(programs));
    return model->predict(inputs_of(programs));
  };
  EXPECT_EQ(scores(), scores());
}

TEST_F(Xgboost, FailuresAreTheWorst) {
  const std::vector<Program> programs = random_programs(kSpec, cpu(), 60);
  std::vector<CostSample> samples = samples_of(programs);
  std::vector<bool> failed;
  for (CostSample& sample : samples) {
    failed.push_back(feature(*sample.input.program, cpu(), "body.accumulators") > 8);
    if (failed.back()) sample.seconds = std::nullopt;
  }
  const auto model = model_named("xgboost", {.target = cpu()});
  model->update(samples);
  const TrainingRows learnt = model->learnt();
  const std::vector<double> scores = model->predict(inputs_of(programs));
  double best_failure = 0, sum_of_others = 0, others = 0;
  for (size_t i = 0; i < failed.size(); ++i) {
    EXPECT_EQ(learnt.labels[i] == 0, failed[i]);
    if (failed[i]) best_failure = std::max(best_failure, scores[i]);
    if (!failed[i]) sum_of_others += scores[i], others += 1;
  }
  ASSERT_GT(others, 0);
  EXPECT_LT(best_failure, sum_of_others / others);
}

TEST_F(Xgboost, OnlyFailuresAreSamplesToo) {
  const std::vector<Program> programs = random_programs(kSpec, cpu(), 20);
  std::vector<CostSample> samples;
  for (const Program& program : programs) {
    samples.push_back({{.program = &program}, std::nullopt});
  }
  const auto model = model_named("xgboost", {.target = cpu()});
  model->update(samples);
  EXPECT_EQ(model->predict(inputs_of(programs)).size(), 20u);
}

TEST_F(Xgboost, RemembersTheBestAndAnEvenChoiceOfManySamples) {
  const std::vector<Program> programs = random_programs(kSpec, cpu(), 10);
  const auto model = model_named("xgboost", {.target = cpu()});
  constexpr int kSamples = 4000, kAtOnce = 500, kBest = 77;
  std::vector<CostSample> samples;
  for (int i = 0; i < kSamples; ++i) {
    const double seconds = i == kBest ? 1e-6 : 2e-6;
    samples.push_back({{.program = &programs[static_cast<size_t>(i) % programs.size()]}, seconds});
    if (samples.size() < kAtOnce) continue;
    model->update(samples);
    samples.clear();
    EXPECT_LE(model->learnt().labels.size(), 2500u);
  }
  const TrainingRows learnt = model->learnt();
  EXPECT_EQ(learnt.features.size(), learnt.labels.size());
  EXPECT_GE(learnt.labels.size(), 2000u);
  const auto best = std::ranges::find(learnt.labels, 1.0F);
  ASSERT_NE(best, learnt.labels.end());
  EXPECT_EQ(learnt.features[static_cast<size_t>(best - learnt.labels.begin())],
            extract_features(programs[kBest % programs.size()], cpu()));
}

TEST_F(Xgboost, ASavedModelKnowsOtherTasksBeforeTheFirstSample) {
  const std::vector<Program> seen = random_programs("gmm:m=64,n=32,k=48", cpu(), 120, 1);
  const std::vector<Program> unseen = random_programs(kSpec, cpu(), 60, 2);
  const auto teacher = model_named("xgboost", {.target = cpu()});
  teacher->update(samples_of(seen));
  const auto saved = train_saved_model(teacher->learnt(), 0);
  ASSERT_TRUE(saved);
  const auto again = parse_saved_model(print(*saved));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->rows, 120);
  const auto model = model_named("xgboost", {.target = cpu(), .seed = 0, .warm_start = &*again});
  EXPECT_GT(kendall_tau(model->predict(inputs_of(unseen)), seconds_of(unseen)), 0.5);
  EXPECT_EQ(model->predict(inputs_of(unseen)),
            model_named("xgboost", {.target = cpu(), .seed = 0, .warm_start = &*saved})
                ->predict(inputs_of(unseen)));
}

TEST_F(Xgboost, AWarmStartGoesOnLearning) {
  const std::vector<Program> programs = random_programs(kSpec, cpu(), 100, 3);
  TrainingRows wrong;  // says that all programs are the same
  for (const Program& program : programs) {
    wrong.features.push_back(extract_features(program, cpu()));
    wrong.labels.push_back(0.5F);
  }
  const auto saved = train_saved_model(wrong, 0);
  ASSERT_TRUE(saved);
  const auto model = model_named("xgboost", {.target = cpu(), .seed = 0, .warm_start = &*saved});
  EXPECT_EQ(kendall_tau(model->predict(inputs_of(programs)), seconds_of(programs)), 0);
  model->update(samples_of(programs));
  EXPECT_GT(kendall_tau(model->predict(inputs_of(programs)), seconds_of(programs)), 0.8);
}

TEST_F(Xgboost, ASavedModelOfOtherFeaturesIsRefused) {
  const auto trees = BoostedTrees::train({{FeatureVector(feature_names().size())}, {1.0F}}, {});
  ASSERT_TRUE(trees);
  const std::string text = print(SavedModel{.trees = *trees, .rows = 1});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    return other.replace(other.find(from), from.size(), to);
  };
  EXPECT_ERROR(parse_saved_model(with("\nfeatures ", "\nfeatures 99")), "features have version 99");
  EXPECT_ERROR(parse_saved_model(with("body.lanes", "body.stripes")), "body.stripes, this program");
  EXPECT_ERROR(parse_saved_model(text.substr(0, text.size() - 9)), "bytes of trees, expected");
  EXPECT_ERROR(parse_saved_model("{\"a\": 1}"), "no saved cost model");
  EXPECT_ERROR(parse_saved_model(""), "no saved cost model");
  std::string broken = text;
  std::fill(broken.end() - 50, broken.end(), '?');
  EXPECT_ERROR(parse_saved_model(broken), "no trees");
}

TEST(TrainingRows, ThinnedOnesKeepTheBestAndSomeOfTheOthersInOrder) {
  TrainingRows rows;
  for (int i = 0; i < 10; ++i) {
    rows.features.push_back({static_cast<float>(i)});
    rows.labels.push_back(i % 2 == 0 ? 0.1F : 1 - 0.01F * static_cast<float>(i));
  }
  const TrainingRows few = thinned(rows, 4);
  EXPECT_EQ(few.features, (std::vector<FeatureVector>{{0}, {1}, {3}, {6}}));
  EXPECT_EQ(thinned(rows, 10), rows);
}

}  // namespace
}  // namespace dovetail
