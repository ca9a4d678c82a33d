// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/attach.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "primitives/apply.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/schedule_text.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;

constexpr const char* kComputedSpec = "c2d:ci=16,co=16,h=8,w=8,k=3,p=1+bias";
constexpr const char* kLayouts =
    "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1) reorder(n, h, w, i)\n"
    "layout W: reorder(kh, kw, i, o)\n"
    "layout Y: reorder(n, h, w, o)\n"
    "loops: split(loop=h, factor=2) ; split(loop=w, factor=4)"
    " ; reorder(n, h.0, w.0, kh, kw, i, h.1, w.1, o) ; unroll(h.1) ; unroll(w.1) ; vectorize(o)"
    " ; cache_write(tensor=Y, at=w.0) ; parallel(h.0)\n";

Result<Program> placed(const std::string& line, const Target& target = cpu()) {
  return lowered(kComputedSpec, kLayouts + line, target);
}

TEST(LoopComputeAt, PutsThePassInsideTheLoopAsTheGoldenText) {
  const auto program = placed("loops X.pad: compute_at(stage=c2d, loop=h.0)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/compute_at");
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
    EXPECT_TRUE(computes(operator_of(kComputedSpec), *program)) << print(*program);
  }
}

TEST(LoopComputeAt, ItsLineGoesOnWithLoopsOverThePart) {
  const auto program = placed(
      "loops X.pad: compute_at(stage=c2d, loop=w.0) ; split(loop=i, factor=8) ; reorder(i.0, h, w, "
      "i.1) ; vectorize(i.1) ; unroll(w)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(operator_of(kComputedSpec), *program)) << print(*program);
  EXPECT_NE(print(*program).find("private X.pad[1, 4, 6, 16]"), std::string::npos);
}

TEST(LoopComputeAt, TheScheduleSaysWhichPart) {
  const auto schedule =
      apply(*parse_trace(std::string(kLayouts) + "loops X.pad: compute_at(stage=c2d, loop=w.0)\n"),
            operator_of(kComputedSpec), cpu());
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
    return lowered(kComputedSpec,
                   kBound + ("loops X.pad: compute_at(stage=c2d, loop=" + loop + ")\n"),
                   opencl_with_images());
  };
  const auto inside = at("h");
  ASSERT_TRUE(inside) << inside.error().message;
  EXPECT_TRUE(computes(operator_of(kComputedSpec), *inside));
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
  EXPECT_ERROR(lowered(kComputedSpec, "loops: compute_at(stage=c2d, loop=h)\n"),
               "no stage reads what stage c2d makes");
  EXPECT_ERROR(lowered("c2d:ci=64,co=4,h=56,w=56,k=3,p=1",
                       "layout X: pad(axis=h, before=1, after=1)\n"
                       "loops X.pad: compute_at(stage=c2d, loop=n)\n"),
               "the part of X.pad has 861184 bytes, private memory holds 65536; choose a loop "
               "further inside");
}

TEST(LoopComputeAt, FailsInsideTheTileThatIsSummedUp) {
  EXPECT_ERROR(lowered(kComputedSpec,
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
  EXPECT_GOLDEN(print(*program), "primitives/loop/compute_at_softmax");
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

constexpr const char* kBottleneck =
    "E[m,y,x]=relu(sum(X[i,y,x]*U[m,i]));D[m,h,w]=relu(sum(E[m,2*h+r-1,2*w+s-1]*V[m,r,s]));"
    "Y[n,h,w]+=D[m,h,w]*Z[n,m]:m=8,y=12,x=8,h=6,w=4,i=3,r=3,s=3,n=2,const=U.V.Z";

Result<Program> bottleneck(const std::string& lines, const Target& target = cpu()) {
  return lowered(testing::written_region(kBottleneck), *parse_trace(lines), target);
}

// E is read by D, which runs inside Y: E's part is made at the same loop of Y, in front of D's.
TEST(LoopComputeAt, GoesAroundTheReaderAtALoopOfItsHost) {
  for (const char* scope : {"private", "workspace"}) {
    const std::string at = std::string("compute_at(stage=Y, loop=h.0, scope=") + scope + ")";
    const auto program =
        bottleneck("loops E: " + at + "\nloops D: " + at +
                   "\nloops Y: split(loop=h, factor=2) ; reorder(h.0, n, m, h.1, w)\n");
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(program->kernels.size(), 1u);
    EXPECT_EQ(workspace_bytes(*program), scope[0] == 'w' ? 4 * (8 * 5 * 9 + 8 * 2 * 4) : 0);
    EXPECT_TRUE(computes(testing::written_region(kBottleneck), *program)) << print(*program);
  }
}

TEST(LoopComputeAt, MayGoFurtherOutThanItsReader) {
  const auto program = bottleneck(
      "loops E: compute_at(stage=Y, loop=h.0, scope=workspace)\n"
      "loops D: compute_at(stage=Y, loop=m)\n"
      "loops Y: split(loop=h, factor=3) ; reorder(h.0, m, n, h.1, w)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_NE(print(*program).find("private D[1, 3, 4]"), std::string::npos) << print(*program);
  EXPECT_TRUE(computes(testing::written_region(kBottleneck), *program)) << print(*program);
}

TEST(LoopComputeAt, WorkspaceHasOnePartForEachIterationThatMayRunAtTheSameTime) {
  const Region region =
      testing::written_region("A[c,y]=exp(X[c,y]);Y[c,h]max=A[c,h+r]:c=4,y=14,h=12,r=3");
  const auto program =
      lowered(region,
              *parse_trace("loops A: compute_at(stage=Y, loop=h.0, scope=workspace)\n"
                           "loops Y: split(loop=h, factor=4) ; reorder(c, h.0, h.1, r)"
                           " ; parallel(c)\n"),
              cpu());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/compute_at_workspace");
  EXPECT_EQ(workspace_bytes(*program), 4 * 4 * 6);
  EXPECT_EQ(*parse_program(print(*program)), *program);
  EXPECT_TRUE(computes(region, *program));
}

TEST(LoopComputeAt, WorkspaceOfADeviceIsOfEachWorkItem) {
  const auto program = bottleneck(
      "loops D: compute_at(stage=Y, loop=h, scope=workspace)\n"
      "loops Y: reorder(n, h, m, w) ; bind(n, group.0) ; bind(h, thread.0)\n",
      opencl_with_images());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_NE(print(*program).find("buffer D: f32 temporary D[Y.n=2, Y.h=6, m=8, h=1, w=4]"),
            std::string::npos)
      << print(*program);
  EXPECT_TRUE(computes(testing::written_region(kBottleneck), *program)) << print(*program);
}

TEST(LoopComputeAt, WorkspaceIsFarLargerThanPrivateMemoryButNotEndless) {
  constexpr const char* kLarge = "A[c,h]=relu(X[c,h]);Y[c,h]=A[c,h]*A[c,h]:c=8192,h=4096";
  const auto at = [&](const std::string& line) {
    return lowered(testing::written_region(kLarge),
                   *parse_trace("loops A: " + line +
                                "\nloops Y: split(loop=c, factor=2048) ; reorder(c.0, h, c.1)\n"),
                   cpu());
  };
  const auto rows = at("compute_at(stage=Y, loop=c.0, scope=workspace)");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(workspace_bytes(*rows), 32 << 20);
  EXPECT_ERROR(
      at("compute_at(stage=Y, loop=c.0)"),
      "the part of A has 33554432 bytes, private memory holds 65536; choose a loop further "
      "inside");
  EXPECT_ERROR(lowered(testing::written_region("A[c,h]=relu(X[c,h]);Y[c,h]=A[c,h]*A[c,h]"
                                               ":c=8192,h=65536"),
                       *parse_trace("loops A: compute_at(stage=Y, loop=c.0, scope=workspace)\n"
                                    "loops Y: split(loop=c, factor=128) ; reorder(c.0, h, c.1)"
                                    " ; parallel(c.0)\n"),
                       cpu()),
               "the parts of A for all iterations that may run at the same time have 2147483648 "
               "bytes, expected at most 1073741824");
}

// Each work-item makes its own share of D, and all of them read it.
TEST(LoopComputeAt, LocalTilesOfReductionsNeedTheirSumsInRegisters) {
  const auto at = [](const std::string& line) {
    return bottleneck("loops D: compute_at(stage=Y, loop=h, scope=local) ; " + line +
                          "\nloops Y: reorder(h, w, n, m) ; bind(h, group.0) ; bind(w, thread.0)\n",
                      opencl_with_images());
  };
  EXPECT_ERROR(at("bind(w, thread.0)"),
               "loops D: the sum over r grows in a local tile, expected cache_write outside of all "
               "its reduction loops");
  const auto program =
      at("reorder(w, m, h, r, s) ; bind(w, thread.0) ; cache_write(tensor=D, at=h)");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(testing::written_region(kBottleneck), *program)) << print(*program);
}

// Work-items fill W's tile inside the parts of the sum, which they share as well: each once.
TEST(LoopComputeAt, LocalTilesInsideLocalTilesAreSharedOutOnce) {
  constexpr const char* kSpec = "gmm:m=16,n=16,k=16";
  const auto program = lowered(
      kSpec,
      "loops: split(loop=k, factor=8) ; rfactor(k.0) ; split(loop=m, factor=4) ; "
      "split(loop=n, factor=8) ; split(loop=n.1, factor=4) ; "
      "reorder(m.0, n.0, m.1, n.1.0, k.0, n.1.1) ; vectorize(n.1.1) ; bind(m.0, group.1) ; "
      "bind(n.0, group.0) ; bind(m.1, thread.1) ; bind(n.1.0, thread.0) ; "
      "cache_write(tensor=Y, at=n.1.0)\n"
      "loops Y.rf: compute_at(stage=gmm, loop=n.0, scope=local) ; split(loop=n, factor=4) ; "
      "reorder(k.0, m, n.0, k.1, n.1) ; vectorize(n.1) ; bind(m, thread.1) ; bind(n.0, thread.0) ; "
      "cache_write(tensor=Y.rf, at=n.0) ; cache_read(tensor=W, at=n.0, scope=local)\n",
      opencl_with_images());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(operator_of(kSpec), *program)) << print(*program);
}

// Work-items make parts of M and of V; those of V read M, which each work-item has for itself.
constexpr const char* kNorm =
    "M[i]=sum(X[i,j])/64;V[i]=sum((X[i,j]-M[i])*(X[i,j]-M[i]));Y[i,j]=(X[i,j]-M[i])*V[i]:i=6,j=64";

// `rows`: how rows are bound.
Result<Program> norm_by_parts(const std::string& rows, const std::string& rows_of_parts = "") {
  const auto parts = [&](const std::string& tensor) {
    return fmt::format(
        "loops {0}: split(loop=j, factor=4) ; rfactor(j.0) ; compute_at(stage=Y, loop=j.0) ; "
        "cache_write(tensor={0}, at=i)\n"
        "loops {0}.rf: compute_at(stage=Y, loop=j.0, scope=local) ; bind(j.0, thread.0) ; {1}"
        "cache_write(tensor={0}.rf, at=i)\n",
        tensor, rows_of_parts);
  };
  const std::string lines =
      parts("M") + parts("V") + "loops Y: split(loop=j, factor=4) ; bind(j.0, thread.0) ; " + rows;
  return lowered(testing::written_region(kNorm), *parse_trace(lines), opencl_with_images());
}

TEST(LoopComputeAt, PartsOfSumsThatReadEachOtherAwaitThemAsTheGoldenText) {
  const auto program = norm_by_parts("bind(i, group.0)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/parts_of_sums");
  EXPECT_TRUE(computes(testing::written_region(kNorm), *program)) << print(*program);
}

TEST(LoopComputeAt, WhatWorkItemsShareIsMadeOfWhatTheyAllHave) {
  EXPECT_ERROR(norm_by_parts("bind(i, thread.1)\n", "bind(i, thread.1) ; "),
               "M is read at places that move apart, so that the part is no box");
}

TEST(LoopComputeAt, OfAPartInLocalMemoryAllowsNoCopyOfIt) {
  EXPECT_ERROR(lowered("gmm:m=16,n=16,k=16",
                       "loops: split(loop=k, factor=8) ; rfactor(k.0) ; split(loop=m, factor=4) ; "
                       "reorder(m.0, m.1, n, k.0) ; bind(m.0, group.0) ; bind(m.1, thread.0) ; "
                       "cache_read(tensor=Y.rf, at=m.0, scope=local)\n"
                       "loops Y.rf: compute_at(stage=gmm, loop=m.0, scope=local)\n",
                       opencl_with_images()),
               "Y.rf is copied to local memory, expected no copy of what is made there");
}

// A loop whose iteration data choose stays one iteration.
TEST(LoopComputeAt, InsideWhatDataChooseNothingIsVectorized) {
  const Region region =
      testing::written_region("A[i]=sum(T[clamp(I[k],0,15),i]);Y[i]=A[i]+1:i=4,k=5,T=16x4,I=5xi64");
  const auto program =
      lowered(region, *parse_trace("loops A: compute_at(stage=Y, loop=i)\n"), cpu());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(region, *program)) << print(*program);
}

TEST(LoopComputeAt, FailsWithScopesThatHoldNoPart) {
  EXPECT_ERROR(
      placed("loops X.pad: compute_at(stage=c2d, loop=h.0, scope=registers)\n"),
      "registers hold no part that other loops read, expected private, local or workspace");
  EXPECT_ERROR(placed("loops X.pad: compute_at(stage=c2d, loop=h.0, scope=local)\n"),
               "a cpu target has no local memory, expected scope private");
}

}  // namespace
}  // namespace dovetail
