// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/cut_tails.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/draws.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

using testing::right;

constexpr const char* kTwice = "Y[i,j]=X[i,j]*2:i=7,j=37";

Result<Program> twice(const std::string& loops, const Target& target = testing::cpu()) {
  return testing::lowered(testing::written_region(kTwice),
                          right(parse_trace("loops Y: " + loops + "\n")), target);
}

TEST(CutTails, OfVectorsIsANestOfItsOwn) {
  const Program program =
      right(twice("split(loop=j, factor=16, tail=cut) ; split(loop=i, factor=4, tail=cut) ; "
                  "reorder(i.0, j.0, i.1, j.1) ; unroll(i.1) ; vectorize(j.1) ; parallel(i.0)"));
  EXPECT_TRUE(testing::matches_golden(print(program), "primitives/cut_tails"));
  EXPECT_TRUE(testing::computes(testing::written_region(kTwice), program));
}

TEST(CutTails, OfSerialLoopsIsAClippedLoop) {
  const Program program = right(twice("split(loop=j, factor=16, tail=cut) ; reorder(i, j.0, j.1)"));
  EXPECT_NE(print(program).find("for j.1 in 0..16 where 0 <= 16*j.0 + j.1 < 37"), std::string::npos)
      << print(program);
  EXPECT_TRUE(testing::computes(testing::written_region(kTwice), program));
}

TEST(CutTails, OfWorkItemsIsAskedByEach) {
  const Program program =
      right(twice("split(loop=j, factor=16, tail=cut) ; reorder(j.0, j.1, i) ; bind(j.0, group.0) "
                  "; bind(j.1, thread.0)",
                  testing::opencl_with_images()));
  EXPECT_NE(print(program).find("j.1.there"), std::string::npos) << print(program);
  EXPECT_TRUE(testing::computes(testing::written_region(kTwice), program));
}

// Its own end and the index that data choose: the item's loop has two bounds.
TEST(CutTails, OfWorkItemsWithSeveralBoundsAsksOnce) {
  const Region region = testing::written_region("Y[h]=X[clamp(h-2,0,5)]:h=10,X=6");
  const Program program = right(testing::lowered(
      region,
      right(parse_trace("loops Y: split(loop=h, factor=4, tail=cut) ; reorder(h.1, h.0, at0) ; "
                        "bind(h.1, thread.2) ; bind(h.0, thread.1)\n")),
      testing::opencl_with_images()));
  EXPECT_TRUE(testing::computes(region, program)) << print(program);
}

// A kernel has one loop for each thread axis: what is cut short is inside of all of them.
TEST(CutTails, InsideOfLoopsThatAreBound) {
  const auto count = [](const std::string& text, std::string_view what) {
    int found = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++found;
    return found;
  };
  for (const char* loops :
       {"split(loop=i, factor=4, tail=cut) ; bind(i.0, thread.2) ; bind(i.1, thread.1)",
        "split(loop=j, factor=16, tail=cut) ; reorder(j.0, i, j.1) ; bind(j.0, group.0) ; "
        "bind(i, thread.0) ; vectorize(j.1)",
        "split(loop=j, factor=16, tail=cut) ; split(loop=j.1, factor=3, tail=cut) ; "
        "reorder(j.0, i, j.1.0, j.1.1) ; bind(j.0, group.0) ; bind(i, thread.0) ; "
        "unroll(j.1.0) ; vectorize(j.1.1)"}) {
    const Program program = right(twice(loops, testing::opencl_with_images()));
    const std::string text = print(program);
    EXPECT_LE(count(text, " thread.0"), 1) << text;
    EXPECT_LE(count(text, " thread.1"), 1) << text;
    EXPECT_LE(count(text, " group.0"), 1) << text;
    EXPECT_TRUE(testing::computes(testing::written_region(kTwice), program)) << text;
  }
}

// The second bound cuts only the rounds of the loops that have it: elements 4 to 7 are of another
// round of h.0.0, in which it holds.
TEST(CutTails, OfTwoLoopsThatAreBoundCutsEachByItsOwn) {
  const Region region = testing::written_region("Y[h]=X[clamp(h-2,0,5)]:h=10,X=6");
  const Program program = right(testing::lowered(
      region,
      right(parse_trace("loops Y: split(loop=h, factor=4, tail=cut) ; "
                        "split(loop=h.0, factor=2, tail=cut) ; bind(h.0.0, thread.2) ; "
                        "bind(h.0.1, thread.1) ; unroll(h.1)\n")),
      testing::opencl_with_images()));
  EXPECT_TRUE(testing::computes(region, program)) << print(program);
}

// Some have tails; the order keeps what a tail's bound mentions outside.
struct DrawnLoops {
  std::vector<std::string> splits, order;
};

DrawnLoops draw_two_tails(int64_t extent) {
  const int64_t first = testing::draw(2, extent - 1), rounds = (extent + first - 1) / first;
  const bool of_rounds = rounds > 2 && (first < 3 || testing::chance(2));
  const std::string split = of_rounds ? "h.0" : "h.1";
  const int64_t second = testing::draw(2, (of_rounds ? rounds : first) - 1);
  DrawnLoops loops;
  loops.splits.push_back(fmt::format("split(loop=h, factor={}, tail=cut)", first));
  if (of_rounds || first > 2)
    loops.splits.push_back(fmt::format("split(loop={}, factor={}, tail=cut)", split, second));
  if (loops.splits.size() == 1)
    loops.order = {"h.0", "h.1"};
  else if (of_rounds)
    loops.order = {"h.0.0", "h.0.1", "h.1"};
  else
    loops.order = {"h.0", "h.1.0", "h.1.1"};
  const auto at = testing::draw(0, static_cast<int64_t>(loops.order.size()));
  loops.order.insert(loops.order.begin() + at, "i");
  return loops;
}

// Outer loops are bound, each axis of a device once; on threads at most the outermost is parallel.
// Loops inside of them are unrolled or stay loops; the innermost may be vectorized where lanes are
// neighbours.
std::string draw_kinds(const std::vector<std::string>& order, const Target& target) {
  std::vector<std::string> axes = {"thread.0", "thread.1", "thread.2", "group.0", "group.1"};
  testing::shuffle(axes);
  const bool binds = runs_work_groups(target);
  const auto bound = static_cast<size_t>(testing::draw(0, binds ? std::ssize(order) : 1));
  std::string text;
  for (size_t l = 0; l < order.size(); ++l) {
    if (l < bound)
      text += binds ? fmt::format(" ; bind({}, {})", order[l], axes[l])
                    : fmt::format(" ; parallel({})", order[l]);
    else if (order[l] == "i" && l + 1 == order.size() && testing::chance(2))
      text += " ; vectorize(i)";
    else if (testing::chance(3))
      text += fmt::format(" ; unroll({})", order[l]);
  }
  return text;
}

// The last stage is cut, and the one before it computed inside.
Trace draw_tails(const Region& region, int64_t extent, const Target& target) {
  const DrawnLoops loops = draw_two_tails(extent);
  const std::string& stage = region.computations.back().name;
  std::string text =
      fmt::format("loops {}: {} ; reorder({}){}\n", stage, fmt::join(loops.splits, " ; "),
                  fmt::join(loops.order, ", "), draw_kinds(loops.order, target));
  if (region.computations.size() > 1 && testing::chance(2))
    text += fmt::format("loops {}: compute_at(stage={}, loop={})\n",
                        region.computations.front().name, stage, testing::pick(loops.order));
  return right(parse_trace(text), text);
}

void every_element_is_made(const Target& target) {
  const int64_t extent = testing::draw(4, 23);
  const std::vector<std::string> regions = {"Y[h,i]=X[h,i]*2:h={},i=3",
                                            "Y[h,i]+=X[h,k]*W[k,i]:h={},i=3,k=2",
                                            "A[h,i]=X[h,i]*2;Y[h,i]=A[h,i]+A[h,i]*X[h,i]:h={},i=3",
                                            "A[h]+=X[h,k]*W[k];Y[h,i]=A[h]*X[h,i]:h={},i=3,k=3"};
  const Region region =
      testing::written_region(fmt::format(fmt::runtime(testing::pick(regions)), extent));
  const Trace trace = draw_tails(region, extent, target);
  const Result<Program> program = testing::lowered(region, trace, target);
  RC_PRE(program.has_value());
  const auto verdict = testing::computes(region, *program);
  if (!verdict)
    RC_FAIL(print(region) + "\n" + print(trace) + verdict.message() + "\n" + print(*program));
}

RC_GTEST_PROP(CutTailsLaw, EveryElementIsMadeByThreads, ()) {
  every_element_is_made(testing::cpu());
}

RC_GTEST_PROP(CutTailsLaw, EveryElementIsMadeByWorkItems, ()) {
  every_element_is_made(testing::opencl_with_images());
}

TEST(CutTails, FailsWhereTheRoundsAreInside) {
  EXPECT_ERROR(twice("split(loop=j, factor=18, tail=cut) ; reorder(j.1, i, j.0) ; unroll(j.0)"),
               "loop j.1: 17 of its rounds are cut short");
}

TEST(CutTails, LoopsWithATailAreNotFused) {
  EXPECT_ERROR(twice("split(loop=j, factor=16, tail=cut) ; reorder(i, j.0, j.1) ; fuse(i, j.0)"),
               "fuse(i, j.0): loop j.0 was cut where its factor does not divide it, fuse before");
  EXPECT_ERROR(twice("split(loop=j, factor=37, tail=cut)"),
               "factor 37 leaves no whole round of loop j with extent 37");
}

}  // namespace
}  // namespace dovetail
