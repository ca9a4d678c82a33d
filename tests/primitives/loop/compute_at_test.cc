// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/compute_at.h"

#include <gtest/gtest.h>

#include "primitives/apply.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/schedule_parse.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;

constexpr const char* kSpec = "c2d:ci=16,co=16,h=8,w=8,k=3,p=1+bias";
constexpr const char* kLayouts =
    "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1) reorder(n, h, w, i)\n"
    "layout W: reorder(kh, kw, i, o)\n"
    "layout Y: reorder(n, h, w, o)\n"
    "loops: split(loop=h, factor=2) ; split(loop=w, factor=4)"
    " ; reorder(n, h.0, w.0, kh, kw, i, h.1, w.1, o) ; unroll(h.1) ; unroll(w.1) ; vectorize(o)"
    " ; cache_write(tensor=Y, at=w.0) ; parallel(h.0)\n";

Result<Program> placed(const std::string& line, const Target& target = cpu()) {
  return lowered(kSpec, kLayouts + line, target);
}

TEST(LoopComputeAt, PutsThePassInsideTheLoopAsTheGoldenText) {
  const auto program = placed("loops X.pad: compute_at(stage=c2d, loop=h.0)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/compute_at");
  EXPECT_EQ(workspace_bytes(*program), 0);
}

TEST(LoopComputeAt, AnyLoopGivesTheSameResult) {
  for (const char* loop : {"n", "h.0", "w.0", "kh", "kw", "i"}) {
    const auto program =
        placed(std::string("loops X.pad: compute_at(stage=c2d, loop=") + loop + ")\n");
    if (std::string_view(loop) == "n") {
      EXPECT_ERROR(program,
                   "loops X.pad: compute_at(stage=c2d, loop=n): loop h.0 of c2d is shared by "
                   "threads inside loop n, expected around it");
      continue;
    }
    ASSERT_TRUE(program) << loop << ": " << program.error().message;
    EXPECT_TRUE(computes(operator_of(kSpec), *program)) << print(*program);
  }
}

TEST(LoopComputeAt, ItsLineGoesOnWithLoopsOverThePart) {
  const auto program = placed(
      "loops X.pad: compute_at(stage=c2d, loop=w.0) ; split(loop=i, factor=8) ; reorder(i.0, h, w, "
      "i.1) ; vectorize(i.1) ; unroll(w)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(operator_of(kSpec), *program)) << print(*program);
  EXPECT_NE(print(*program).find("private X.pad[1, 4, 6, 16]"), std::string::npos);
}

TEST(LoopComputeAt, TheScheduleSaysWhichPart) {
  const auto schedule =
      apply(*parse_trace(std::string(kLayouts) + "loops X.pad: compute_at(stage=c2d, loop=w.0)\n"),
            operator_of(kSpec), cpu());
  ASSERT_TRUE(schedule) << schedule.error().message;
  const Attachment& a = *schedule->stages[0].attachment;
  EXPECT_EQ(a.extents, (std::vector<int64_t>{1, 4, 6, 16}));
  EXPECT_EQ(print(a.starts[1]), "2*c2d.h.0");
  EXPECT_EQ(print(a.starts[2]), "4*c2d.w.0");
  EXPECT_EQ(testing::parse_schedule(print(*schedule)), schedule);
}

TEST(LoopComputeAt, WorksOnADeviceInsideTheBoundLoops) {
  constexpr const char* kBound =
      "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)\n"
      "loops: bind(n, group.1) ; bind(o, group.0) ; bind(h, thread.0)"
      " ; cache_write(tensor=Y, at=w)\n";
  const auto at = [&](const std::string& loop) {
    return lowered(kSpec, kBound + ("loops X.pad: compute_at(stage=c2d, loop=" + loop + ")\n"),
                   opencl_with_images());
  };
  const auto inside = at("h");
  ASSERT_TRUE(inside) << inside.error().message;
  EXPECT_TRUE(computes(operator_of(kSpec), *inside));
  EXPECT_ERROR(at("o"), "loop h of c2d is shared by threads inside loop o");
}

TEST(LoopComputeAt, FailsWithItsReason) {
  EXPECT_ERROR(placed("loops X.pad: compute_at(stage=c2d, loop=k)\n"),
               "compute_at(stage=c2d, loop=k): no loop k, expected one of n, h.0, w.0");
  EXPECT_ERROR(placed("loops X.pad: compute_at(stage=c2d, loop=o)\n"),
               "loop o of c2d is vectorized, expected one that stays a loop");
  EXPECT_ERROR(placed("loops X.pad: compute_at(stage=c2d, loop=w.1)\n"),
               "loop w.1 of c2d is unrolled, expected one that stays a loop");
  EXPECT_ERROR(placed("loops X.pad: compute_at(stage=gmm, loop=w)\n"),
               "no stage gmm, expected one of X.pad, c2d");
  EXPECT_ERROR(placed("loops X.pad: vectorize(i) ; compute_at(stage=c2d, loop=h.0)\n"),
               "it makes the loops, expected it first in its line");
  EXPECT_ERROR(placed("loops X.pad: compute_at(stage=c2d, loop=h.0) ; parallel(h)\n"),
               "loops X.pad: loop h is parallel, but stage X.pad runs inside loop h.0 of c2d");
  EXPECT_ERROR(lowered(kSpec, "loops: compute_at(stage=c2d, loop=h)\n"),
               "no stage reads what stage c2d makes");
  EXPECT_ERROR(lowered("c2d:ci=64,co=4,h=56,w=56,k=3,p=1",
                       "layout X: pad(axis=h, before=1, after=1)\n"
                       "loops X.pad: compute_at(stage=c2d, loop=n)\n"),
               "the part of X.pad has 861184 bytes, private memory holds 65536; choose a loop "
               "further inside");
}

TEST(LoopComputeAt, FailsInsideTheTileThatIsSummedUp) {
  EXPECT_ERROR(lowered(kSpec,
                       "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)\n"
                       "loops: cache_write(tensor=Y, at=h)\n"
                       "loops X.pad: compute_at(stage=c2d, loop=w)\n"),
               "loop w of c2d is inside the tile that it sums up");
}

constexpr const char* kSoftmax =
    "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i=6,j=10";

Result<Program> softmax(const std::string& lines) {
  return lowered(testing::written_region(kSoftmax), *parse_trace(lines), cpu());
}

TEST(LoopComputeAt, PutsReductionsAndAllTheirReadersInOneLoopAsTheGoldenText) {
  const auto program = softmax(
      "loops M: compute_at(stage=Y, loop=i)\n"
      "loops E: compute_at(stage=Y, loop=i)\n"
      "loops D: compute_at(stage=Y, loop=i)\n"
      "loops Y: parallel(i)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/compute_at_softmax");
  EXPECT_EQ(workspace_bytes(*program), 0);
  EXPECT_TRUE(computes(testing::written_region(kSoftmax), *program));
}

TEST(LoopComputeAt, FailsWhereAReaderRunsElsewhere) {
  EXPECT_ERROR(softmax("loops E: compute_at(stage=Y, loop=i)\n"),
               "loops E: compute_at(stage=Y, loop=i): E is read by D, Y, expected all of them to "
               "be Y or to run inside it");
  EXPECT_ERROR(softmax("loops E: compute_at(stage=Y, loop=j)\n"
                       "loops D: compute_at(stage=Y, loop=i)\n"),
               "loops E: compute_at(stage=Y, loop=j): D reads E outside loop j of Y, expected "
               "inside");
}

TEST(LoopComputeAt, MakesTheHaloOfAReductionInEachRound) {
  const Region region = testing::written_region(
      "A[o,h]+=X[i,h+r-1]*W[o,i,r];Y[o,h]+=A[i,h+r-1]*V[o,i,r]"
      ":o=4,i=4,h=8,r=3,X=4x8,const=W.V");
  const auto program =
      lowered(region,
              *parse_trace("loops A: compute_at(stage=Y, loop=h.0)\n"
                           "loops Y: split(loop=h, factor=4) ; reorder(h.0, o, h.1, i, r)\n"),
              cpu());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_NE(print(*program).find("private A[4, 6]"), std::string::npos) << print(*program);
  EXPECT_TRUE(computes(region, *program)) << print(*program);
}

}  // namespace
}  // namespace dovetail
