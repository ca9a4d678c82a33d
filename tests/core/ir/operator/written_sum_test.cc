// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/written_sum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/ir/operator/computation.h"
#include "core/ir/operator/operator.h"
#include "tests/support/computation_text.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

constexpr const char* kConvolution =
    "Y[n,o,h,w]+=X[n,i,h+r-1,s+w-1]*W[o,i,r,s]:n=1,o=8,h=6,w=6,i=4,r=3,s=3,X=1x4x6x6";

TEST(WrittenSum, IsPrintedAsItIsWritten) {
  for (const char* spec :
       {kConvolution, "Y[n,o]+=X[n,i]*W[i,o]:n=4,o=8,i=16",
        "Y[n,o]+=X[n,i]*W[i,o]:n=4,o=8,i=16,b_const=0,dtype=f16+bias+clip(0,1e30)",
        "Y[n,o]+=X[n,i]*W[i,o]:n=4,o=8,i=16,dtype=bf16",
        "Y[n,o]+=X[n,i]*W[i,o]:n=4,o=8,i=16,math=tf32+bias",
        "Y[c,w]+=X[c,3*k+2*w]*W[c,k]:c=5,w=9,k=3+relu"}) {
    EXPECT_EQ(print(*parse_operator(spec)), spec);
  }
}

TEST(WrittenSum, CallsItsTensorsYXAndW) {
  EXPECT_EQ(print(*parse_operator("out[n,o]+=a[n,i]*b[i,o]:i=16,b=16x9,o=8,n=4")),
            "Y[n,o]+=X[n,i]*W[i,o]:n=4,o=8,i=16,W=16x9");
}

TEST(WrittenSum, DropsTheShapeThatItsIndicesHave) {
  EXPECT_EQ(print(*parse_operator("y[w]+=x[w+k]*w1[k]:w=5,k=3,x=7,w1=3")),
            "Y[w]+=X[k+w]*W[k]:w=5,k=3");
}

TEST(WrittenSum, HasTheShapesOfItsTensors) {
  const Operator op = *parse_operator(kConvolution);
  EXPECT_EQ(logical_shape(op, Operand::input), (std::vector<int64_t>{1, 4, 6, 6}));
  EXPECT_EQ(logical_shape(op, Operand::weight), (std::vector<int64_t>{8, 4, 3, 3}));
  EXPECT_EQ(logical_shape(op, Operand::output), (std::vector<int64_t>{1, 8, 6, 6}));
}

TEST(WrittenSum, CountsWhatItsConvolutionCounts) {
  const Operator written = *parse_operator(kConvolution);
  const Operator c2d = *parse_operator("c2d:ci=4,co=8,h=6,w=6,k=3,p=1");
  EXPECT_EQ(nominal_flops(written), nominal_flops(c2d));
  EXPECT_EQ(real_tap_flops(written), real_tap_flops(c2d));
}

TEST(WrittenSum, IsTheComputationOfItsConvolution) {
  const Computation c = define(*parse_operator(kConvolution));
  EXPECT_EQ(print(c),
            "for n<1, o<8, h<6, w<6: Y[n, o, h, w] = sum(i<4, r<3, s<3; "
            "X[n, i, h + r - 1, s + w - 1] * W[o, i, r, s])");
}

TEST(WrittenSum, PutsTheBiasAlongTheColumns) {
  const Operator op = *parse_operator("Y[m,n]+=X[m,k]*W[k,n]:m=3,n=5,k=4+bias");
  EXPECT_EQ(logical_shape(op, Operand::bias), (std::vector<int64_t>{5}));
  EXPECT_EQ(print(define(op).reads.at(2).indices.at(0)), "n");
}

TEST(WrittenSum, RefusesWhatItCannotMean) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"Y[n]+=X[n,i]:n=4,i=2", "expected a product of two tensors, a[…]*b[…]"},
      {"Y[n]+=X[n,i]*W[i]", "has no extents; expected them behind a colon"},
      {"Y[n]+=X[n,i]*W[i]:n=4", "axis i has no extent; expected i=…"},
      {"Y[n]+=X[n,i]*W[i]:n=4,i=0", "key i has \"0\"; expected a whole number from 1"},
      {"Y[n]+=X[n,i]*W[i]:n=4,i=2,i=3", "key i is given twice; expected it once"},
      {"Y[n]+=X[n,i]*W[i]:n=4,i=2,q=3", "unknown key q=3; expected an axis, the shape of X or W"},
      {"Y[n+1]+=X[n,i]*W[i]:n=4,i=2", "index n + 1 of Y; expected an axis alone"},
      {"Y[n,n]+=X[n,i]*W[i]:n=4,i=2", "axis n is in two indices of the output"},
      {"Y[n]+=X[n,i,i]*W[i]:n=4,i=2", "axis i is in two indices of X; expected it in one"},
      {"Y[n,m]+=X[n,i]*W[i]:n=4,i=2,m=3", "axis m is in neither factor; expected it in X or W"},
      {"Y[n]+=X[n]*W[i-1]:n=4,i=2",
       "index i-1 of W runs from -1 to 0; expected it inside 0..0, only X is zero outside"},
      {"Y[n]+=X[n]*X[n]:n=4", "tensors Y, X and X; expected three names"},
      {"Y[X]+=X[X]*W[X]:X=4", "axis \"X\"; expected a name of small letters and digits"},
      {"Y[n]+=X[n,i]*W[i]:n=4,i=2,X=4x2x1", "X has 3 extents; expected 2, one for each index"},
      {"Y[n]+=X[n,(i]*W[i]:n=4,i=2", "index \"(i\" of X"},
      {"Y[n]+=X[n,i]*W[i]:n=4,i=2+bias", "epilogue bias has no axis"},
      {"Y[n]+=X[n,i]*W[i]:n=4,i=9000000000000", "expected 1 to 2^31 - 1"},
      {"Y[n]+=X[n*,i]*W[i]:n=4,i=2", "index \"n*\" of X"},
      {"Y[n]+=X[9007199254740992*n]*W[n]:n=9000", "exceeds 63 bits"},
      {"Y[]+=X[i]*W[i]:i=4", "index \"\" of Y"},
  };
  for (const auto& [spec, message] : cases) EXPECT_ERROR(parse_operator(spec), message);
}

// Random specs that are right by construction.
std::string draw_spec() {
  const auto draw = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  const auto number = [&](int low, int high) { return std::to_string(draw(low, high)); };
  std::string spec = "Y[n,o,h]+=X[n,";
  spec += number(1, 3) + "*h+" + number(1, 3) + "*r-" + number(0, 2) + ",i]*W[";
  spec += draw(0, 1) == 0 ? "r,i,o]" : "i,o,r]";
  spec += ":n=" + number(1, 3) + ",o=" + number(1, 9) + ",h=" + number(1, 9) +
          ",i=" + number(1, 9) + ",r=" + number(1, 4);
  if (draw(0, 1) == 1) spec += ",X=3x" + number(1, 20) + "x9";
  if (draw(0, 1) == 1) spec += ",b_const=0";
  return spec + (draw(0, 1) == 1 ? "+relu" : "");
}

RC_GTEST_PROP(WrittenSumLaw, PrintingAndParsingGiveItBack, ()) {
  const Operator op = *parse_operator(draw_spec());
  const Result<Operator> again = parse_operator(print(op));
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == op);
  RC_ASSERT(print(*again) == print(op));
}

}  // namespace
}  // namespace dovetail
