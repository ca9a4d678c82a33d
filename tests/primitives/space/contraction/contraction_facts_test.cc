// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/contraction_facts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/ir/region/region_text.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::operator_of;
using testing::right;

ContractionFacts facts_of_spec(std::string_view spec, const Target& target = cpu()) {
  return *derive_facts(define(operator_of(spec)), target);
}

// Every axis with its class, `~` where a window slides over it: `n row, h row~, i pure`.
std::string classes(const ContractionFacts& facts) {
  constexpr const char* kNames[] = {"row", "column", "shared", "phase", "pure", "window"};
  std::string text;
  for (const ContractionAxis& axis : facts.axes) {
    text += (text.empty() ? "" : ", ") + axis.name + " " + kNames[static_cast<int>(axis.kind)] +
            (axis.sliding ? "~" : "");
  }
  return text;
}

std::string classes(std::string_view spec) { return classes(facts_of_spec(spec)); }

std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

TEST(ContractionFacts, OfAConvolution) {
  const char* spec = "c2d:n=2,ci=64,co=64,h=56,w=56,k=3,p=1";
  EXPECT_EQ(classes(spec), "n row, o column, h row~, w row~, i pure, kh window, kw window");
  const ContractionFacts s = facts_of_spec(spec);
  EXPECT_EQ(s.vector_axis, "o");
  EXPECT_EQ(s.lanes, 16);
  EXPECT_EQ(joined_names(s.tiled), "n h w o");
  EXPECT_EQ(joined_names(s.outer), "n o h w");
  EXPECT_EQ(s.pure, "i");
  EXPECT_EQ(joined_names(s.windows), "kh kw");
}

// Windows tell the operands apart, in either order of the factors, whichever is constant.
TEST(ContractionFacts, TakesForWeightsWhatNoWindowMovesOver) {
  for (const std::string_view roles : {"", ",const=W", ",const=X"})
    for (const std::string_view product :
         {"X[i,h+kh-1,w+kw-1]*W[o,i,kh,kw]", "W[o,i,kh,kw]*X[i,h+kh-1,w+kw-1]"}) {
      const std::string spec =
          fmt::format("Y[o,h,w]=sum({})+B[o]:o=16,h=40,w=40,i=3,kh=3,kw=3{}", product, roles);
      const Computation c = right(parse_region(spec), spec).computations[0].computation;
      EXPECT_EQ(classes(*derive_facts(c, cpu())),
                "o column, h row~, w row~, i pure, kh window, kw window")
          << spec;
    }
}

TEST(ContractionFacts, DropsAxesOfOneElement) {
  const ContractionFacts s = facts_of_spec("c2d:ci=64,co=64,h=56,w=56,k=1");
  EXPECT_EQ(joined_names(s.tiled), "h w o");
  EXPECT_EQ(joined_names(s.outer), "o h w");
  EXPECT_EQ(joined_names(s.windows), "");
}

TEST(ContractionFacts, OfAConvolutionOfPixelsAlone) {
  const ContractionFacts s = facts_of_spec("c2d:ci=3,co=64,h=224,w=224,k=7,s=2,p=3");
  EXPECT_EQ(s.pure, "i");
  EXPECT_EQ(s.axis("i").extent, 3);
  EXPECT_EQ(s.axis("h").extent, 112);
  EXPECT_EQ(facts_of_spec("c2d:ci=1,co=64,h=28,w=28,k=7").pure, "");
}

TEST(ContractionFacts, OfOtherRanksAndDilations) {
  EXPECT_EQ(classes("c1d:ci=4,co=8,w=16,k=3"), "n row, o column, w row~, i pure, kw window");
  EXPECT_EQ(classes("c3d:ci=4,co=8,depth=4,h=8,w=8,k=3"),
            "n row, o column, d row~, h row~, w row~, i pure, kd window, kh window, kw window");
  EXPECT_EQ(classes("dil:ci=4,co=8,h=8,w=8,k=3,d=2"),
            "n row, o column, h row~, w row~, i pure, kh window, kw window");
}

TEST(ContractionFacts, OfMatrixProducts) {
  const char* expected = "b shared, m row, n column, k pure";
  for (const char* spec :
       {"gmm:b=2,m=8,n=32,k=8", "gmm:b=2,m=8,n=32,k=8,ta=1", "gmm:b=2,m=8,n=32,k=8,tb=1",
        "gmm:b=2,m=8,n=32,k=8,ta=1,tb=1,b_const=0"}) {
    EXPECT_EQ(classes(spec), expected) << spec;
    const ContractionFacts s = facts_of_spec(spec);
    EXPECT_EQ(joined_names(s.tiled), "m n") << spec;
    EXPECT_EQ(joined_names(s.outer), "b m n") << spec;
  }
}

TEST(ContractionFacts, OfGroups) {
  const char* spec = "grp:ci=64,co=64,h=56,w=56,k=3,p=1,g=4";
  EXPECT_EQ(classes(spec),
            "n row, g shared, o column, h row~, w row~, i pure, kh window, kw window");
  const ContractionFacts s = facts_of_spec(spec);
  EXPECT_EQ(s.vector_axis, "o");
  EXPECT_EQ(joined_names(s.tiled), "h w o");
  EXPECT_EQ(joined_names(s.outer), "g o h w");
}

TEST(ContractionFacts, OfDepthwiseChannels) {
  EXPECT_EQ(classes("dep:c=64,h=8,w=8,k=3"),
            "n row, c shared, h row~, w row~, kh window, kw window");
  const ContractionFacts s = facts_of_spec("dep:c=64,m=2,h=8,w=8,k=3");
  EXPECT_EQ(s.vector_axis, "c");
  EXPECT_EQ(s.pure, "");
  EXPECT_EQ(joined_names(s.tiled), "m h w c");
  EXPECT_TRUE(s.tiles_channels("c"));
  EXPECT_TRUE(s.tiles_channels("m"));
  EXPECT_EQ(facts_of_spec("dep:c=2,m=32,h=8,w=8,k=3").vector_axis, "m");
}

TEST(ContractionFacts, OfTransposedConvolutionsCutsAxesAtTheirStride) {
  const char* spec = "t2d:ci=512,co=256,h=4,w=4,k=4,s=2,p=1";
  EXPECT_EQ(classes(spec),
            "n row, o column, h row~, h.1 phase, w row~, w.1 phase, i pure, kh window, kw window");
  const ContractionFacts s = facts_of_spec(spec);
  EXPECT_EQ(s.vector_axis, "o");
  EXPECT_EQ(joined_names(s.tiled), "h w o");
  EXPECT_EQ(joined_names(s.phased), "h w");
  EXPECT_EQ(s.axis("h").extent, 4);
  EXPECT_EQ(s.axis("h").phases, 2);
  EXPECT_EQ(s.axis("kh").extent, 2);
  EXPECT_EQ(s.axis("kh").phase_of, "h");
  const Access& x = s.computation.reads[0];
  EXPECT_EQ(print(x.indices[2]), "h + h.1 - kh");
  EXPECT_TRUE(x.conditions.empty());
  EXPECT_EQ(print(s.computation.reads[1].indices[2]), "-h.1 + 2*kh + 1");
}

TEST(ContractionFacts, KeepsAllTapsWhereStrideAndDilationShareAFactor) {
  const ContractionFacts s = facts_of_spec("t2d:ci=4,co=4,h=4,w=4,k=3,s=2x1,d=2x1");
  EXPECT_EQ(s.axis("h").phases, 2);
  EXPECT_EQ(s.axis("kh").extent, 3);
  EXPECT_EQ(s.axis("kh").phase_of, "");
  EXPECT_EQ(s.computation.reads[0].conditions.size(), 1u);
}

TEST(ContractionFacts, TakesAPhasedRowForTheVectorWhenTheColumnsAreFew) {
  EXPECT_EQ(facts_of_spec("t2d:ci=64,co=3,h=32,w=32,k=4,s=2,p=1").vector_axis, "w");
  EXPECT_EQ(facts_of_spec("t3d:ci=64,co=1,depth=4,h=4,w=32,k=4,s=2,p=1").vector_axis, "w");
}

TEST(ContractionFacts, TakesManyGroupsForTheVectorWhenEachHasFewChannels) {
  EXPECT_EQ(facts_of_spec("grp:ci=128,co=128,h=14,w=14,k=3,p=1,g=32").vector_axis, "g");
  EXPECT_EQ(facts_of_spec("grp:ci=128,co=128,h=14,w=14,k=3,p=1,g=8").vector_axis, "o");
  EXPECT_EQ(facts_of_spec("grp:ci=32,co=32,h=14,w=14,k=3,p=1,g=4").vector_axis, "w");
}

TEST(ContractionFacts, TakesARowForTheVectorWhenTheColumnsAreFew) {
  EXPECT_EQ(facts_of_spec("c2d:ci=64,co=3,h=32,w=32,k=3,p=1").vector_axis, "w");
  EXPECT_EQ(facts_of_spec("c2d:ci=64,co=9,h=32,w=32,k=3,p=1").vector_axis, "o");
  EXPECT_EQ(facts_of_spec("gmm:m=64,n=1,k=64").vector_axis, "m");
}

TEST(ContractionFacts, TakesNoRowThatMovesByMoreThanOne) {
  EXPECT_EQ(facts_of_spec("c2d:ci=64,co=3,h=32,w=32,k=3,s=2,p=1").vector_axis, "o");
  EXPECT_EQ(facts_of_spec("c2d:ci=64,co=3,h=32,w=32,k=3,s=1x2,p=1").vector_axis, "h");
}

TEST(ContractionFacts, LanesAreAtMostTheAxisRoundedUp) {
  EXPECT_EQ(facts_of_spec("gmm:m=1,n=5,k=8").lanes, 8);
  EXPECT_EQ(facts_of_spec("gmm:m=1,n=5,k=8", cpu(4, 16)).lanes, 4);
  EXPECT_EQ(facts_of_spec("gmm:m=1,n=1,k=8").vector_axis, "");
  EXPECT_EQ(facts_of_spec("gmm:m=1,n=1,k=8").lanes, 1);
}

TEST(ContractionFacts, CutsTheLongestOfTwoPureReductions) {
  const Operator op = operator_of("Y[m,n]+=X[m,k,l]*W[k,l,n]:m=8,n=32,k=3,l=9");
  const ContractionFacts s = *derive_facts(define(op), cpu());
  EXPECT_EQ(s.pure, "l");
  EXPECT_EQ(s.windows, (std::vector<std::string>{"k"}));
}

TEST(IndexRange, FollowsThePaddedExtents) {
  const ContractionFacts s = facts_of_spec("c1d:ci=4,co=8,w=16,k=3,s=2,p=1");
  const IndexExpr index = s.computation.reads[0].indices[2];
  EXPECT_EQ(index_range(index, s, {}), (Range{-1, 15}));
  EXPECT_EQ(index_range(index, s, {{"w", 10}}), (Range{-1, 19}));
}

}  // namespace
}  // namespace dovetail
