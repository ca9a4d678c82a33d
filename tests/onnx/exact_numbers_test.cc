// SPDX-License-Identifier: Apache-2.0
// Results that tensor types determine to the last bit: 64-bit integers, wraparound, overflow, and
// casts of values that do not fit. Expected values are those of onnxruntime 1.32 and numpy 2.4 on
// x86.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "campaign/run/npy.h"
#include "campaign/run/run.h"
#include "tests/core/frontend/model_file.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;
using I8 = std::vector<int8_t>;
using U8 = std::vector<uint8_t>;
using I32 = std::vector<int32_t>;
using I64 = std::vector<int64_t>;
using Floats = std::vector<float>;

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNaN = std::nanf("");
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int32_t kLeast32 = std::numeric_limits<int32_t>::min();
constexpr int64_t kBeyondDoubles = (int64_t{1} << 53) + 1;

// The inputs are those of the text, in its order.
struct ExactCase {
  const char* name;
  std::string inputs, nodes;
  std::vector<NDArray> given;
  NDArray expected;
};

NDArray truths(std::vector<uint8_t> values) {
  const auto count = static_cast<int64_t>(values.size());
  return NDArray(ElementType::boolean, {count}, std::move(values));
}

std::vector<ExactCase> integer_cases() {
  return {
      {"MulBeyond2p24",
       "int64[3] x",
       "k = Constant <value = int64 {16777217}> () y = Mul (x, k)",
       {I64{1, 0, 3}},
       I64{16777217, 0, 50331651}},
      {"WhereBeyond2p24",
       "bool[2] c, int64[2] x",
       "k = Constant <value = int64 {16777217}> () y = Where (c, k, x)",
       {truths({1, 0}), I64{1, 16777219}},
       I64{16777217, 16777219}},
      {"AddOfAConstantBeyond2p53",
       "int64[2] x",
       "k = Constant <value = int64 {9007199254740993}> () y = Add (x, k)",
       {I64{0, 1}},
       I64{kBeyondDoubles, kBeyondDoubles + 1}},
      {"FillBeyond2p53",
       "int64[2] x",
       "s = Constant <value = int64[1] {2}> () "
       "t = ConstantOfShape <value = int64[1] {9007199254740993}> (s) y = Add (x, t)",
       {I64{0, -2}},
       I64{kBeyondDoubles, kBeyondDoubles - 2}},
      {"AddWrapsI64",
       "int64[2] x, int64[2] b",
       "y = Add (x, b)",
       {I64{kMost, 5}, I64{1, -7}},
       I64{kLeast, -2}},
      {"MulWrapsI32", "int32[2] x", "y = Mul (x, x)", {I32{65536, 46341}}, I32{0, -2147479015}},
      {"AddWrapsU8",
       "uint8[3] x, uint8[3] b",
       "y = Add (x, b)",
       {U8{255, 200, 1}, U8{1, 100, 1}},
       U8{0, 44, 2}},
      {"SubWrapsU8", "uint8[2] x, uint8[2] b", "y = Sub (x, b)", {U8{0, 7}, U8{1, 5}}, U8{255, 2}},
      {"MulWrapsI8",
       "int8[2] x, int8[2] b",
       "y = Mul (x, b)",
       {I8{-128, 11}, I8{-1, 13}},
       I8{-128, -113}},
      {"NegOfTheLeast", "int8[2] x", "y = Neg (x)", {I8{-128, 3}}, I8{-128, -3}},
      {"WrapsBetweenNodes",
       "uint8[2] x, uint8[2] b",
       "t = Add (x, b) u = Cast <to = 6> (t) y = Mul (u, u)",
       {U8{255, 200}, U8{3, 100}},
       I32{4, 1936}},
      {"WrapsBeforeADivision",
       "int32[2] x",
       "t = Mul (x, x) k = Constant <value = int32 {1000}> () y = Div (t, k)",
       {I32{65536, 46341}},
       I32{0, -2147479}},
      {"DivisionTowardsZero",
       "int64[4] x, int64[4] b",
       "y = Div (x, b)",
       {I64{-7, 7, -7, kBeyondDoubles}, I64{2, -2, -2, 1}},
       I64{-3, -3, 3, kBeyondDoubles}},
      {"RemainderOfTheDivisorsSign",
       "int64[4] x, int64[4] b",
       "y = Mod (x, b)",
       {I64{-7, 7, -7, 218070485381080319}, I64{2, -2, -2, 1651021633333698618}},
       I64{1, -1, -1, 218070485381080319}},
      {"RemainderOfTheDividendsSign",
       "int32[3] x, int32[3] b",
       "y = Mod <fmod = 1> (x, b)",
       {I32{-7, 7, -7}, I32{2, -2, -2}},
       I32{-1, 1, -1}},
      {"SumIsExact",
       "int64[2,3] x",
       "a = Constant <value = int64[1] {1}> () y = ReduceSum <keepdims = 0> (x, a)",
       {NDArray(ElementType::i64, {2, 3}, I64{kBeyondDoubles, 1, 1, kMost, 1, -5})},
       I64{kBeyondDoubles + 2, kMost - 4}},
      {"MaximumIsExact",
       "int64[3] x",
       "a = Constant <value = int64[1] {0}> () y = ReduceMax <keepdims = 1> (x, a)",
       {I64{kBeyondDoubles - 1, kBeyondDoubles, -kBeyondDoubles}},
       I64{kBeyondDoubles}},
      {"MaximumOfNegativeBytes",
       "int8[3] x",
       "a = Constant <value = int64[1] {0}> () y = ReduceMax <keepdims = 1> (x, a)",
       {I8{-3, -128, -2}},
       I8{-2}},
      {"MinimumOfBytes",
       "uint8[3] x",
       "a = Constant <value = int64[1] {0}> () y = ReduceMin <keepdims = 1> (x, a)",
       {U8{200, 129, 255}},
       U8{129}},
      {"PlaceOfTheLargest",
       "int64[3] x",
       "y = ArgMax <axis = 0, keepdims = 1> (x)",
       {I64{kBeyondDoubles - 1, kBeyondDoubles, kBeyondDoubles - 2}},
       I64{1}},
      {"PartialSums",
       "int64[3] x",
       "a = Constant <value = int64 {0}> () y = CumSum (x, a)",
       {I64{kBeyondDoubles, 1, -3}},
       I64{kBeyondDoubles, kBeyondDoubles + 1, kBeyondDoubles - 2}},
      {"EqualBeyond2p53",
       "int64[2] x, int64[2] b",
       "y = Equal (x, b)",
       {I64{kBeyondDoubles, kBeyondDoubles}, I64{kBeyondDoubles - 1, kBeyondDoubles}},
       truths({0, 1})},
      {"GatherBeyond2p53",
       "int64[3] x",
       "i = Constant <value = int64[2] {2, 0}> () y = Gather (x, i)",
       {I64{kBeyondDoubles, 7, kMost}},
       I64{kMost, kBeyondDoubles}},
      {"PowersOfIntegers",
       "int64[2] x",
       "k = Constant <value = int64 {3}> () y = Pow (x, k)",
       {I64{823, -200001}},
       I64{557441767, -8000120000600001}},
      {"SumsOfBytesBeyond2p24",
       "uint8[1,600] x, uint8[600,1] b",
       "y = MatMulInteger (x, b)",
       {NDArray(ElementType::u8, {1, 600}, U8(600, 255)),
        NDArray(ElementType::u8, {600, 1}, U8(600, 255))},
       NDArray(ElementType::i32, {1, 1}, I32{39015000})},
  };
}

std::vector<ExactCase> cast_cases() {
  const Floats reals = {1.5F, -1.5F, 300, -129, 70000, 3e9F, -1e19F, kNaN, kInf, -kInf};
  const std::string x = fmt::format("float[{}] x", reals.size());
  return {
      {"CastToI64",
       x,
       "y = Cast <to = 7> (x)",
       {reals},
       I64{1, -1, 300, -129, 70000, 3000000000, kLeast, kLeast, kLeast, kLeast}},
      {"CastToI32",
       x,
       "y = Cast <to = 6> (x)",
       {reals},
       I32{1, -1, 300, -129, 70000, kLeast32, kLeast32, kLeast32, kLeast32, kLeast32}},
      {"CastToI8", x, "y = Cast <to = 3> (x)", {reals}, I8{1, -1, 44, 127, 112, 0, 0, 0, 0, 0}},
      {"CastToU8", x, "y = Cast <to = 2> (x)", {reals}, U8{1, 255, 44, 127, 112, 0, 0, 0, 0, 0}},
      {"CastToTruths", x, "y = Cast <to = 9> (x)", {reals}, truths(U8(10, 1))},
      {"CastOfIntegersToU8",
       "int32[3] x",
       "y = Cast <to = 2> (x)",
       {I32{256, -1, 65543}},
       U8{0, 255, 7}},
      {"CastAndBack",
       "int32[3] x",
       "t = Cast <to = 2> (x) y = Cast <to = 6> (t)",
       {I32{256, -1, 300}},
       I32{0, 255, 44}},
      {"CastToHalvesOverflows",
       "float[3] x",
       "t = Cast <to = 10> (x) y = Cast <to = 1> (t)",
       {Floats{65519, 65520, -70000}},
       Floats{65504, kInf, -kInf}},
  };
}

std::vector<ExactCase> overflow_cases() {
  return {
      {"AddOverflows",
       "float[3] x, float[3] b",
       "y = Add (x, b)",
       {Floats{3e38F, -3e38F, kInf}, Floats{3e38F, -3e38F, -kInf}},
       Floats{kInf, -kInf, kNaN}},
      {"MulOverflows", "float[2] x", "y = Mul (x, x)", {Floats{1e30F, 2}}, Floats{kInf, 4}},
      {"DivisionByZero",
       "float[3] x, float[3] b",
       "y = Div (x, b)",
       {Floats{1, -1, 0}, Floats{0, 0, 0}},
       Floats{kInf, -kInf, kNaN}},
      {"SqrtOfANegativeNumber", "float[2] x", "y = Sqrt (x)", {Floats{-1, 4}}, Floats{kNaN, 2}},
      {"MaskOfHalves",
       "float[4] x",
       "t = Cast <to = 10> (x) y = Softmax (t)",
       {Floats{-70000, 0, -70000, -70000}},
       converted(NDArray{0, 1, 0, 0}, ElementType::f16)},
      {"MaskAddedTwice",
       "float[4] m",
       "k = Constant <value = float {-3.4028234663852886e38}> () a = Mul (m, k) b = Add (a, a) "
       "y = Softmax (b)",
       {Floats{1, 0, 1, 1}},
       Floats{0, 1, 0, 0}},
      {"SoftmaxOfNothing",
       "float[2,2] x",
       "y = Softmax <axis = 1> (x)",
       {NDArray{-kInf, -kInf, 0, -kInf}.reshaped({2, 2})},
       NDArray{kNaN, kNaN, 1, 0}.reshaped({2, 2})},
  };
}

std::vector<ExactCase> all_cases() {
  std::vector<ExactCase> all;
  for (const auto& some : {integer_cases(), cast_cases(), overflow_cases()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

class ExactNumbers : public ::testing::TestWithParam<ExactCase> {};

TEST_P(ExactNumbers, AreThoseOfOnnxruntime) {
  const ExactCase& one = GetParam();
  const testing::TemporaryFolder folder;
  for (size_t i = 0; i < one.given.size(); ++i)
    ASSERT_TRUE(write_npy(folder.path(fmt::format("input_{}.npy", i)), one.given[i]));
  RunSpecOptions options;
  options.spec = testing::write_file(
      std::string(one.name) + ".onnx",
      testing::model_bytes(fmt::format("g ({}) => (y) {{ {} }}", one.inputs, one.nodes), 18));
  options.inputs = folder.path("");
  options.outputs = folder.path("out");
  const auto run = right(run_spec(options, {}));
  EXPECT_EQ(run.rows[0].reason, "");
  const NDArray found = right(read_npy(folder.path("out/output_0.npy")));
  ASSERT_EQ(found.type(), one.expected.type());
  ASSERT_EQ(found.shape(), one.expected.shape());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found.integer(i), one.expected.integer(i)) << i;
    if (!std::isnan(one.expected.real(i)))
      EXPECT_EQ(found.real(i), one.expected.real(i)) << i;
    else
      EXPECT_TRUE(std::isnan(found.real(i))) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExactNumbers, ::testing::ValuesIn(all_cases()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace dovetail
