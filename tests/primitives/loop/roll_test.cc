// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/caching.h"

#include <gtest/gtest.h>

#include "primitives/apply.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/primitives/sliding_traces.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/schedule_text.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::written_region;

constexpr const char* kWindows = "A[c,h]=exp(X[c,h]);Y[c,h]max=A[c,h+r-1]:c=4,h=12,r=3";
constexpr const char* kHost = "loops Y: split(loop=h, factor=4) ; reorder(c, h.0, h.1, r)";

Result<Program> rolled(const std::string& line, const std::string& host = kHost,
                       const char* spec = kWindows) {
  return lowered(written_region(spec), *parse_trace(host + "\nloops A: " + line + "\n"), cpu());
}

TEST(LoopRoll, KeepsTheHaloInARingAsTheGoldenText) {
  const auto program = rolled("compute_at(stage=Y, loop=h.0) ; roll(h)");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/roll");
  EXPECT_TRUE(computes(written_region(kWindows), *program));
}

// The work is counted without running it: every element is made once.
TEST(LoopRoll, MakesNoElementAgain) {
  constexpr const char* kSpec = "A[y]+=X[i,y]*U[i];Y[h]+=A[h+r]*V[r]:y=14,h=12,i=100,r=3,const=U.V";
  const char* host = "loops Y: split(loop=h, factor=2) ; reorder(h.0, h.1, r)";
  const auto fmas = [&](const std::string& line) {
    const auto program = rolled(line, host, kSpec);
    EXPECT_TRUE(program) << program.error().message;
    EXPECT_TRUE(computes(written_region(kSpec), *program)) << print(*program);
    return executed_fmas(*program) - 12 * 3;
  };
  EXPECT_EQ(fmas("compute_at(stage=Y, loop=h.0)"), 6 * 4 * 100);
  EXPECT_EQ(fmas("compute_at(stage=Y, loop=h.0) ; roll(y)"), 14 * 100);
}

TEST(LoopRoll, WithAParallelLoopAroundEachIterationBeginsForItself) {
  const std::string host = std::string(kHost) + " ; parallel(c)";
  for (const char* scope : {"private", "workspace"}) {
    const auto program =
        rolled(std::string("compute_at(stage=Y, loop=h.0, scope=") + scope + ") ; roll(h)", host);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_TRUE(computes(written_region(kWindows), *program)) << print(*program);
    EXPECT_EQ(workspace_bytes(*program), scope[0] == 'w' ? 4 * 6 * 4 : 0);
  }
}

TEST(LoopRoll, ItsLineGoesOnWithLoopsOverWhatIsNew) {
  const auto program = rolled(
      "compute_at(stage=Y, loop=h.0) ; roll(h) ; split(loop=h, factor=2) ; reorder(h.0, c, h.1)"
      " ; unroll(h.1)");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(written_region(kWindows), *program)) << print(*program);
}

TEST(LoopRoll, WindowsLongerThanTwoStepsTakeSeveralRoundsAhead) {
  constexpr const char* kSpec = "A[h]=exp(X[h]);Y[h]max=A[h+r-2]:h=12,r=5";
  const auto expect_right = [&](const std::string& loop, const std::string& host) {
    const auto program = rolled("compute_at(stage=Y, loop=" + loop + ") ; roll(h)", host, kSpec);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_TRUE(computes(written_region(kSpec), *program)) << print(*program);
  };
  expect_right("h", "loops Y: reorder(h, r)");
  for (const char* factor : {"2", "3"})
    expect_right("h.0", std::string("loops Y: split(loop=h, factor=") + factor + ")");
}

TEST(LoopRoll, AlongAReductionOfTheReader) {
  constexpr const char* kSpec = "A[y]=exp(X[y]);Y[h]+=A[h+2*r]*V[r]:y=14,h=8,r=4,const=V";
  const auto program =
      rolled("compute_at(stage=Y, loop=r) ; roll(y)", "loops Y: reorder(r, h)", kSpec);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_NE(print(*program).find("private A[8]"), std::string::npos) << print(*program);
  EXPECT_TRUE(computes(written_region(kSpec), *program)) << print(*program);
}

TEST(LoopRoll, AnInvertedBottleneckIsOneKernelAsTheGoldenText) {
  const Region region = written_region(testing::kBottleneckSpec);
  const auto program = lowered(region, *parse_trace(testing::kBottleneckTrace), cpu());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/bottleneck");
  EXPECT_EQ(workspace_bytes(*program), 4 * 32 * (5 * 13 + 2 * 6));
  EXPECT_EQ(*parse_program(print(*program)), *program);
  EXPECT_TRUE(computes(region, *program)) << print(*program);
}

TEST(LoopRoll, CopiesRollToo) {
  constexpr const char* kSpec = "c2d:ci=4,co=4,h=8,w=6,k=3,p=1";
  const std::string layout = "layout X: pad(axis=h, before=1, after=1) reorder(h, n, i, w)\n";
  const std::string loops =
      "loops: split(loop=h, factor=2) ; reorder(n, h.0, o, w, h.1, i, kh, kw)";
  for (const std::string& lines :
       {layout + loops + "\nloops X.pad: compute_at(stage=c2d, loop=h.0) ; roll(h)\n",
        loops + " ; cache_read(tensor=X, at=h.0, scope=private)\nloops X.cache: roll(h)\n",
        loops + " ; cache_read(tensor=X, at=h.0, scope=workspace)\nloops X.cache: roll(h)\n"}) {
    const auto program = lowered(kSpec, lines);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_NE(print(*program).find("mod 4"), std::string::npos) << print(*program);
    EXPECT_TRUE(computes(testing::operator_of(kSpec), *program)) << print(*program);
  }
}

TEST(LoopRoll, TheScheduleSaysHowItMoves) {
  const auto schedule = apply(
      *parse_trace(std::string(kHost) + "\nloops A: compute_at(stage=Y, loop=h.0) ; roll(h)\n"),
      written_region(kWindows), cpu());
  ASSERT_TRUE(schedule) << schedule.error().message;
  const Attachment& a = *schedule->stages[0].attachment;
  EXPECT_EQ(a.ring, (Ring{.axis = 1, .step = 4, .ahead = 1}));
  EXPECT_EQ(a.around.back().name, "A.round");
  EXPECT_EQ(testing::parse_schedule(print(*schedule)), schedule);
}

TEST(LoopRoll, FailsWithItsReason) {
  EXPECT_ERROR(rolled("roll(h)"), "stage A is a kernel of its own, expected compute_at before");
  EXPECT_ERROR(rolled("compute_at(stage=Y, loop=h.0) ; roll(w)"),
               "loops A: roll(w): no axis w, expected one of c, h");
  EXPECT_ERROR(rolled("compute_at(stage=Y, loop=h.0) ; roll(c)"),
               "the part starts at 4*Y.h.0 - 1 along h, expected a constant step a round along c "
               "and none elsewhere");
  EXPECT_ERROR(rolled("compute_at(stage=Y, loop=c) ; roll(c)"),
               "the part of 1 elements moves by 1 a round, expected 1 to 0");
  EXPECT_ERROR(rolled("compute_at(stage=Y, loop=c) ; roll(h)"), "the part starts at Y.c along c");
  EXPECT_ERROR(rolled("compute_at(stage=Y, loop=h.0) ; unroll(c) ; roll(h)"),
               "loops of the part are changed already, expected it before them");
  EXPECT_ERROR(rolled("compute_at(stage=Y, loop=h.0) ; roll(h) ; roll(h)"), "A rolls already");
  EXPECT_ERROR(rolled("compute_at(stage=Y, loop=h.0) ; roll(h) ; reorder(c, h) ; vectorize(h)"),
               "vectorized loop A.h: index ((A.h + 4*A.round + 4) mod 6) divides loop A.h");
}

TEST(LoopRoll, FailsWhereTheStagePrefetches) {
  EXPECT_ERROR(rolled("compute_at(stage=Y, loop=h.0) ; roll(h) ; prefetch(tensor=X, at=h, "
                      "distance=1)"),
               "stage A: prefetch inside A, which rolls; expected none");
}

TEST(LoopRoll, FailsWhereRoundsDoNotFollowEachOther) {
  EXPECT_ERROR(rolled("compute_at(stage=Y, loop=h.0) ; roll(h)",
                      "loops Y: split(loop=h, factor=4) ; reorder(h.0, c, h.1, r) ; parallel(h.0)"),
               "loop h.0 of Y has no rounds that follow each other, expected a serial loop");
}

TEST(LoopRoll, FailsWhereWhatItReadsIsMadeInTheSameRounds) {
  constexpr const char* kChain = "A[h]=exp(X[h]);B[h]max=A[h+r-1];Y[h]max=B[h+r-1]:h=12,r=3";
  const std::string host =
      "loops Y: split(loop=h, factor=4) ; reorder(h.0, h.1, r)\n"
      "loops B: compute_at(stage=Y, loop=h.0) ; roll(h)";
  EXPECT_ERROR(rolled("compute_at(stage=Y, loop=h.0)", host, kChain),
               "B rolls, and reads A before loop h.0 of Y begins, expected a loop of B");
  const auto inside = rolled("compute_at(stage=B, loop=h) ; roll(h)", host, kChain);
  ASSERT_TRUE(inside) << inside.error().message;
  EXPECT_TRUE(computes(written_region(kChain), *inside)) << print(*inside);
}

}  // namespace
}  // namespace dovetail
