// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/store_at.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "primitives/apply.h"
#include "tests/primitives/lowered.h"
#include "tests/support/computation_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::operator_of;

JoinedComputation joined(std::string_view spec, const std::string& lines) {
  return *apply_store_at(parse_trace(lines)->layouts, define(operator_of(spec)));
}

TEST(LayoutStoreAt, PutsABiasUnderAWeightMatrix) {
  const JoinedComputation j =
      joined("gmm:m=4,n=8,k=16+bias", "layout bias: store_at(host=W, axis=k)\n");
  EXPECT_EQ(print(j.computation),
            "for b<1, m<4, n<8: Y[b, m, n] = sum(k<16; X[b, m, k] * W[b, k, n]) + W[0, 16, n]");
  EXPECT_EQ(j.guests.at("W"), (std::vector<Guest>{{"bias", {{"n", 8}}, "k", 16}}));
}

TEST(LayoutStoreAt, PutsABiasUnderAConvolutionsWeights) {
  const JoinedComputation j =
      joined("c1d:ci=3,co=8,w=9,k=3+bias+relu", "layout bias: store_at(host=W, axis=i)\n");
  EXPECT_EQ(print(j.computation),
            "for n<1, o<8, w<7: Y[n, o, w] = max(sum(i<3, kw<3; X[n, i, kw + w] * W[o, i, kw]) + "
            "W[o, 3, 0], 0)");
}

constexpr const char* kSpec = "gmm:m=4,n=32,k=16+bias+relu";
constexpr const char* kTrace =
    "layout W: pad(axis=k, before=0, after=3) split(axis=k, factor=4) split(axis=n, factor=16) "
    "reorder(b, n.0, k.0, k.1, n.1)\n"
    "layout bias: store_at(host=W, axis=k)\n"
    "loops: split(loop=n, factor=16) ; split(loop=k, factor=4) ; "
    "reorder(n.0, m, k.0, k.1, n.1) ; vectorize(n.1) ; "
    "cache_write(tensor=Y, at=m)\n";

TEST(LayoutStoreAt, GoldenProgramOfAMatrixProduct) {
  EXPECT_GOLDEN(print(*lowered(kSpec, kTrace)), "primitives/store_at");
}

TEST(LayoutStoreAt, ComputesTheOperator) {
  EXPECT_TRUE(computes(operator_of(kSpec), *lowered(kSpec, kTrace)));
  const char* convolution = "c2d:n=2,ci=3,co=8,h=5,w=6,k=3,p=1+bias+relu";
  for (const char* axis : {"i", "kh", "kw"}) {
    const std::string trace = "layout bias: store_at(host=W, axis=" + std::string(axis) + ")\n";
    EXPECT_TRUE(computes(operator_of(convolution), *lowered(convolution, trace))) << axis;
  }
}

TEST(LayoutStoreAt, IsOneBufferForBoth) {
  const Program program = *lowered(kSpec, kTrace);
  EXPECT_EQ(find_buffer(program, "bias"), nullptr);
  EXPECT_EQ(buffer_bytes(buffer_named(program, "W")), 4 * 20 * 32);
}

RC_GTEST_PROP(LayoutStoreAtLaw, ChangesNoResult, ()) {
  const auto draw = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  const int k = draw(1, 9), n = draw(1, 9), tile = draw(1, 4);
  const Operator op =
      operator_of("gmm:b=" + std::to_string(draw(1, 2)) + ",m=3,n=" + std::to_string(n) +
                  ",k=" + std::to_string(k) + ",ta=" + std::to_string(draw(0, 1)) +
                  ",tb=" + std::to_string(draw(0, 1)) + "+bias");
  const int rest = (tile - (k + 1) % tile) % tile;
  std::string trace = "layout W:";
  if (rest > 0) trace += " pad(axis=k, before=0, after=" + std::to_string(rest) + ")";
  trace += "\nlayout bias: store_at(host=W, axis=k)\n";
  const Result<Program> program = lowered(op, *parse_trace(trace), cpu());
  RC_ASSERT(program.has_value());
  RC_ASSERT(computes(op, *program) == true);
}

void expect_refused(std::string_view spec, const std::string& lines, const std::string& message) {
  EXPECT_ERROR(apply_store_at(parse_trace(lines)->layouts, define(operator_of(spec))), message);
}

TEST(LayoutStoreAt, FailsForActivations) {
  expect_refused("gmm:m=4,n=8,k=16,b_const=0+bias", "layout bias: store_at(host=W, axis=k)\n",
                 "layout bias: store_at(host=W, axis=k): W is no constant; joining it would be a "
                 "pass of every "
                 "inference");
  expect_refused("gmm:m=4,n=8,k=16+bias", "layout X: store_at(host=W, axis=k)\n",
                 "layout X: store_at(host=W, axis=k): X is no constant; joining it would be a pass "
                 "of every inference");
}

TEST(LayoutStoreAt, FailsWithoutTheHostOrItsAxis) {
  expect_refused("gmm:m=4,n=8,k=16+bias", "layout bias: store_at(host=V, axis=k)\n",
                 "layout bias: store_at(host=V, axis=k): no tensor V to store it in");
  expect_refused("gmm:m=4,n=8,k=16+bias", "layout bias: store_at(host=W, axis=q)\n",
                 "layout bias: store_at(host=W, axis=q): W has no axis q, expected one of b, k, n");
  expect_refused("gmm:m=4,n=8,k=16+bias", "layout bias: store_at(host=bias, axis=n)\n",
                 "layout bias: store_at(host=bias, axis=n): a tensor cannot hold itself");
}

TEST(LayoutStoreAt, FailsWhenTheGuestLiesAlongNoAxisOfTheHost) {
  expect_refused(
      "gmm:m=4,n=8,k=16+bias", "layout W: store_at(host=bias, axis=n)\n",
      "layout W: store_at(host=bias, axis=n): bias has no axis b that W could lie along");
}

TEST(LayoutStoreAt, FailsBesideOtherPrimitives) {
  expect_refused(
      "gmm:m=4,n=8,k=16+bias", "layout bias: store_at(host=W, axis=k) split(axis=n, factor=2)\n",
      "layout bias: store_at(host=W, axis=k): found other primitives beside it, expected "
      "it alone; the host's line has them");
  expect_refused("gmm:m=4,n=8,k=16+bias",
                 "layout bias: split(axis=n, factor=2) store_at(host=W, axis=k)\n",
                 "layout bias: store_at after other primitives, expected it alone");
  expect_refused("gmm:m=4,n=8,k=16+bias", "layout bias: store_at(host=W, axis=k) ; scope texture\n",
                 "layout bias: store_at(host=W, axis=k): found scope texture, expected the host's");
}

TEST(LayoutStoreAt, OfAnUnknownTensorIsNamed) {
  const Result<Schedule> schedule =
      apply(*parse_trace("layout V: store_at(host=W, axis=k)\n"), operator_of(kSpec), cpu());
  EXPECT_ERROR(schedule, "layout V: no such tensor, expected one of X, W, bias, Y");
}

}  // namespace
}  // namespace dovetail
