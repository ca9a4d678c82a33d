// SPDX-License-Identifier: Apache-2.0
#pragma once

// Array: a tensor on the host: an element type, a shape and row-major bytes.
//
//   const Array x = std::vector<float>{1, 2, 3};         f32 of shape 3
//   const Array ids(ElementType::i64, {2, 2}, numbers);  from std::vector<int64_t>
//   ids.integer(3)                                       exact, whatever its size
//   ids.as<int64_t>()                                    a span; CHECKs the type
//   const ArrayView rows = ArrayView(x).subspan(1, 2);   {2, 3}, where they lie
//   converted(x, ElementType::f16)                       what a cast gives, rounded or wrapped
//
// It is immutable and shares its bytes, so that a copy costs nothing and a view of a network's
// weights takes no memory. Why the bytes of the element type and not floats: a float holds integers
// to 2^24 only, and seven digits of a double; callers read an element as `real` or as `integer`,
// without rounding on the way.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "core/ir/value/element_type.h"

namespace dovetail {

// The element type of a C++ number type. f16 and booleans have none: their bytes are passed
// together with the type.
template <typename Number>
constexpr ElementType element_type_of() {
  if constexpr (std::is_same_v<Number, float>) return ElementType::f32;
  if constexpr (std::is_same_v<Number, double>) return ElementType::f64;
  if constexpr (std::is_same_v<Number, int64_t>) return ElementType::i64;
  if constexpr (std::is_same_v<Number, int32_t>) return ElementType::i32;
  if constexpr (std::is_same_v<Number, int16_t>) return ElementType::i16;
  if constexpr (std::is_same_v<Number, int8_t>) return ElementType::i8;
  if constexpr (std::is_same_v<Number, uint32_t>) return ElementType::u32;
  if constexpr (std::is_same_v<Number, uint16_t>) return ElementType::u16;
  if constexpr (std::is_same_v<Number, uint8_t>) return ElementType::u8;
  return ElementType::unknown;
}

class Array;

// ArrayView: a non-owning view of consecutive elements of an array.
class ArrayView {
 public:
  ArrayView() = default;
  ArrayView(ElementType type, const void* data, size_t size)
      : type_(type), data_(static_cast<const std::byte*>(data)), size_(size) {}
  ArrayView(const Array& array);  // NOLINT(google-explicit-constructor): the same, unowned
  template <typename Number>
    requires(element_type_of<Number>() != ElementType::unknown)
  ArrayView(const std::vector<Number>& numbers)  // NOLINT(google-explicit-constructor): the same
      : ArrayView(element_type_of<Number>(), numbers.data(), numbers.size()) {}

  ElementType type() const { return type_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::span<const std::byte> bytes() const;
  ArrayView subspan(size_t first, size_t count) const;

  // An element as a number; a boolean is 0 or 1. `integer` casts a real element to i64; `real`
  // converts an integer to the nearest double.
  double real(size_t i) const;
  int64_t integer(size_t i) const;

  template <typename Number>
  std::span<const Number> as() const {
    check_type(element_type_of<Number>());
    return {reinterpret_cast<const Number*>(data_), size_};
  }

 private:
  void check_type(ElementType wanted) const;

  ElementType type_ = ElementType::f32;
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

class Array {
 public:
  Array() = default;  // no elements
  template <typename Number>
    requires(element_type_of<Number>() != ElementType::unknown)
  Array(std::vector<Number> numbers)  // NOLINT(google-explicit-constructor): numbers are an array
      : type_(element_type_of<Number>()), shape_{static_cast<int64_t>(numbers.size())} {
    take(std::move(numbers));
  }
  Array(std::initializer_list<float> numbers) : Array(std::vector<float>(numbers)) {}
  // `numbers`: the elements in their stored form: uint16_t for f16, uint8_t for booleans.
  template <typename Number>
  Array(ElementType type, std::vector<int64_t> shape, std::vector<Number> numbers)
      : type_(type), shape_(std::move(shape)) {
    take(std::move(numbers));
  }
  // An array over bytes that `owner` keeps alive.
  static Array shared(ElementType type, std::vector<int64_t> shape,
                      std::shared_ptr<const void> owner, const void* data);

  ElementType type() const { return type_; }
  const std::vector<int64_t>& shape() const { return shape_; }
  size_t size() const;
  bool empty() const { return size() == 0; }
  std::span<const std::byte> bytes() const { return ArrayView(*this).bytes(); }
  double real(size_t i) const { return ArrayView(*this).real(i); }
  int64_t integer(size_t i) const { return ArrayView(*this).integer(i); }
  template <typename Number>
  std::span<const Number> as() const {
    return ArrayView(*this).as<Number>();
  }
  // The same elements in another shape.
  Array reshaped(std::vector<int64_t> shape) const;

  // Compares type, shape and bytes: -0 differs from 0, and a NaN equals itself.
  friend bool operator==(const Array& a, const Array& b);

 private:
  friend class ArrayView;
  template <typename Number>
  void take(std::vector<Number> numbers) {
    const auto owner = std::make_shared<const std::vector<Number>>(std::move(numbers));
    keep(owner, owner->data(), owner->size() * sizeof(Number));
  }
  // CHECKs that the number of bytes is that of the shape.
  void keep(std::shared_ptr<const void> owner, const void* data, size_t bytes);

  ElementType type_ = ElementType::f32;
  std::vector<int64_t> shape_ = {0};
  std::shared_ptr<const void> owner_;
  const void* data_ = nullptr;
};

// Casts each element as kernels do: real numbers are rounded to nearest, integers wrap, and a real
// number that becomes an integer is truncated; one that does not fit (or is NaN) becomes the result
// of x86, see integer_of.
Array converted(const ArrayView& array, ElementType type);
void convert(const ArrayView& array, ElementType type, std::span<std::byte> bytes);

// The elements converted(…) to f32, f64 and i64.
std::vector<float> floats_of(const ArrayView& array);
std::vector<double> reals_of(const ArrayView& array);
std::vector<int64_t> integers_of(const ArrayView& array);

// Casts of one number to a stored type:
//
//   wrapped(300, ElementType::u8)                44: the low bits, with their sign
//   integer_of(-1.5, ElementType::i64)           -1, towards zero
//   integer_of(3e9, ElementType::i32)            -2^31, x86's "integer indefinite"; so is NaN
//   integer_of(300, ElementType::u8)             44: through i32, then wrapped
//   overflowed(1e39, ElementType::f32)           inf; 0.1 stays 0.1, which is not rounded
int64_t wrapped(int64_t number, ElementType type);
int64_t integer_of(double number, ElementType type);
double overflowed(double number, ElementType type);

}  // namespace dovetail
