// SPDX-License-Identifier: Apache-2.0
#pragma once

// Elements of a tensor as the bytes that storage holds, and back: f32 as they are, f16 as halves,
// integers and truths as whole numbers, which floats hold exactly up to 2^24.
//
//   store_elements({1.0f, 2.0f}, ElementType::f16, bytes)      00 3c 00 40
//   load_elements(bytes, ElementType::f16, elements)           {1.0f, 2.0f}
//
// In the order given: where an element stands is the layout's matter.

#include <cstddef>
#include <span>

#include "core/ir/value/element_type.h"

namespace dovetail {

// `bytes` are as many as the elements take.
void store_elements(std::span<const float> elements, ElementType dtype, std::span<std::byte> bytes);
void load_elements(std::span<const std::byte> bytes, ElementType dtype, std::span<float> elements);

}  // namespace dovetail
