// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/structure.h"

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

Structure structure_of(std::string_view spec, const Target& target = cpu()) {
  return *derive_structure(define(operator_of(spec)), target);
}

// Every axis with its class, `~` where a window slides over it: `n row, h row~, i pure`.
std::string classes(const Structure& structure) {
  constexpr const char* kNames[] = {"row", "column", "shared", "phase", "pure", "window"};
  std::string text;
  for (const StructureAxis& axis : structure.axes) {
    text += (text.empty() ? "" : ", ") + axis.name + " " + kNames[static_cast<int>(axis.kind)] +
            (axis.sliding ? "~" : "");
  }
  return text;
}

std::string classes(std::string_view spec) { return classes(structure_of(spec)); }

std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

TEST(Structure, OfAConvolution) {
  const char* spec = "c2d:n=2,ci=64,co=64,h=56,w=56,k=3,p=1";
  EXPECT_EQ(classes(spec), "n row, o column, h row~, w row~, i pure, kh window, kw window");
  const Structure s = structure_of(spec);
  EXPECT_EQ(s.vector_axis, "o");
  EXPECT_EQ(s.lanes, 16);
  EXPECT_EQ(joined_names(s.tiled), "n h w o");
  EXPECT_EQ(joined_names(s.outer), "n o h w");
  EXPECT_EQ(s.pure, "i");
  EXPECT_EQ(joined_names(s.windows), "kh kw");
}

// Windows tell the operands apart, in either order of the factors, whichever is constant.
TEST(Structure, TakesForWeightsWhatNoWindowMovesOver) {
  for (const std::string_view roles : {"", ",const=W", ",const=X"})
    for (const std::string_view product :
         {"X[i,h+kh-1,w+kw-1]*W[o,i,kh,kw]", "W[o,i,kh,kw]*X[i,h+kh-1,w+kw-1]"}) {
      const std::string spec =
          fmt::format("Y[o,h,w]=sum({})+B[o]:o=16,h=40,w=40,i=3,kh=3,kw=3{}", product, roles);
      const Computation c = right(parse_region(spec), spec).computations[0].computation;
      EXPECT_EQ(classes(*derive_structure(c, cpu())),
                "o column, h row~, w row~, i pure, kh window, kw window")
          << spec;
    }
}

TEST(Structure, DropsAxesOfOneElement) {
  const Structure s = structure_of("c2d:ci=64,co=64,h=56,w=56,k=1");
  EXPECT_EQ(joined_names(s.tiled), "h w o");
  EXPECT_EQ(joined_names(s.outer), "o h w");
  EXPECT_EQ(joined_names(s.windows), "");
}

TEST(Structure, OfAConvolutionOfPixelsAlone) {
  const Structure s = structure_of("c2d:ci=3,co=64,h=224,w=224,k=7,s=2,p=3");
  EXPECT_EQ(s.pure, "i");
  EXPECT_EQ(s.axis("i").extent, 3);
  EXPECT_EQ(s.axis("h").extent, 112);
  EXPECT_EQ(structure_of("c2d:ci=1,co=64,h=28,w=28,k=7").pure, "");
}

TEST(Structure, OfOtherRanksAndDilations) {
  EXPECT_EQ(classes("c1d:ci=4,co=8,w=16,k=3"), "n row, o column, w row~, i pure, kw window");
  EXPECT_EQ(classes("c3d:ci=4,co=8,depth=4,h=8,w=8,k=3"),
            "n row, o column, d row~, h row~, w row~, i pure, kd window, kh window, kw window");
  EXPECT_EQ(classes("dil:ci=4,co=8,h=8,w=8,k=3,d=2"),
            "n row, o column, h row~, w row~, i pure, kh window, kw window");
}

TEST(Structure, OfMatrixProducts) {
  const char* expected = "b shared, m row, n column, k pure";
  for (const char* spec :
       {"gmm:b=2,m=8,n=32,k=8", "gmm:b=2,m=8,n=32,k=8,ta=1", "gmm:b=2,m=8,n=32,k=8,tb=1",
        "gmm:b=2,m=8,n=32,k=8,ta=1,tb=1,b_const=0"}) {
    EXPECT_EQ(classes(spec), expected) << spec;
    const Structure s = structure_of(spec);
    EXPECT_EQ(joined_names(s.tiled), "m n") << spec;
    EXPECT_EQ(joined_names(s.outer), "b m n") << spec;
  }
}

TEST(Structure, OfGroups) {
  const char* spec = "grp:ci=64,co=64,h=56,w=56,k=3,p=1,g=4";
  EXPECT_EQ(classes(spec),
            "n row, g shared, o column, h row~, w row~, i pure, kh window, kw window");
  const Structure s = structure_of(spec);
  EXPECT_EQ(s.vector_axis, "o");
  EXPECT_EQ(joined_names(s.tiled), "h w o");
  EXPECT_EQ(joined_names(s.outer), "g o h w");
}

TEST(Structure, OfDepthwiseChannels) {
  EXPECT_EQ(classes("dep:c=64,h=8,w=8,k=3"),
            "n row, c shared, h row~, w row~, kh window, kw window");
  const Structure s = structure_of("dep:c=64,m=2,h=8,w=8,k=3");
  EXPECT_EQ(s.vector_axis, "c");
  EXPECT_EQ(s.pure, "");
  EXPECT_EQ(joined_names(s.tiled), "m h w c");
  EXPECT_TRUE(s.tiles_channels("c"));
  EXPECT_TRUE(s.tiles_channels("m"));
  EXPECT_EQ(structure_of("dep:c=2,m=32,h=8,w=8,k=3").vector_axis, "m");
}

TEST(Structure, OfTransposedConvolutionsCutsAxesAtTheirStride) {
  const char* spec = "t2d:ci=512,co=256,h=4,w=4,k=4,s=2,p=1";
  EXPECT_EQ(classes(spec),
            "n row, o column, h row~, h.1 phase, w row~, w.1 phase, i pure, kh window, kw window");
  const Structure s = structure_of(spec);
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

TEST(Structure, KeepsAllTapsWhereStrideAndDilationShareAFactor) {
  const Structure s = structure_of("t2d:ci=4,co=4,h=4,w=4,k=3,s=2x1,d=2x1");
  EXPECT_EQ(s.axis("h").phases, 2);
  EXPECT_EQ(s.axis("kh").extent, 3);
  EXPECT_EQ(s.axis("kh").phase_of, "");
  EXPECT_EQ(s.computation.reads[0].conditions.size(), 1u);
}

TEST(Structure, TakesAPhasedRowForTheVectorWhenTheColumnsAreFew) {
  EXPECT_EQ(structure_of("t2d:ci=64,co=3,h=32,w=32,k=4,s=2,p=1").vector_axis, "w");
  EXPECT_EQ(structure_of("t3d:ci=64,co=1,depth=4,h=4,w=32,k=4,s=2,p=1").vector_axis, "w");
}

TEST(Structure, TakesManyGroupsForTheVectorWhenEachHasFewChannels) {
  EXPECT_EQ(structure_of("grp:ci=128,co=128,h=14,w=14,k=3,p=1,g=32").vector_axis, "g");
  EXPECT_EQ(structure_of("grp:ci=128,co=128,h=14,w=14,k=3,p=1,g=8").vector_axis, "o");
  EXPECT_EQ(structure_of("grp:ci=32,co=32,h=14,w=14,k=3,p=1,g=4").vector_axis, "w");
}

TEST(Structure, TakesARowForTheVectorWhenTheColumnsAreFew) {
  EXPECT_EQ(structure_of("c2d:ci=64,co=3,h=32,w=32,k=3,p=1").vector_axis, "w");
  EXPECT_EQ(structure_of("c2d:ci=64,co=9,h=32,w=32,k=3,p=1").vector_axis, "o");
  EXPECT_EQ(structure_of("gmm:m=64,n=1,k=64").vector_axis, "m");
}

TEST(Structure, TakesNoRowThatMovesByMoreThanOne) {
  EXPECT_EQ(structure_of("c2d:ci=64,co=3,h=32,w=32,k=3,s=2,p=1").vector_axis, "o");
  EXPECT_EQ(structure_of("c2d:ci=64,co=3,h=32,w=32,k=3,s=1x2,p=1").vector_axis, "h");
}

TEST(Structure, LanesAreAtMostTheAxisRoundedUp) {
  EXPECT_EQ(structure_of("gmm:m=1,n=5,k=8").lanes, 8);
  EXPECT_EQ(structure_of("gmm:m=1,n=5,k=8", cpu(4, 16)).lanes, 4);
  EXPECT_EQ(structure_of("gmm:m=1,n=1,k=8").vector_axis, "");
  EXPECT_EQ(structure_of("gmm:m=1,n=1,k=8").lanes, 1);
}

TEST(Structure, AccumulatorsFollowTheRegisters) {
  EXPECT_EQ(structure_of("gmm:m=8,n=8,k=8", cpu(16, 32)).max_accumulators, 28);
  EXPECT_EQ(structure_of("gmm:m=8,n=8,k=8", cpu(8, 16)).max_accumulators, 12);
}

TEST(Structure, CutsTheLongestOfTwoPureReductions) {
  const Operator op = operator_of("Y[m,n]+=X[m,k,l]*W[k,l,n]:m=8,n=32,k=3,l=9");
  const Structure s = *derive_structure(define(op), cpu());
  EXPECT_EQ(s.pure, "l");
  EXPECT_EQ(s.windows, (std::vector<std::string>{"k"}));
}

TEST(IndexRange, FollowsThePaddedExtents) {
  const Structure s = structure_of("c1d:ci=4,co=8,w=16,k=3,s=2,p=1");
  const IndexExpr index = s.computation.reads[0].indices[2];
  EXPECT_EQ(index_range(index, s, {}), (Range{-1, 15}));
  EXPECT_EQ(index_range(index, s, {{"w", 10}}), (Range{-1, 19}));
}

}  // namespace
}  // namespace dovetail
