// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/winograd_inner_product.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/ir/region/task_spec.h"
#include "measure/check/output_check.h"
#include "primitives/algorithm/error_estimate.h"
#include "primitives/algorithm/planned_stage.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "tests/primitives/lowered.h"
#include "tests/support/computation_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/schedule_text.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::computes_closely;
using testing::cpu;
using testing::lowered;
using testing::operator_of;

constexpr const char* kOfPairs = "gmm:m=3,n=8,k=16+bias+relu";

TEST(Pairs, MakesThreeStages) {
  const Schedule schedule =
      *apply(*parse_trace("algorithm: winograd_inner_product(of=4, apart=2)\n"),
             operator_of(kOfPairs), cpu());
  EXPECT_EQ(testing::print_stages(schedule),
            "W.pairs once: for b<1, n<8: W.pairs[b, n] = sum(k<2, k.lane<2; "
            "W[b, 8*k + k.lane, n] * W[b, 8*k + k.lane + 2, n])\n"
            "X.pairs: for b<1, m<3: X.pairs[b, m] = sum(k<2, k.lane<2; "
            "X[b, m, 8*k + k.lane] * X[b, m, 8*k + k.lane + 2])\n"
            "gmm: for b<1, m<3, n<8: Y[b, m, n] = max(sum(k<16; X[b, m, k] * W[b, k, n]) - "
            "W.pairs[b, n] - X.pairs[b, m] + bias[n], 0)\n");
  EXPECT_EQ(*testing::parse_schedule(print(schedule)), schedule);
}

TEST(Pairs, TakesProductsByFours) {
  const auto program = lowered(kOfPairs,
                               "algorithm: winograd_inner_product(of=4, apart=2)\n"
                               "loops: split(loop=k, factor=8) ; split(loop=k.1, factor=2) ; "
                               "reorder(m, k.0, k.1.1, k.1.0, n) ; unroll(k.1.0) ; vectorize(n) ; "
                               "cache_write(tensor=Y, at=m)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/algorithm/winograd_inner_product");
  EXPECT_EQ(parse_program(print(*program)), *program);
  EXPECT_TRUE(computes(operator_of(kOfPairs), *program)) << "small integers stay exact";
}

TEST(Pairs, TakeATail) {
  for (const char* tail :
       {"+bias+tail(@*min(max(@/6+0.5,0),1))", "+tail(select(@<0,@*A[n],@)+B[m]:const=A)",
        "+tail(integer(min(max(floor(@/A[0]+0.5),0),255)):Y=u8,const=A)"}) {
    const Operator op = operator_of("gmm:m=3,n=8,k=16" + std::string(tail));
    for (const char* text : {"algorithm: winograd_inner_product(of=4, scale=16)\n"
                             "loops: cache_write(tensor=Y, at=n)\n",
                             "algorithm: winograd_inner_product(of=4, apart=2)\n"
                             "loops: split(loop=k, factor=8) ; split(loop=k.1, factor=2) ; "
                             "reorder(m, k.0, k.1.1, k.1.0, n) ; unroll(k.1.0) ; vectorize(n) ; "
                             "cache_write(tensor=Y, at=m)\n"}) {
      const Trace trace = *parse_trace(text);
      const Result<Program> program = lowered(op, trace, cpu());
      ASSERT_TRUE(program) << program.error().message;
      EXPECT_TRUE(computes(op, trace, *program)) << tail;
    }
  }
}

// The stored weights are larger, and the sum is made smaller again before the bias.
TEST(Pairs, ConstantsAreScaledTowardsTheActivations) {
  const auto program = lowered(kOfPairs, "algorithm: winograd_inner_product(of=4, scale=16)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/algorithm/winograd_inner_product_scaled");
  EXPECT_EQ(parse_program(print(*program)), *program);
  EXPECT_TRUE(computes(operator_of(kOfPairs), *program)) << "small integers stay exact";
}

// Weights of the check are as small as networks' are; scaled, they cost a tenth of the accuracy.
TEST(Pairs, ScaledConstantsRoundLess) {
  const Operator op = operator_of("gmm:m=8,n=16,k=1024");
  const auto rounds_within = [&](const char* trace, double bound) {
    return bool(computes_closely(op, *lowered(op, *parse_trace(trace), cpu()), bound));
  };
  EXPECT_FALSE(rounds_within("algorithm: winograd_inner_product(of=4)\n", 4e-7));
  EXPECT_TRUE(rounds_within("algorithm: winograd_inner_product(of=4, scale=32)\n", 4e-7));
}

TEST(Pairs, OfTwoSignsTakeTurns) {
  const std::optional<Trace> trace =
      *parse_trace("algorithm: winograd_inner_product(of=4, signs=2)\n");
  EXPECT_EQ(print(*trace->algorithm), "winograd_inner_product(of=4, signs=2)");
  const Schedule schedule = *apply(*trace, operator_of(kOfPairs), cpu());
  EXPECT_EQ(print(schedule.stages[1].computation),
            "for b<1, m<3: X.pairs[b, m] = sum(k<2; X[b, m, 8*k] * X[b, m, 8*k + 1] - "
            "X[b, m, 8*k + 4] * X[b, m, 8*k + 5])");
  EXPECT_EQ(*testing::parse_schedule(print(schedule)), schedule);
}

// The terms that pairs of one sign add, and subtract at the end, grow with the sum's length.
TEST(Pairs, OfTwoSignsKeepDigitsOfActivationsWithAMean) {
  const Computation c = define(operator_of("gmm:m=8,n=16,k=1024"));
  const OperandSizes rectified{
      .activation_rms = 1, .activation_mean = 0.8, .constant_rms = 0.05, .column_norm = 1.4};
  const auto error = [&](int64_t signs) {
    return *estimated_error(
        c, algorithm::WinogradInnerProduct{.of = 4, .scale = 16, .signs = signs}, rectified);
  };
  EXPECT_LT(3 * error(2), error(1));
}

TEST(Pairs, RoundsWithinItsBound) {
  const std::optional<Algorithm> pairs = algorithm::WinogradInnerProduct{.of = 4, .apart = 1};
  const Operator op = operator_of("gmm:m=8,n=16,k=256");
  const auto program =
      lowered(op, *parse_trace("algorithm: winograd_inner_product(of=4)\n"), cpu());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes_closely(op, *program, tolerance_of(region_of(op), pairs).sums));
}

struct InnerProductCase {
  std::string spec, trace;
};

// Windows, paddings, strides, groups and batches; whole loops or cut ones.
InnerProductCase draw_case() {
  const auto in = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  const int of = in(2, 4), apart = in(1, 3), groups = in(1, 3), signs = in(1, 2);
  const int terms = of * apart * signs * groups;
  const std::string epilogue = *rc::gen::element<std::string>("", "+bias", "+bias+relu", "+add");
  const bool is_product = in(0, 2) == 0;
  const std::string axis = is_product ? "k" : "i";
  InnerProductCase drawn;
  drawn.spec = is_product
                   ? fmt::format("gmm:b={},m={},n={},k={}", in(1, 2), in(1, 5), in(1, 6), terms)
                   : fmt::format("c2d:n={},ci={},co={},h={},w={},k={},s={},p={}", in(1, 2), terms,
                                 in(1, 6), in(3, 6), in(3, 6), in(1, 3), in(1, 2), in(0, 1));
  drawn.spec += epilogue;
  drawn.trace =
      fmt::format("algorithm: winograd_inner_product(of={}, apart={}, scale={}, signs={})\n", of,
                  apart, 1 << in(0, 6), signs);
  if (in(0, 1) == 1 && apart > 1)
    drawn.trace += fmt::format("layout X: split(axis={}, factor={})\n", axis, apart);
  if (apart > 1)
    drawn.trace += fmt::format("loops: split(loop={}, factor={})\n", axis, apart);
  else if (in(0, 1) == 1 && groups > 1)
    drawn.trace +=
        fmt::format("loops: split(loop={}, factor={}) ; unroll({}.1)\n", axis, of * signs, axis);
  return drawn;
}

RC_GTEST_PROP(InnerProductLaw, ComputeEveryShapeExactlyOnIntegers, ()) {
  const InnerProductCase drawn = draw_case();
  RC_LOG() << drawn.spec << "\n" << drawn.trace;
  const Operator op = operator_of(drawn.spec);
  const auto program = lowered(op, *parse_trace(drawn.trace), cpu(4, 16));
  if (!program) RC_LOG() << program.error().message;
  RC_ASSERT(program.has_value());
  RC_ASSERT(computes(op, *program));
}

// A sum that is left out, or of the wrong elements, must show.
TEST(Pairs, EverySumMatters) {
  const Operator op = operator_of(kOfPairs);
  const Schedule right =
      *apply(*parse_trace("algorithm: winograd_inner_product(of=4)\n"), op, cpu());
  ASSERT_TRUE(computes(op, *lower(right, cpu())));
  for (const size_t s : {0, 1}) {
    Schedule wrong = right;
    std::swap(wrong.stages[s].computation.reads[0], wrong.stages[s].computation.reads[1]);
    EXPECT_TRUE(computes(op, *lower(wrong, cpu()))) << "a product of two";
    wrong.stages[s].computation.reads[1] = wrong.stages[s].computation.reads[0];
    EXPECT_FALSE(computes(op, *lower(wrong, cpu()))) << s;
  }
}

TEST(Pairs, SaysWhyItCannot) {
  const auto with = [](const char* spec, const std::string& rest, const std::string& pairs) {
    return lowered(spec, "algorithm: winograd_inner_product(" + pairs + ")\n" + rest);
  };
  EXPECT_ERROR(with(kOfPairs, "", "of=1"),
               "algorithm winograd_inner_product(of=1): gmm: of=1, expected 2 to 1024");
  EXPECT_ERROR(with(kOfPairs, "", "of=4, apart=0"),
               "algorithm winograd_inner_product(of=4, apart=0): gmm: apart=0, expected 1 to 1024");
  EXPECT_ERROR(with(kOfPairs, "", "of=4, scale=24"),
               "winograd_inner_product(of=4, scale=24): gmm: scale=24, expected a power of two "
               "from 1 to 64");
  EXPECT_ERROR(with("gmm:m=2,n=2,k=6", "", "of=4"),
               "gmm: no axis that is summed over is an index of X and of W and a multiple of 4 "
               "long");
  EXPECT_ERROR(with("dep:c=8,h=8,w=8,k=3,p=1", "", "of=4"), "no axis that is summed over");
  EXPECT_ERROR(with(kOfPairs, "loops: split(loop=k, factor=2)\n", "of=4"),
               "stage gmm: pairs along k, whose loop k.1 has extent 2, expected a multiple of 4");
  EXPECT_ERROR(with(kOfPairs, "", "of=4, apart=2"),
               "stage gmm: pairs along k, which no loop steps along by 2");
  EXPECT_ERROR(with(kOfPairs, "loops: prefetch(tensor=W, at=k, distance=1)\n", "of=4"),
               "stage gmm: prefetch at loop k, which counts pairs; expected one around it");
  EXPECT_ERROR(with(kOfPairs, "layout bias: store_at(host=W, axis=k)\n", "of=4"),
               "layout bias: store_at with algorithm winograd_inner_product, expected none");
  EXPECT_ERROR(with(kOfPairs, "loops: rfactor(k)\n", "of=4"),
               "the products of gmm are taken by pairs, expected a sum of products");
  EXPECT_ERROR(plan_stages(parse_task_spec("T[m,n]+=X[m,k]*W[k,n]; Y[m,n]=T[m,n]*W[m,n]:"
                                           "m=8,n=8,k=8,const=W")
                               ->region,
                           algorithm::WinogradInnerProduct{.of = 4, .scale = 8}),
               "is stored 8 times, but");
}

}  // namespace
}  // namespace dovetail
