// SPDX-License-Identifier: Apache-2.0
//
// ElementType: the type in which elements of a tensor are stored.
//
//   name_of(ElementType::f16) == "f16"      bytes_of(ElementType::f16) == 2
//
// Values are defined in only three types: real numbers in f32, integers in i64, and booleans
// (`computed_type`). Why so few: a load converts, a store converts back, and neither a pass nor an
// emitter needs a case for each type that a model may use. A store into a narrower type wraps or
// rounds; within a value a cast to that type does the same (u8(x)). What the machine computes in is
// narrower where no result can differ: accumulators (core/ir/operator/accumulator.h), what
// compilers narrow between a load and a store, and intrinsics (core/ir/intrinsic).
//
// tf32 and tf32x2 are types to cast to and none to store: tf32(x) is x in f32 without the low 13 of
// its 23 digits, as tensor cores read a factor that lies in f32; tf32x2(x) is the sum of two such
// numbers, tf32(x) and tf32(x - tf32(x)), which has all digits of x but the last two at most (NaN
// where x is infinite).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/result.h"

namespace dovetail {

// The types that code is generated for come first, in the order of kStoredTypes.
enum class ElementType : uint8_t {
  f32,
  f16,
  i64,
  i32,
  i8,
  u8,
  boolean,
  f64,
  i16,
  u16,
  u32,
  bf16,
  u64,
  tf32,
  tf32x2,
  text,
  unknown
};

// Loads, stores and kernels support only these types.
inline constexpr int kNumStoredTypes = 12;
inline constexpr std::string_view kStoredTypes =
    "f32, f16, i64, i32, i8, u8, bool, f64, i16, u16, u32 or bf16";
inline bool is_stored(ElementType type) { return static_cast<int>(type) < kNumStoredTypes; }

enum class ComputedType : uint8_t { real, integer, boolean };

std::string_view name_of(ElementType type);
std::optional<ElementType> element_type_named(std::string_view name);
// The same for lists of fields (core/record/line/fields.h).
inline std::string_view print(ElementType type) { return name_of(type); }
Result<ElementType> parse_word(std::string_view text, std::type_identity<ElementType>);
int64_t bytes_of(ElementType type);  // numbers and booleans only
ComputedType computed_type(ElementType type);
ElementType widest_type(ComputedType type);  // f32, i64 or bool: the type that code computes in
bool is_signed(ElementType type);            // stored types only: may be negative
// The bits of f32 that tf32 keeps.
inline constexpr uint32_t kTf32Bits = 0xFFFFE000;
// tf32 and tf32x2: what tensor cores make of factors in f32.
inline bool is_tf32(ElementType type) {
  return type == ElementType::tf32 || type == ElementType::tf32x2;
}
// f16 and bf16: real numbers that lose digits when f32 is stored to them.
inline bool is_half(ElementType type) {
  return type == ElementType::f16 || type == ElementType::bf16;
}
// The greatest relative error of rounding to a real type, half a unit in the last place: 2^-24 for
// f32, 2^-11 for f16, 2^-8 for bf16; a whole one for tf32, 2^-10, and tf32x2, 2^-21.
double roundoff_of(ElementType type);

}  // namespace dovetail
