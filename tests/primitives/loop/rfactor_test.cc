// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/stages.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "primitives/apply.h"
#include "primitives/loop/apply_loop.h"
#include "tests/primitives/lowered.h"
#include "tests/support/computation_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/schedule_text.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::operator_of;
using testing::print_loops;

constexpr const char* kLongSum = "gmm:m=1,n=8,k=24+bias+relu";

Result<Schedule> factored(std::string_view spec, const std::string& trace) {
  return apply(TRY(parse_trace(trace)), operator_of(spec), cpu());
}

TEST(LoopRFactor, MakesTwoStages) {
  const Schedule schedule = *factored(kLongSum, "loops: split(loop=k, factor=6) ; rfactor(k.0)\n");
  ASSERT_EQ(schedule.stages.size(), 2u);
  EXPECT_EQ(schedule.stages[0].name, "Y.rf");
  EXPECT_EQ(print_loops(schedule.stages[0]), "b:1 m:1 n:8 k.0:4 k.1:6 sum");
  EXPECT_EQ(schedule.stages[1].name, "gmm");
  EXPECT_EQ(print_loops(schedule.stages[1]), "b:1 m:1 n:8 k.0:4 sum");
  EXPECT_EQ(print(schedule.stages[0].computation),
            "for k.0<4, b<1, m<1, n<8: Y.rf[k.0, b, m, n] = "
            "sum(k.1<6; X[b, m, 6*k.0 + k.1] * W[b, 6*k.0 + k.1, n])");
  EXPECT_EQ(print(schedule.stages[1].computation),
            "for b<1, m<1, n<8: Y[b, m, n] = max(sum(k.0<4; Y.rf[k.0, b, m, n]) + bias[n], 0)");
  EXPECT_EQ(*testing::parse_schedule(print(schedule)), schedule);
}

TEST(LoopRFactor, StoresPartialSumsLikeTheOutputBehindTheLoop) {
  const Schedule schedule = *factored("gmm:m=1,n=8,k=24",
                                      "layout Y: split(axis=n, factor=4) reorder(n.0, m, n.1)\n"
                                      "loops: rfactor(k)\n");
  EXPECT_EQ(print(schedule.tensors.back().layout, schedule.tensors.back().tensor),
            "Y.rf[k=24, b=1, m=1, n=8] as [k@1:24] [b@1:1] [n@4:2 =n.0] [m@1:1] [n@1:4 =n.1]");
  EXPECT_EQ(schedule.tensors.back().role, BufferRole::temporary);
}

TEST(LoopRFactor, LetsThreadsShareAReduction) {
  const auto program = lowered(kLongSum,
                               "loops: split(loop=k, factor=6) ; rfactor(k.0) ; reorder(k.0, n) ; "
                               "vectorize(n) ; cache_write(tensor=Y, at=root)\n"
                               "loops Y.rf: reorder(k.0, k.1, n) ; vectorize(n) ; parallel(k.0) ; "
                               "cache_write(tensor=Y.rf, at=k.0)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/rfactor");
  EXPECT_TRUE(computes(operator_of(kLongSum), *program));
}

TEST(LoopRFactor, OfAWholeWindowLeavesNoSumInside) {
  const auto program = lowered("c1d:ci=2,co=3,w=7,k=3,p=1", "loops: rfactor(kw)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(operator_of("c1d:ci=2,co=3,w=7,k=3,p=1"), *program));
}

TEST(LoopRFactor, OfFusedReductionsSplitsThem) {
  const auto program =
      lowered("c1d:ci=4,co=3,w=7,k=3,p=1",
              "loops: fuse(i, kw) ; split(loop=i_kw, factor=6) ; rfactor(i_kw.0)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(operator_of("c1d:ci=4,co=3,w=7,k=3,p=1"), *program));
}

TEST(LoopRFactor, HasDigitsOfTheOutputThatItsSumFuses) {
  const std::string trace =
      "layout Y: split(axis=n, factor=4) split(axis=n.0, factor=2) reorder(m, n.0.0, n.0.1, n.1)\n"
      "loops: split(loop=k, factor=6) ; rfactor(k.0) ; reorder(m, n.0.0, n.0.1, k.0, n.1) ; "
      "vectorize(n.1) ; fuse(n.0.0, n.0.1) ; cache_write(tensor=Y, at=n.0)\n";
  const Result<Program> program = lowered("gmm:m=3,n=16,k=24", trace);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(operator_of("gmm:m=3,n=16,k=24"), *program));
}

TEST(LoopRFactor, OfPhasesSaysTheirDigitsByTheOutputsAxes) {
  constexpr const char* kTransposed = "t2d:ci=4,co=3,h=2,w=5,k=1x4,s=1x2,p=0x1";
  const std::string phases =
      "layout Y: split(axis=w, factor=2)\nlayout W: split(axis=kw, factor=2)\n";
  const Schedule schedule =
      *factored(kTransposed, phases + "loops: split(loop=i, factor=2) ; rfactor(i.0)\n");
  EXPECT_EQ(print(schedule.stages[0].computation),
            "for i.0<2, n<1, o<3, h<2, w<10: Y.rf[i.0, n, o, h, w] = sum(i.1<2, kh<1, kw<2; "
            "X[n, 2*i.0 + i.1, h - kh, -kw + ((w + 1) div 2)] * "
            "W[2*i.0 + i.1, o, kh, 2*kw + ((w + 1) mod 2)])");
  for (const std::string loop : {"i.0", "i.1", "kw"}) {
    const auto program = lowered(
        kTransposed,
        phases + "loops: split(loop=i, factor=2) ; reorder(w.1, w.0, o) ; rfactor(" + loop + ")\n");
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_TRUE(computes(operator_of(kTransposed), *program)) << loop;
  }
}

// Law: whichever loop of a reduction is summed up apart, the operator is the same.
RC_GTEST_PROP(LoopRFactorLaw, ComputesTheOperator, ()) {
  const auto in = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  const int digits = in(1, 3), inner = in(1, 3), m = in(1, 3), n = in(1, 9);
  const std::string spec = "gmm:b=" + std::to_string(in(1, 2)) + ",m=" + std::to_string(m) +
                           ",n=" + std::to_string(n) + ",k=" + std::to_string(4 * inner * digits) +
                           "+bias";
  std::string loops =
      "loops: split(loop=k, factor=" + std::to_string(4 * inner) + ") ; split(loop=k.1, factor=2)";
  const std::vector<std::string> names = {"k.0", "k.1.0", "k.1.1"};
  loops += " ; rfactor(" + names[static_cast<size_t>(in(0, 2))] + ")";
  if (in(0, 1) == 1) loops += " ; reorder(n, m)";
  const auto program = lowered(spec, loops + "\n");
  RC_ASSERT(program.has_value());
  RC_ASSERT(computes(operator_of(spec), *program));
}

TEST(LoopRFactor, SaysWhyItCannot) {
  const auto with = [](const std::string& loops) {
    return factored("gmm:m=2,n=8,k=24", "loops: " + loops + "\n");
  };
  EXPECT_ERROR(with("rfactor(n)"),
               "loops: rfactor(n): loop n is an output loop, expected a "
               "reduction");
  EXPECT_ERROR(with("rfactor(k.0)"),
               "loops: rfactor(k.0): no loop k.0, expected one of b, m, n, k");
  EXPECT_ERROR(with("unroll(k) ; rfactor(k)"), "loops: rfactor(k): loop k is already annotated");
  EXPECT_ERROR(with("cache_write(tensor=Y, at=m) ; rfactor(k)"),
               "rfactor(k): Y is already accumulated at m; rfactor before cache_write");
  EXPECT_ERROR(with("split(loop=k, factor=6) ; rfactor(k.0) ; rfactor(k.0)"),
               "rfactor(k.0): stage gmm is split in two already, or is a part; expected rfactor "
               "once in its line");
  EXPECT_ERROR(factored("gmm:m=2,n=8,k=24", "loops Y.rf: parallel(k)\n"),
               "loops Y.rf: no such stage");
  EXPECT_ERROR(factored("c1d:ci=2,co=2,w=8,k=3",
                        "algorithm: winograd(tile=2)\n"
                        "loops: rfactor(aw)\n"),
               "loops: rfactor(aw): loop aw runs over a table of coefficients");
}

}  // namespace
}  // namespace dovetail
