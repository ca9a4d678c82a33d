// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/buffer_values.h"

#include <gtest/gtest.h>

#include "core/ir/program/program.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

// X[h=4], two and two of its elements side by side, and one more place for each pair.
Buffer buffer_of(ElementType type) {
  Buffer buffer{.name = "X", .tensor = "X", .dtype = type, .layout = {}};
  buffer.layout = testing::right(parse_layout("X[h=3, w=2] as [w@1:2] [h@1:4]")).layout;
  return buffer;
}

TEST(BufferValues, ComeBackWhateverTheTypeOfTheElements) {
  const std::vector<float> values = {1, 0, 1, 1, 0, 1};
  for (int i = 0; i < kNumStoredTypes; ++i) {
    const auto type = static_cast<ElementType>(i);
    const Buffer buffer = buffer_of(type);
    std::vector<std::byte> bytes(8 * static_cast<size_t>(bytes_of(type)));
    store_values(buffer, values, bytes);
    EXPECT_EQ(load_values(buffer, bytes), converted(values, type).reshaped({3, 2}))
        << name_of(type);
  }
}

TEST(BufferValues, ArePackedByTheLayout) {
  const Buffer buffer = buffer_of(ElementType::i8);
  std::vector<std::byte> bytes(8);
  store_values(buffer, std::vector<float>{1, 2, 3, 4, 5, 6}, bytes);
  EXPECT_EQ(floats_of({ElementType::i8, bytes.data(), 8}),
            (std::vector<float>{1, 3, 5, 0, 2, 4, 6, 0}));
}

TEST(BufferValues, OfIntegersAreExact) {
  const std::vector<int64_t> values = {16777217, -(int64_t{1} << 53) - 1, 3, 4, 5, 6};
  const Buffer buffer = buffer_of(ElementType::i64);
  std::vector<std::byte> bytes(64);
  store_values(buffer, values, bytes);
  EXPECT_EQ(integers_of(load_values(buffer, bytes)), values);
}

TEST(BufferValues, OfATensorThatIsNotKnownAreThatError) {
  const auto nothing = [](const std::string& tensor) -> Result<NDArray> {
    return fail("no " + tensor);
  };
  EXPECT_ERROR(logical_values(buffer_of(ElementType::f32), nothing), "no X");
}

}  // namespace
}  // namespace dovetail
