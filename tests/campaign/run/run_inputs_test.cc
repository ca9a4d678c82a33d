// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/run.h"

#include <gtest/gtest.h>

#include "campaign/run/npy.h"
#include "core/ir/region/region_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;

class RunInputs : public ::testing::Test {
 protected:
  void write(int number, const NDArray& array) {
    ASSERT_TRUE(write_npy(folder_.path("input_" + std::to_string(number) + ".npy"), array));
  }
  Result<NamedArrays> read(const std::vector<OuterTensor>& given) {
    return read_inputs(folder_.folder().string(), given);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(RunInputs, AreReadByNumber) {
  write(0, NDArray{1, 2}.reshaped({2}));
  write(1, NDArray(ElementType::i32, {2, 1}, std::vector<int32_t>{3, 4}));
  const NamedArrays inputs =
      right(read({{"B", ElementType::f32, {2}}, {"A", ElementType::f32, {2, 1}}}));
  EXPECT_EQ(inputs, (NamedArrays{{"B", {1, 2}}, {"A", NDArray{3, 4}.reshaped({2, 1})}}));
}

TEST_F(RunInputs, MayLackABatchOfOne) {
  write(0, NDArray{1, 2, 3, 4}.reshaped({2, 2}));
  EXPECT_TRUE(read({{"X", ElementType::f32, {1, 2, 2}}}));
  EXPECT_ERROR(read({{"X", ElementType::f32, {2, 2, 1}}}),
               "shape 2x2; expected tensor X: f32 2x2x1");
}

TEST_F(RunInputs, OfAnotherShapeAreRefused) {
  write(0, NDArray{1, 2, 3, 4, 5, 6}.reshaped({3, 2}));
  EXPECT_ERROR(read({{"X", ElementType::f32, {2, 3}}}),
               "input_0.npy: shape 3x2; expected tensor X: f32 2x3");
}

TEST_F(RunInputs, ThatTheTypeDoesNotHoldAreRefused) {
  write(0, NDArray{1, 300.5}.reshaped({2}));
  const auto refused_as = [&](ElementType type) { return read({{"X", type, {2}}}); };
  for (const ElementType type :
       {ElementType::i64, ElementType::i32, ElementType::i8, ElementType::u8, ElementType::boolean})
    EXPECT_ERROR(refused_as(type), "element 1 is 300.5, which");
  EXPECT_TRUE(refused_as(ElementType::f16));
  write(0, NDArray{1, 0.1F}.reshaped({2}));
  EXPECT_ERROR(refused_as(ElementType::f16), "element 1 is 0.1, which f16 does not hold");
}

TEST_F(RunInputs, OfIntegersAreExact) {
  constexpr int64_t kBeyond = (int64_t{1} << 53) + 1;
  write(0, std::vector<int64_t>{16777217, kBeyond});
  EXPECT_EQ(integers_of(right(read({{"X", ElementType::i64, {2}}})).at("X")),
            (std::vector<int64_t>{16777217, kBeyond}));
  EXPECT_ERROR(read({{"X", ElementType::i32, {2}}}),
               "element 1 is 9007199254740993, which i32 does not hold");
  EXPECT_ERROR(read({{"X", ElementType::f32, {2}}}),
               "element 0 is 16777217, which f32 does not hold; expected tensor X: f32 2");
  write(0, std::vector<double>{1, 0x1p63});
  EXPECT_ERROR(read({{"X", ElementType::i64, {2}}}), "which i64 does not hold");
  write(0, std::vector<double>{0.5, 0.1});
  EXPECT_ERROR(read({{"X", ElementType::f32, {2}}}), "element 1 is 0.1, which f32 does not hold");
  EXPECT_EQ(right(read({{"X", ElementType::f64, {2}}})).at("X").real(1), 0.1);
}

TEST_F(RunInputs, ThatAreMissingOrTooManyAreNamed) {
  EXPECT_ERROR(read({{"X", ElementType::f32, {2}}}),
               "input_0.npy: no such file; expected tensor X: f32 2");
  write(0, NDArray{1, 2}.reshaped({2}));
  write(1, NDArray{1, 2}.reshaped({2}));
  EXPECT_ERROR(read({{"X", ElementType::f32, {2}}}), "input_1.npy: one input too many; expected 1");
}

}  // namespace
}  // namespace dovetail
