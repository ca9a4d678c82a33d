// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "primitives/space/choices.h"
#include "tests/costmodel/programs.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::feature;
using testing::kNineSpecs;
using testing::NamedValues;
using testing::opencl_with_images;
using testing::program_at;
using testing::random_programs;

constexpr const char* kConvolution = "c2d:ci=16,co=32,h=14,w=14,k=3,p=1";

// Names of the features that differ.
std::set<std::string> changed(const Program& a, const Program& b, const Target& target = cpu()) {
  const FeatureVector before = extract_features(a, target), after = extract_features(b, target);
  std::set<std::string> names;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] != after[i]) names.insert(feature_names()[i]);
  }
  return names;
}

TEST(Features, NamesAreDistinct) {
  const auto names = feature_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(Features, AreOneNumberANameAndFiniteForAllOperatorsAndTargets) {
  for (const Target& target : {cpu(), cpu(4), opencl_with_images()}) {
    for (const char* spec : kNineSpecs) {
      for (const Program& program : random_programs(spec, target, 8)) {
        const FeatureVector features = extract_features(program, target);
        ASSERT_EQ(features.size(), feature_names().size());
        for (size_t i = 0; i < features.size(); ++i) {
          EXPECT_TRUE(std::isfinite(features[i])) << feature_names()[i] << "\n" << print(program);
        }
      }
    }
  }
}

TEST(Features, AreAFunctionOfTheProgram) {
  for (const Program& program : random_programs(kConvolution, cpu(), 3)) {
    EXPECT_EQ(extract_features(program, cpu()), extract_features(program, cpu()));
  }
}

TEST(Features, OfADefaultConvolution) {
  EXPECT_GOLDEN(print_features(extract_features(program_at(kConvolution, cpu()), cpu())),
                "costmodel/features_c2d");
}

TEST(Features, OfADefaultMatrixProductOnAGpu) {
  EXPECT_GOLDEN(print_features(extract_features(
                    program_at("gmm:m=32,n=48,k=64", opencl_with_images()), opencl_with_images())),
                "costmodel/features_gmm_gpu");
}

TEST(Features, OfAnEmptyProgramAreThere) {
  EXPECT_EQ(extract_features(Program{}, cpu()).size(), feature_names().size());
}

TEST(Features, SeeTheRegisterTile) {
  const Program narrow =
      program_at(kConvolution, cpu(), {{"register_tile.w", 2}, {"register_tile.o", 16}});
  const Program wide =
      program_at(kConvolution, cpu(), {{"register_tile.w", 7}, {"register_tile.o", 32}});
  EXPECT_EQ(feature(narrow, cpu(), "body.accumulators"), 2);
  EXPECT_EQ(feature(wide, cpu(), "body.accumulators"), 14);
  EXPECT_GT(feature(narrow, cpu(), "estimate.chain"), feature(wide, cpu(), "estimate.chain"));
}

TEST(Features, SeeTheUnrolling) {
  const Program rolled = program_at(kConvolution, cpu(), {{"unroll_part.i", 1}});
  const Program unrolled = program_at(kConvolution, cpu(), {{"unroll_part.i", 4}});
  EXPECT_EQ(feature(rolled, cpu(), "body.steps"), 1);
  EXPECT_EQ(feature(unrolled, cpu(), "body.steps"), 4);
  EXPECT_GT(feature(rolled, cpu(), "estimate.branches"),
            feature(unrolled, cpu(), "estimate.branches"));
}

TEST(Features, SeeTheVectorWidth) {
  constexpr const char* kText = R"(buffer X: f32 activation X[w=64] as [w@1:64]
buffer Y: f32 output Y[w=64] as [w@1:64]
kernel scale
  for w.0 in 0..{}
    for w.1 in 0..{} vectorized
      Y[{}*w.0 + w.1] = X[{}*w.0 + w.1] * 2
)";
  const auto scaled = [&](const std::string& outer, const std::string& lanes) {
    std::string text = kText;
    for (const std::string& word : {outer, lanes, lanes, lanes}) {
      text.replace(text.find("{}"), 2, word);
    }
    return testing::program_of(text);
  };
  EXPECT_EQ(feature(scaled("8", "8"), cpu(), "body.lanes"), 8);
  EXPECT_EQ(feature(scaled("8", "8"), cpu(), "body.lane_fill"), 0.5);
  EXPECT_EQ(feature(scaled("4", "16"), cpu(), "body.lane_fill"), 1);
  EXPECT_TRUE(changed(scaled("8", "8"), scaled("4", "16")).contains("level1.iterations"));
}

TEST(Features, SeePaddedLayoutsAndTheirPass) {
  const Program guarded =
      program_at(kConvolution, cpu(), {{"storage.X.h", kGuard}, {"storage.X.w", kGuard}});
  const Program padded =
      program_at(kConvolution, cpu(), {{"storage.X.h", kPad}, {"storage.X.w", kPad}});
  EXPECT_EQ(feature(padded, cpu(), "program.temporaries"), 1);
  EXPECT_EQ(feature(guarded, cpu(), "program.temporaries"), 0);
  EXPECT_GT(feature(padded, cpu(), "layout.largest_activation_expansion"), 1.2);
  EXPECT_EQ(feature(guarded, cpu(), "layout.largest_activation_expansion"), 1);
  EXPECT_GT(feature(padded, cpu(), "program.copies_per_multiply_add"),
            feature(guarded, cpu(), "program.copies_per_multiply_add"));
}

// 32 x 48 x 64 without waste; in tiles of 7 rows, 35 x 48 x 64 at most.
TEST(Features, SeeWasteAgainstTheSizeOfTheTask) {
  const auto per_size = [](const NamedValues& choices) {
    return feature(program_at("gmm:m=32,n=48,k=64", cpu(), choices), cpu(),
                   "task.multiply_adds_per_size");
  };
  EXPECT_EQ(per_size({{"register_tile.m", 8}, {"register_tile.n", 16}}), 1);  // log2(1 + 1)
  EXPECT_GE(per_size({{"register_tile.m", 7}, {"register_tile.n", 16}}), 1);
  EXPECT_LE(per_size({{"register_tile.m", 7}, {"register_tile.n", 16}}),
            std::log2(1 + 35.0F / 32) + 1e-6);
}

TEST(Features, SeeTheCachesOfTheTarget) {
  const Program program = program_at("gmm:m=256,n=256,k=256", cpu());
  Target small = cpu();
  small.l1_bytes = 4 << 10;
  small.l2_bytes = 64 << 10;
  EXPECT_GT(feature(program, small, "traffic.l1_bytes"),
            feature(program, cpu(), "traffic.l1_bytes"));
  EXPECT_GT(feature(program, small, "level3.body_over_l1"),
            feature(program, cpu(), "level3.body_over_l1"));
}

}  // namespace
}  // namespace dovetail
