// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/winograd/winograd_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "primitives/space/alternatives.h"
#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;
using testing::space_of;

constexpr const char* kWinogradConvolution = "c2d:ci=64,co=64,h=56,w=56,k=3,p=1";

size_t position_of(const Space& space, std::string_view name) {
  size_t k = 0;
  while (k < space.parameters().size() && space.parameters()[k].name != name) ++k;
  return k;
}

// The default point, but for one parameter; later ones stay where their domains allow it.
Point point_with(const Space& space, std::string_view name, int64_t value) {
  Point point;
  for (size_t k = 0; k < space.parameters().size(); ++k) {
    const std::vector<int64_t> domain = space.parameters()[k].domain(point);
    int64_t wanted = space.default_point()[k];
    if (space.parameters()[k].name == name) wanted = value;
    point.push_back(std::ranges::find(domain, wanted) != domain.end() ? wanted : domain.front());
  }
  return point;
}

TEST(WinogradSpace, IsAnAlgorithmBesideTheDirectSum) {
  const Space space = space_of(kWinogradConvolution);
  EXPECT_EQ(space.parameters()[0].name, "algorithm");
  EXPECT_EQ(space.parameters()[0].labels,
            (std::vector<std::string>{"direct", "winograd_2", "winograd_4"}));
  EXPECT_FALSE(space.default_trace().algorithm);
  for (const char* spec : {"c2d:ci=64,co=64,h=56,w=56,k=5,p=1", "c2d:ci=64,co=64,h=56,w=56,k=3,s=2",
                           "gmm:m=4,n=16,k=4", "dep:c=64,h=28,w=28,k=3,p=1"}) {
    const Space direct = space_of(spec);
    EXPECT_EQ(position_of(direct, "algorithm"), direct.parameters().size()) << spec;
  }
}

// A move to another algorithm starts at the default of its product: this text is what it gives.
TEST(WinogradSpace, HasADefaultOfItsOwn) {
  const Space space = space_of(kWinogradConvolution);
  EXPECT_GOLDEN(print(space.decode(point_with(space, "algorithm", 2))),
                "primitives/space/winograd_trace");
}

TEST(WinogradSpace, SaysWhatItCannotCompute) {
  EXPECT_ERROR(winograd_plan(operator_of("c2d:ci=2,co=2,h=8,w=8,k=5"), {2}, cpu()),
               "window axis kh has 5 taps, expected 3");
}

// Points are those of the three algorithms, added up.
TEST(WinogradSpace, IsCountedByAlgorithm) {
  const SpaceSize size = space_of(kWinogradConvolution).size();
  EXPECT_TRUE(size.exact);
  EXPECT_GT(size.points, 1e12);
  const Space small = space_of("c1d:ci=2,co=2,w=3,k=3", cpu(4, 16));
  double points = 0;
  std::vector<Point> open = {{}};
  while (!open.empty()) {
    const Point earlier = std::move(open.back());
    open.pop_back();
    if (earlier.size() == small.parameters().size()) {
      ++points;
      continue;
    }
    for (const int64_t value : small.parameters()[earlier.size()].domain(earlier)) {
      open.push_back(earlier);
      open.back().push_back(value);
    }
  }
  EXPECT_EQ(small.size().points, points);
}

TEST(WinogradSpace, EveryPointIsRight) {
  for (const char* spec :
       {"c2d:ci=5,co=19,h=7,w=13,k=3,p=1+bias+relu", "c1d:n=2,ci=16,co=3,w=17,k=3,p=1:0+add",
        "c3d:ci=4,co=8,depth=3,h=4,w=5,k=3,p=1", "grp:ci=8,co=12,h=6,w=5,k=3,p=1,g=4+bias"}) {
    const Operator op = operator_of(spec);
    for (const Target& target : {cpu(), cpu(4, 16), opencl_with_images()}) {
      const Space space = space_of(spec, target);
      std::mt19937_64 rng(7);
      for (int drawn = 0; drawn < 3;) {
        const Point point = space.sample(rng);
        if (point[0] == 0) continue;
        ++drawn;
        const Trace trace = space.decode(point);
        const Result<Program> program = lowered(op, trace, target);
        ASSERT_TRUE(program) << program.error().message << "\n" << print(trace);
        EXPECT_TRUE(computes(op, trace, *program)) << spec << "\n" << print(trace);
      }
    }
  }
}

Target cpu_with_threads(int threads) {
  Target target = cpu();
  target.name.threads = threads;
  return target;
}

// The parameter that cuts the reduction; its count where there is none.
size_t reduction_cut(const Space& space) {
  const auto cuts = [](const Parameter& parameter) {
    return parameter.kind == ParameterKind::rfactor ||
           parameter.kind == ParameterKind::reduction_parts;
  };
  const auto found = std::ranges::find_if(space.parameters(), cuts);
  return static_cast<size_t>(found - space.parameters().begin());
}

TEST(SplitReductions, AreInTheSpaceWhereOutputsAreFew) {
  const auto splits = [](std::string_view spec, const Target& target) {
    const Space space = space_of(spec, target);
    return reduction_cut(space) < space.parameters().size();
  };
  EXPECT_TRUE(splits("gmm:m=1,n=64,k=1024", cpu_with_threads(2)));
  EXPECT_FALSE(splits("gmm:m=1,n=64,k=1024", cpu_with_threads(1)));
  EXPECT_FALSE(splits("gmm:m=64,n=64,k=1024", cpu_with_threads(2)));
  EXPECT_TRUE(splits("gmm:m=4,n=64,k=1024", opencl_with_images()));
  EXPECT_FALSE(splits("gmm:m=512,n=512,k=1024", opencl_with_images()));
}

TEST(SplitReductions, AreRightWhenOnAndOffByDefaultOnThreads) {
  for (const Target& target : {cpu_with_threads(2), opencl_with_images()}) {
    for (const char* spec : {"gmm:m=1,n=40,k=96+bias+relu", "gmm:b=2,m=2,n=3,k=32",
                             "c2d:ci=32,co=7,h=3,w=2,k=2+add"}) {
      const Operator op = operator_of(spec);
      const Space space = space_of(spec, target);
      const size_t cut = reduction_cut(space);
      ASSERT_LT(cut, space.parameters().size()) << spec;
      const int64_t whole = runs_threads(target) ? 0 : 1;
      if (runs_threads(target)) {
        EXPECT_EQ(space.default_point()[cut], whole) << spec;
      }
      std::mt19937_64 rng(5);
      int split = 0;
      for (int k = 0; k < 40; ++k) {
        const Point point = space.sample(rng);
        if (point[cut] == whole) continue;
        ++split;
        const Trace trace = space.decode(point);
        const Result<Program> program = lowered(op, trace, target);
        ASSERT_TRUE(program) << program.error().message << "\n" << print(trace);
        ASSERT_TRUE(computes(op, trace, *program)) << spec << "\n" << print(trace);
      }
      EXPECT_GT(split, 0) << spec;
    }
  }
}

}  // namespace
}  // namespace dovetail
