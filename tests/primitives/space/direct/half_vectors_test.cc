// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/direct/direct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;
using testing::space_of;

Target of_processor(const char* name) {
  Target target = cpu(16, 32);
  target.llvm_cpu = name;
  return target;
}

bool has_halves(const char* spec, const Target& target) {
  const Space space = space_of(spec, target);
  return std::ranges::count(space.parameters()[0].labels, "half_vectors") == 1;
}

std::string default_of(const char* spec, const char* processor) {
  return print(space_of(spec, of_processor(processor)).default_trace());
}

TEST(HalfVectors, StandBesideWholeOnesWhereTheySaveLanes) {
  for (const char* spec : {"c2d:ci=16,co=24,h=8,w=8,k=1", "c2d:ci=16,co=120,h=8,w=8,k=1",
                           "dep:c=40,h=8,w=8,k=3,p=1", "gmm:m=9,n=72,k=8"})
    EXPECT_TRUE(has_halves(spec, cpu(16, 32))) << spec;
  for (const char* spec : {"c2d:ci=16,co=32,h=8,w=8,k=1", "c2d:ci=16,co=27,h=8,w=8,k=1",
                           "c2d:ci=16,co=8,h=8,w=8,k=1", "gmm:m=9,n=1000,k=8"})
    EXPECT_FALSE(has_halves(spec, cpu(16, 32))) << spec;
  EXPECT_FALSE(has_halves("c2d:ci=16,co=24,h=8,w=8,k=1", cpu(8, 16)));
  EXPECT_FALSE(has_halves("c2d:ci=16,co=24,h=8,w=8,k=1", opencl_with_images()));
}

TEST(HalfVectors, AreTheDefaultWhereTwoTakeAsLongAsOneWhole) {
  const char* spec = "c2d:ci=96,co=24,h=56,w=56,k=1";
  EXPECT_NE(default_of(spec, "znver4").find("layout Y: split(axis=o, factor=8)"), std::string::npos)
      << default_of(spec, "znver4");
  for (const char* whole : {"znver5", "skylake-avx512", ""})
    EXPECT_NE(default_of(spec, whole).find("split(loop=o, factor=16, tail=cut)"), std::string::npos)
        << default_of(spec, whole);
}

// A part of a vector in eight is cheaper than vectors of half the width.
TEST(HalfVectors, AreNoDefaultWhereTheySaveLittle) {
  for (const char* spec : {"c2d:ci=120,co=120,h=14,w=14,k=1", "c2d:ci=96,co=56,h=28,w=28,k=1",
                           "dep:c=120,h=14,w=14,k=3,p=1"})
    EXPECT_NE(default_of(spec, "znver4").find(", tail=cut)"), std::string::npos) << spec;
}

// All three vectors of eight stand side by side: X is read once.
TEST(HalfVectors, FillTheRegisterTile) {
  const std::string trace = default_of("c2d:ci=96,co=24,h=56,w=56,k=1", "znver4");
  EXPECT_NE(trace.find("unroll(o.0)"), std::string::npos) << trace;
  EXPECT_EQ(trace.find("split(loop=o.0"), std::string::npos) << trace;
}

TEST(HalfVectors, HaveRightPoints) {
  std::mt19937_64 rng(7);
  for (const char* spec :
       {"c2d:ci=5,co=24,h=4,w=5,k=1+bias+relu", "c2d:ci=3,co=20,h=5,w=5,k=3,s=2,p=1+add",
        "dep:c=40,h=5,w=4,k=3,p=1+bias", "t2d:ci=4,co=24,h=3,w=3,k=4,s=2,p=1",
        "gmm:m=5,n=72,k=6,b=2"}) {
    const Space space = space_of(spec, of_processor("znver4"));
    const Parameter& chooser = space.parameters()[0];
    const auto half = std::ranges::find(chooser.labels, "half_vectors") - chooser.labels.begin();
    const Operator op = operator_of(spec);
    const auto is_right = [&](const Trace& trace) {
      return computes(op, trace, *lowered(op, trace, space.target()));
    };
    EXPECT_TRUE(is_right(space.default_trace())) << spec;
    int seen = 0;
    for (int draw = 0; draw < 100 && seen < 8; ++draw) {
      const Point point = space.sample(rng);
      if (point[0] != half) continue;
      ++seen;
      EXPECT_TRUE(is_right(space.decode(point))) << spec << " " << print(space, point);
    }
    EXPECT_EQ(seen, 8) << spec;
  }
}

}  // namespace
}  // namespace dovetail
