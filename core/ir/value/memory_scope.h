// SPDX-License-Identifier: Apache-2.0
#pragma once

// MemoryScope: the memory that a tensor is stored in; a kernel's tile of one has a TileScope
// instead (core/ir/schedule/trace.h).
//
//   global                       a buffer
//   texture, texture:weight …    an image; they differ in which axes become its rows and columns
//                                (core/ir/layout/image_shape.h; TVM RFC 5's schemes)
//   texture:array …              an image array: further axes become its layers

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/result.h"

namespace dovetail {

enum class MemoryScope : uint8_t {
  global,
  texture,
  texture_weight,
  texture_nhwc,
  texture_array,
  texture_weight_array,
  texture_nhwc_array
};
std::string print(MemoryScope scope);  // global, texture, texture:weight, texture:nhwc:array, …
Result<MemoryScope> parse_memory_scope(std::string_view text);
Result<MemoryScope> parse_word(std::string_view text, std::type_identity<MemoryScope>);
bool is_texture(MemoryScope scope);

}  // namespace dovetail
