// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/ir/graph/suite.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/parsed_points.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;
using testing::parse_point;
using testing::right;
using testing::space_of;

constexpr const char* kLayer = "c2d:ci=64,co=64,h=56,w=56,k=3,p=1";

void visit_points(const Space& space, Point& earlier, std::vector<Point>& all) {
  if (earlier.size() == space.parameters().size()) {
    all.push_back(earlier);
    return;
  }
  for (int64_t value : space.parameters()[earlier.size()].domain(earlier)) {
    earlier.push_back(value);
    visit_points(space, earlier, all);
    earlier.pop_back();
  }
}

std::vector<Point> all_points(const Space& space) {
  std::vector<Point> all;
  Point earlier;
  visit_points(space, earlier, all);
  return all;
}

TEST(SpaceSize, IsTheNumberOfPoints) {
  for (const char* spec :
       {"gmm:m=1,n=1,k=1", "gmm:m=1,n=1,k=6", "gmm:m=2,n=3,k=1", "gmm:m=1,n=5,k=4",
        "gmm:m=3,n=1,k=4", "c1d:ci=1,co=2,w=3,k=2", "c1d:ci=2,co=1,w=3,k=1,s=2"}) {
    for (const Target& target : {cpu(16, 32), cpu(4, 16)}) {
      const Space space = space_of(spec, target);
      const SpaceSize size = space.size();
      EXPECT_TRUE(size.exact) << spec;
      EXPECT_EQ(size.points, static_cast<double>(all_points(space).size())) << spec;
    }
  }
}

TEST(Space, EveryPointOfASmallOneIsRight) {
  const Operator op = operator_of("c1d:ci=1,co=2,w=3,k=2");
  const Space space = *build_space(op, cpu(4, 16));
  const std::vector<Point> all = all_points(space);
  EXPECT_EQ(std::set<Point>(all.begin(), all.end()).size(), all.size());
  for (const Point& point : all) {
    ASSERT_TRUE(space.contains(point));
    const Result<Program> program = lowered(op, space.decode(point), space.target());
    ASSERT_TRUE(program) << program.error().message << "\n" << print(space, point);
    ASSERT_TRUE(computes(op, *program)) << print(space, point);
  }
}

TEST(Space, ALargeOneIsCountedWithoutVisitingIt) {
  const SpaceSize size = space_of(kLayer).size();
  EXPECT_TRUE(size.exact);
  EXPECT_GT(size.points, 1e12);
}

TEST(Space, PrintsItsParameters) {
  EXPECT_GOLDEN(print(space_of(kLayer)), "primitives/space/convolution");
  EXPECT_GOLDEN(print(space_of("c2d:ci=8,co=16,h=14,w=14,k=3,p=1", opencl_with_images())),
                "primitives/space/opencl");
}

// The same seed gives the same points, on every machine.
TEST(Space, SamplesAreReproducible) {
  std::string text;
  for (const char* spec : {kLayer, "gmm:m=512,n=512,k=512"}) {
    const Space space = space_of(spec);
    std::mt19937_64 rng(1);
    for (int k = 0; k < 3; ++k) {
      const Point point = space.sample(rng);
      text += print(space, point) + "\n" + print(space.decode(point));
    }
  }
  EXPECT_GOLDEN(text, "primitives/space/first_points");
}

TEST(Space, SamplesReachEveryValueOfAParameter) {
  const Space space = space_of("gmm:m=4,n=16,k=4");
  std::mt19937_64 rng(1);
  std::vector<std::set<int64_t>> seen(space.parameters().size());
  for (int k = 0; k < 400; ++k) {
    const Point point = space.sample(rng);
    for (size_t p = 0; p < point.size(); ++p) seen[p].insert(point[p]);
  }
  for (size_t p = 0; p < seen.size(); ++p) {
    for (int64_t value : space.parameters()[p].domain(space.default_point()))
      EXPECT_TRUE(seen[p].contains(value)) << space.parameters()[p].name << "=" << value;
  }
}

TEST(Space, ContainsOnlyItsPoints) {
  const Space space = space_of(kLayer);
  Point point = space.default_point();
  EXPECT_TRUE(space.contains(point));
  point[0] = 17;
  EXPECT_FALSE(space.contains(point));
  point.pop_back();
  EXPECT_FALSE(space.contains(point));
  EXPECT_FALSE(space.contains({}));
}

// A domain reads what it declares and nothing else: counting relies on it.
TEST(Space, DomainsReadOnlyWhatTheyDeclare) {
  for (const Target& target : {cpu(), opencl_with_images()}) {
    const Space space = space_of("c2d:ci=8,co=12,h=7,w=9,k=3,p=1", target);
    std::mt19937_64 rng(3);
    for (int k = 0; k < 20; ++k) {
      const Point point = space.sample(rng);
      for (size_t p = 0; p < point.size(); ++p) {
        const Parameter& parameter = space.parameters()[p];
        Point only(p, -1);
        for (size_t d : parameter.depends_on) only[d] = point[d];
        EXPECT_EQ(parameter.domain(only),
                  parameter.domain({point.begin(), point.begin() + static_cast<ptrdiff_t>(p)}))
            << parameter.name;
      }
    }
  }
}

constexpr const char* kOddSpecs[] = {
    "c2d:ci=3,co=64,h=224,w=224,k=7,s=2,p=3",
    "c2d:ci=13,co=17,h=7,w=13,k=3,p=1+bias+relu",
    "c2d:n=3,ci=7,co=1,h=17,w=17,k=5,p=2",
    "c2d:ci=1,co=3,h=1,w=19,k=1x3,p=0x1",
    "c2d:ci=64,co=1000,h=1,w=1,k=1+bias",
    "c2d:ci=5,co=48,h=9,w=9,k=2,p=0:1+add+relu",
    "c2d:ci=16,co=16,h=15,w=11,k=3x1,s=2x1,p=1x0",
    "c2d:ci=256,co=512,h=14,w=14,k=1,s=2",
    "dil:ci=7,co=24,h=23,w=23,k=3,p=2,d=2",
    "dil:ci=3,co=4,h=31,w=29,k=3x2,s=2x3,p=3x1,d=3x2",
    "c1d:ci=17,co=31,w=101,k=5,s=2,p=2+relu6",
    "c1d:n=4,ci=1,co=1,w=33,k=7,p=3",
    "c3d:ci=3,co=17,depth=5,h=7,w=9,k=3,p=1",
    "c3d:n=2,ci=4,co=9,depth=1,h=6,w=7,k=1x3x3,p=0x1x1",
    "c3d:n=2,ci=8,co=4,depth=4,h=4,w=4,k=2x3x1,s=2x1x1,p=0x1x0",
    "gmm:m=1,n=1,k=1",
    "gmm:m=1,n=1,k=77",
    "gmm:m=1,n=1000,k=512+bias",
    "gmm:m=100,n=1,k=33",
    "gmm:b=12,m=17,n=64,k=65,b_const=0",
    "gmm:m=13,n=7,k=17,ta=1",
    "gmm:b=2,m=31,n=33,k=3,tb=1+add",
    "gmm:m=57,n=29,k=41,ta=1,tb=1,b_const=0+bias+gelu",
    "grp:ci=64,co=128,h=13,w=11,k=3,s=2,p=1,g=4+bias",
    "grp:n=2,ci=64,co=96,h=7,w=7,k=3,p=1,g=32+relu",
    "grp:ci=12,co=6,h=31,w=5,k=1,g=3",
    "c1d:ci=32,co=48,w=33,k=3,p=1,g=16+bias",
    "dep:c=33,h=17,w=19,k=3,s=2,p=1+bias+relu6",
    "dep:n=2,c=8,m=4,h=12,w=9,k=5x3,p=2x1+add",
    "dep:c=2,m=64,h=9,w=9,k=3,p=1",
    "c3d:ci=20,co=20,depth=3,h=5,w=6,k=3,p=1,g=20+bias",
    "t2d:ci=16,co=32,h=7,w=5,k=4,s=2,p=1+bias+relu",
    "t2d:ci=8,co=3,h=16,w=17,k=4,s=2,p=1",
    "t2d:n=2,ci=4,co=20,h=5,w=1,k=3x2,s=2,op=1x0+add",
    "t2d:ci=7,co=2,h=9,w=33,k=5x3,s=3x2,d=2x1,p=2",
    "t2d:ci=4,co=8,h=6,w=6,k=3,s=4x2,d=2,p=1",
    "t2d:ci=12,co=40,h=5,w=6,k=3,s=2,p=1,g=2+bias",
    "t2d:ci=24,co=24,h=5,w=6,k=3,s=2,p=1,g=24",
    "t2d:ci=3,co=17,h=9,w=9,k=3,p=1,d=2",
    "t3d:ci=8,co=1,depth=3,h=5,w=16,k=4,s=2,p=1+bias",
    "t3d:ci=3,co=16,depth=2,h=3,w=4,k=2x3x1,s=2x3x2",
};

void expect_all_verify(const Target& target) {
  constexpr int kPoints = 8;
  for (const char* spec : kOddSpecs) {
    std::mt19937_64 rng(7);  // what one draws does not depend on another's parameters
    const Operator op = operator_of(spec);
    const Space space = space_of(spec, target);
    for (int k = 0; k <= kPoints; ++k) {
      const Point point = k == 0 ? space.default_point() : space.sample(rng);
      EXPECT_TRUE(space.contains(point));
      const std::string what = std::string(spec) + "\n" + print(space, point);
      const Result<Program> program = lowered(op, space.decode(point), target);
      ASSERT_TRUE(program) << program.error().message << "\n" << what;
      const Result<void> verdict = verify(*program);
      ASSERT_TRUE(verdict) << verdict.error().message << "\n" << what;
      const Result<Point> parsed = parse_point(space, print(space, point));
      ASSERT_TRUE(parsed) << parsed.error().message;
      EXPECT_EQ(*parsed, point) << what;
    }
  }
}

TEST(Space, PointsOfOddShapesLowerForWideVectors) { expect_all_verify(cpu(16, 32)); }
TEST(Space, PointsOfOddShapesLowerForMediumVectors) { expect_all_verify(cpu(8, 16)); }
TEST(Space, PointsOfOddShapesLowerForNarrowVectors) { expect_all_verify(cpu(4, 32)); }
TEST(Space, PointsOfOddShapesLowerForFewRegisters) { expect_all_verify(cpu(4, 16)); }
TEST(Space, PointsOfOddShapesLowerForOpencl) { expect_all_verify(opencl_with_images()); }
TEST(Space, PointsOfOddShapesLowerForSmallDevices) {
  Target small = opencl_with_images();
  small.max_work_group_size = 16;
  small.image2d_max_width = small.image2d_max_height = 128;
  expect_all_verify(small);
}
TEST(Space, PointsOfOddShapesLowerForThreads) {
  Target threads = cpu(16, 32);
  threads.name.threads = 4;
  expect_all_verify(threads);
}

// Measured alone, such stores look as fast; the next operator would then wait for memory.
TEST(Space, OffersStoresPastTheCachesOnlyWhereOperandsAreMoreThanTheyHold) {
  const auto offers = [](const char* spec) {
    const Space space = right(build_space(right(parse_task_spec(spec)), cpu()), spec);
    return std::ranges::count(space.parameters(), "stores", &Parameter::name) > 0;
  };
  EXPECT_FALSE(offers("c2d:ci=3,co=64,h=224,w=224,k=7,s=2,p=3+bias+relu"));
  EXPECT_FALSE(offers("Y[c,h,w]max=X[c,2*h+i-1,2*w+j-1]:c=256,h=56,w=56,i=3,j=3"));
  EXPECT_TRUE(offers("c2d:n=16,ci=64,co=64,h=56,w=56,k=3,p=1"));
  EXPECT_TRUE(offers("Y[n,c,h,w]=X[n,c,h,w]+1:n=16,c=64,h=56,w=56"));
}

TEST(Space, PointsForOpenclAreRight) {
  std::mt19937_64 rng(5);
  bool texture = false;
  for (const char* spec :
       {"c2d:ci=4,co=8,h=6,w=7,k=3,p=1+relu", "c2d:n=2,ci=3,co=5,h=5,w=5,k=3,s=2",
        "gmm:m=8,n=12,k=8+bias", "c1d:ci=5,co=4,w=13,k=3,p=1"}) {
    const Operator op = operator_of(spec);
    const Space space = space_of(spec, opencl_with_images());
    for (int k = 0; k < 40; ++k) {
      const Point point = space.sample(rng);
      const Trace trace = space.decode(point);
      for (const TensorLayout& layout : trace.layouts)
        texture = texture || layout.scope != MemoryScope::global;
      const Result<Program> program = lowered(op, trace, space.target());
      ASSERT_TRUE(program) << program.error().message << "\n" << print(trace);
      ASSERT_TRUE(computes(op, trace, *program)) << spec << "\n" << print(trace);
    }
  }
  EXPECT_TRUE(texture);
}

// The default trace of every suite operator that has a space, on two targets.
TEST(DefaultTrace, OfTheSuites) {
  std::string text;
  for (const char* file : {"nine_b1.txt", "nine_b16.txt", "resnet18.txt"}) {
    const Suite suite = *read_suite((testing::source_dir() / "scripts/suites" / file).string());
    for (const SuiteEntry& entry : suite) {
      for (const Target& target : {cpu(16, 32), cpu(8, 16)}) {
        const Result<Space> space = build_space(entry.spec, target);
        text += entry.name + " " + std::to_string(vector_lanes(target)) + " lanes: ";
        text += space ? print(*space, space->default_point()) : space.error().message;
        text += "\n";
        if (!space) continue;
        EXPECT_TRUE(lowered(*entry.spec.region.op, space->default_trace(), target)) << entry.name;
      }
    }
  }
  EXPECT_GOLDEN(text, "primitives/space/default_points");
}

TEST(DefaultTrace, IsRight) {
  for (const char* spec :
       {"c2d:ci=7,co=20,h=9,w=9,k=3,p=1+bias+relu", "gmm:m=17,n=33,k=12", "c1d:ci=3,co=2,w=15,k=3",
        "gmm:m=1,n=1,k=5", "grp:ci=12,co=40,h=9,w=9,k=3,s=2,p=1,g=2+bias",
        "grp:ci=40,co=40,h=7,w=7,k=3,p=1,g=20+bias", "dep:c=21,h=9,w=15,k=3,p=1+bias+relu",
        "dep:c=20,m=2,h=8,w=8,k=3,s=2,p=1+bias", "t2d:ci=9,co=20,h=4,w=5,k=4,s=2,p=1+bias",
        "t2d:ci=4,co=2,h=4,w=17,k=3,s=2,p=1,op=1+relu",
        "t3d:ci=4,co=1,depth=3,h=3,w=18,k=4,s=2,p=1"}) {
    for (const Target& target : {cpu(16, 32), cpu(4, 16), opencl_with_images()}) {
      const Operator op = operator_of(spec);
      const Result<Program> program = lowered(op, space_of(spec, target).default_trace(), target);
      ASSERT_TRUE(program) << program.error().message;
      EXPECT_TRUE(computes(op, *program)) << spec;
    }
  }
}

TEST(PointText, FailsOnAMissingParameter) {
  const Space space = space_of("gmm:m=4,n=16,k=4");
  EXPECT_ERROR(parse_point(space, ""), "point: found '', expected register_tile.n=");
  EXPECT_ERROR(parse_point(space, "register_tile.m=4 register_tile.n=16"),
               "point: found 'register_tile.m=4', expected register_tile.n=");
  const std::string all = print(space, space.default_point());
  EXPECT_ERROR(parse_point(space, all.substr(0, all.rfind(' '))), "expected ");
}

TEST(PointText, FailsOnAValueOutsideTheDomain) {
  const Space space = space_of("gmm:m=4,n=16,k=4");
  EXPECT_ERROR(parse_point(space, "register_tile.n=17 register_tile.m=4"),
               "point: register_tile.n=17 is not in {16} here");
  EXPECT_ERROR(parse_point(space, "register_tile.n=x"),
               "point: register_tile.n=x, expected a number");
}

TEST(PointText, FailsOnAnUnknownLabel) {
  const Space space = space_of("gmm:m=4,n=16,k=4");
  std::string text = print(space, space.default_point());
  const size_t at = text.find("channel_tiles.Y=before");
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, 22, "channel_tiles.Y=nowhere");
  EXPECT_ERROR(parse_point(space, text),
               "point: channel_tiles.Y=nowhere, expected one of before, after");
}

TEST(PointText, FailsOnMoreThanThePoint) {
  const Space space = space_of("gmm:m=4,n=16,k=4");
  EXPECT_ERROR(parse_point(space, print(space, space.default_point()) + " more=1"),
               "point: found 'more=1' after the last parameter");
}

}  // namespace
}  // namespace dovetail
