// SPDX-License-Identifier: Apache-2.0
#include "core/ir/value/element_type.h"

#include <array>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 17> kTypeNames = {
    "f32", "f16", "i64",  "i32", "i8",   "u8",     "bool", "f64",    "i16",
    "u16", "u32", "bf16", "u64", "tf32", "tf32x2", "text", "unknown"};
constexpr std::array<int64_t, 13> kBytes = {4, 2, 8, 4, 1, 1, 1, 8, 2, 2, 4, 2, 8};

}  // namespace

std::string_view name_of(ElementType type) { return kTypeNames[static_cast<size_t>(type)]; }

std::optional<ElementType> element_type_named(std::string_view name) {
  return word_to<ElementType>(kTypeNames, name);
}

Result<ElementType> parse_word(std::string_view text, std::type_identity<ElementType>) {
  if (const auto type = element_type_named(text)) return *type;
  return fail("'{}' is no element type", text);
}

int64_t bytes_of(ElementType type) {
  CHECK(static_cast<size_t>(type) < kBytes.size(), "elements of a fixed size");
  return kBytes[static_cast<size_t>(type)];
}

ComputedType computed_type(ElementType type) {
  if (is_tf32(type)) return ComputedType::real;
  CHECK(is_stored(type), "elements of a type that code is made for");
  if (type == ElementType::boolean) return ComputedType::boolean;
  const bool real = type == ElementType::f32 || type == ElementType::f64 || is_half(type);
  return real ? ComputedType::real : ComputedType::integer;
}

double roundoff_of(ElementType type) {
  switch (type) {
    case ElementType::bf16: return 0x1p-8;
    case ElementType::f16: return 0x1p-11;
    case ElementType::tf32: return 0x1p-10;
    case ElementType::tf32x2: return 0x1p-21;
    case ElementType::f64: return 0x1p-53;
    default: break;
  }
  CHECK(type == ElementType::f32, "a type of real numbers");
  return 0x1p-24;
}

ElementType widest_type(ComputedType type) {
  if (type == ComputedType::boolean) return ElementType::boolean;
  return type == ComputedType::integer ? ElementType::i64 : ElementType::f32;
}

bool is_signed(ElementType type) {
  CHECK(is_stored(type), "elements of a type that code is made for");
  return name_of(type).front() != 'u' && type != ElementType::boolean;
}

}  // namespace dovetail
