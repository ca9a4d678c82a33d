// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/stored_elements.h"

#include <gtest/gtest.h>

#include <vector>

namespace dovetail {
namespace {

std::vector<std::byte> stored(const std::vector<float>& elements, ElementType dtype) {
  std::vector<std::byte> bytes(elements.size() * static_cast<size_t>(bytes_of(dtype)));
  store_elements(elements, dtype, bytes);
  return bytes;
}

TEST(StoredElements, OfF16AreHalves) {
  const std::vector<std::byte> expected = {std::byte{0x00}, std::byte{0x3c}, std::byte{0x00},
                                           std::byte{0x40}};
  EXPECT_EQ(stored({1.0F, 2.0F}, ElementType::f16), expected);
}

TEST(StoredElements, LoadAsTheyWereStored) {
  const std::vector<float> elements = {0.0F, -1.5F, 65504.0F};
  for (const ElementType dtype : {ElementType::f32, ElementType::f16, ElementType::f64}) {
    std::vector<float> loaded(elements.size(), 7.0F);
    load_elements(stored(elements, dtype), dtype, loaded);
    EXPECT_EQ(loaded, elements);
  }
}

TEST(StoredElements, OfIntegersKeepTheEndsOfTheirTypes) {
  const auto keeps = [](ElementType dtype, const std::vector<float>& elements) {
    std::vector<float> loaded(elements.size(), 7.0F);
    load_elements(stored(elements, dtype), dtype, loaded);
    EXPECT_EQ(loaded, elements) << name_of(dtype);
  };
  keeps(ElementType::i16, {-32768.0F, 32767.0F});
  keeps(ElementType::u16, {0.0F, 65535.0F});
  keeps(ElementType::u32, {0.0F, 0x1p31F});
}

TEST(StoredElements, OfNoneAreNoBytes) { EXPECT_TRUE(stored({}, ElementType::f32).empty()); }

}  // namespace
}  // namespace dovetail
