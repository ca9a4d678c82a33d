// SPDX-License-Identifier: Apache-2.0
// Every wrong spec gets one line that names the key, what was found and what was expected.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/ir/operator/operator.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

struct WrongSpec {
  const char* name;  // test case: the cause
  std::string spec;
  std::string message;  // a part of it
};

std::vector<WrongSpec> wrong_specs() {
  const std::string c2d = "c2d:ci=4,co=4,h=8,w=8,k=3";
  const std::string t2d = "t2d:ci=4,co=4,h=8,w=8,k=3";
  const std::string gmm = "gmm:m=4,n=4,k=4";
  return {
      {"Empty", "", "unknown kind \"\""},
      {"KindOnly", "c2d", "found only the kind; expected c2d:key=value"},
      {"UnknownKind", "conv:ci=4", "unknown kind \"conv\"; expected one of c1d c2d"},
      {"UpperCaseKind", "C2D:ci=4", "unknown kind \"C2D\""},
      {"NoKeys", "c2d:", "key ci of c2d is missing"},
      {"MissingKernel", "c2d:ci=4,co=4,h=8,w=8", "key k of c2d is missing; expected k="},
      {"MissingExtent", "c3d:ci=4,co=4,h=8,w=8,k=3", "key depth of c3d is missing"},
      {"MissingDepthwiseChannels", "dep:h=8,w=8,k=3", "key c of dep is missing"},
      {"MissingReduction", "gmm:m=4,n=4", "key k of gmm is missing"},
      {"UnknownKey", c2d + ",foo=1", "unknown key \"foo\" of c2d; expected one of n ci co"},
      {"KeyOfAnotherKind", c2d + ",op=1", "unknown key \"op\" of c2d"},
      {"DepthOfTwoDimensions", c2d + ",depth=4", "unknown key \"depth\" of c2d"},
      {"RepeatedKey", c2d + ",k=5", "key k is given twice, \"3\" and \"5\""},
      {"NoEqualsSign", c2d + ",s", "found \"s\"; expected key=value"},
      {"TrailingComma", c2d + ",", "found \"\"; expected key=value"},
      {"EmptyValue", c2d + ",s=", "key s has \"\"; expected a whole number"},
      {"NotANumber", c2d + ",n=many", "key n has \"many\"; expected a whole number from 1"},
      {"TrailingLetters", c2d + ",n=4b", "key n has \"4b\""},
      {"TrailingRubbish", c2d + "+bias;rm", "unknown epilogue \"bias;rm\""},
      {"Hexadecimal", c2d + ",n=0x10", "key n has \"0x10\""},
      {"Fraction", c2d + ",n=1.5", "key n has \"1.5\""},
      {"ZeroBatch", c2d + ",n=0", "key n has \"0\"; expected a whole number from 1"},
      {"NegativeStride", c2d + ",s=-1", "key s has \"-1\"; expected a whole number from 1"},
      {"ZeroDilation", c2d + ",d=0", "key d has \"0\""},
      {"NegativePadding", c2d + ",p=-1", "key p has \"-1\"; expected a whole number from 0"},
      {"Beyond63Bits", c2d + ",n=9223372036854775808", "key n has \"9223372036854775808\""},
      {"BeyondThirtyOneBits", c2d + ",n=2147483648",
       "expected a whole number from 1 to 2147483647"},
      {"TooManyAxes", c2d + ",s=1x1x1", "key s has \"1x1x1\" with 3 values; expected 1 or 2"},
      {"EmptyAxis", c2d + ",s=1x", "key s has \"\""},
      {"ThreeSides", c2d + ",p=1:1:1", "key p has \"1:1:1\"; expected an amount or before:after"},
      {"KernelTooLarge", "c2d:ci=4,co=4,h=8,w=2,k=5,p=1", "spans 5 elements of axis w"},
      {"DilatedKernelTooLarge", c2d + ",d=4",
       "kernel 3 with dilation 4 spans 9 elements of axis h"},
      {"GroupsDoNotDivideInputs", c2d + ",g=3", "key g of c2d is 3; expected a divisor of ci=4"},
      {"GroupsDoNotDivideOutputs", "grp:ci=6,co=4,h=8,w=8,k=3,g=3", "a divisor of co=4"},
      {"OutputPaddingTooLarge", t2d + ",s=2,op=2",
       "key op of t2d is 2 on axis h; expected less than 2"},
      {"EverythingCropped", "t2d:ci=4,co=4,h=1,w=8,k=3,p=2", "crops axis h to -1 outputs"},
      {"TensorBeyondMemory", "gmm:m=2000000,n=2000000,k=1",
       "the output of gmm has shape 1x2000000x2000000"},
      {"WeightBeyondMemory", "c2d:ci=2000000,co=2000000,h=1,w=1,k=1",
       "the weight of c2d has shape"},
      {"PaddedInputBeyondMemory", "c2d:ci=1,co=1,h=9,w=9,k=1,s=2147483647,p=2147483647",
       "the padded input of c2d has shape"},
      {"ManyChannels", "dep:c=2147483647,m=2,h=1,w=1,k=1", "key c times m of dep is 4294967294"},
      {"UnknownType", c2d + ",dtype=f64", "key dtype has \"f64\"; expected f32, f16 or bf16"},
      {"UnknownMath", c2d + ",math=bf16", "key math has \"bf16\"; expected f32, tf32 or tf32x2"},
      {"MathOfHalves", c2d + ",math=tf32,dtype=f16",
       "key math is tf32 and dtype f16; expected dtype=f32 beside it"},
      {"FlagNotABit", gmm + ",ta=2", "key ta has \"2\"; expected 0 or 1"},
      {"FlagAsAWord", gmm + ",b_const=true", "key b_const has \"true\"; expected 0 or 1"},
      {"UnknownEpilogue", c2d + "+swish",
       "unknown epilogue \"swish\"; expected one of bias add relu"},
      {"EmptyEpilogue", c2d + "+", "unknown epilogue \"\""},
      {"EpilogueWithArguments", c2d + "+relu(1)",
       "epilogue \"relu(1)\": expected relu without arguments"},
      {"ClipWithoutBounds", c2d + "+clip", "epilogue \"clip\": expected clip(lo,hi)"},
      {"ClipWithOneBound", c2d + "+clip(6)", "expected clip(lo,hi)"},
      {"ClipNotClosed", c2d + "+clip(0,6", "expected clip(lo,hi)"},
      {"ClipNotANumber", c2d + "+clip(0,six)", "has the bound \"six\"; expected a number"},
      {"ClipUpsideDown", c2d + "+clip(6,0)", "epilogue clip(6,0): expected finite bounds"},
      {"ClipInfinite", c2d + "+clip(0,inf)", "expected finite bounds"},
      {"ClipNan", c2d + "+clip(nan,1)", "expected finite bounds"},
      {"TwoBiases", c2d + "+bias+relu+bias", "epilogue bias is given 2 times"},
      {"TwoAddends", c2d + "+add+add", "epilogue add is given 2 times"},
      {"Space", "c2d: ci=4", "character 5 is \" \"; expected printable ASCII"},
      {"NewLine", c2d + "\n", "is \"\\x0a\"; expected printable ASCII"},
      {"Unicode", c2d + "+bi\xc3\xa4s", "is \"\\xc3\"; expected printable ASCII"},
      {"NulByte", std::string("c2d\0:", 5), "character 4 is \"\\x00\""},
      {"VeryLong", c2d + std::string(10000, '+'), "expected at most 4096"},
      {"TooManyEpilogues",
       c2d + "+relu+relu+relu+relu+relu+relu+relu+relu+relu+relu+relu+relu+relu+relu+relu"
             "+relu+relu",
       "has 17 epilogues; expected at most 16"},
  };
}

class WrongSpecs : public ::testing::TestWithParam<WrongSpec> {};

TEST_P(WrongSpecs, AreRefusedInOneLine) {
  const auto op = parse_operator(GetParam().spec);
  EXPECT_ERROR(op, GetParam().message);
  EXPECT_ERROR(op, "spec \"");
  ASSERT_FALSE(op);
  EXPECT_LT(op.error().message.size(), 300u);
}

INSTANTIATE_TEST_SUITE_P(OperatorSpec, WrongSpecs, ::testing::ValuesIn(wrong_specs()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(OperatorCheck, RefusesWhatNoSpecCanSay) {
  Operator op = *parse_operator("c2d:ci=4,co=4,h=8,w=8,k=3");
  op.spatial[0].output_padding = 1;
  EXPECT_ERROR(canonical(op), "output padding is for t2d and t3d only");
  op = *parse_operator("c2d:ci=4,co=4,h=8,w=8,k=3");
  op.spatial.pop_back();
  EXPECT_ERROR(canonical(op), "c2d has 1 spatial axes; expected 2");
  op = *parse_operator("c2d:ci=4,co=4,h=8,w=8,k=3");
  op.spatial[1].name = "x";
  EXPECT_ERROR(canonical(op), "is named \"x\"; expected w");
  op = *parse_operator("dep:c=4,h=8,w=8,k=3");
  op.groups = 2;
  EXPECT_ERROR(canonical(op), "dep has 2 groups and 4 channels");
  op = *parse_operator("gmm:m=1,n=1,k=1");
  op.m = 0;
  EXPECT_ERROR(canonical(op), "key m of gmm is 0");
}

}  // namespace
}  // namespace dovetail
