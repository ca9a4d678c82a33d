// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/buffer_values.h"

#include <gtest/gtest.h>

#include "core/ir/layout/stored_elements.h"
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
    EXPECT_EQ(load_values(buffer, bytes), values) << name_of(type);
  }
}

TEST(BufferValues, ArePackedByTheLayout) {
  const Buffer buffer = buffer_of(ElementType::i8);
  std::vector<std::byte> bytes(8);
  store_values(buffer, std::vector<float>{1, 2, 3, 4, 5, 6}, bytes);
  std::vector<float> stored(8);
  load_elements(bytes, ElementType::i8, stored);
  EXPECT_EQ(stored, (std::vector<float>{1, 3, 5, 0, 2, 4, 6, 0}));
}

TEST(BufferValues, OfATensorThatIsNotKnownAreThatError) {
  const auto nothing = [](const std::string& tensor) -> Result<std::span<const float>> {
    return fail("no " + tensor);
  };
  EXPECT_ERROR(logical_values(buffer_of(ElementType::f32), nothing), "no X");
}

}  // namespace
}  // namespace dovetail
