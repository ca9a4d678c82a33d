// SPDX-License-Identifier: Apache-2.0
#pragma once

// NDArray: numbers in memory: an element type, a shape, strides, and a place in a device's or the
// host's memory. The only array there is: inputs, constants, outputs, buffers of kernels.
//
//   const NDArray x = std::vector<float>{1, 2, 3};         f32 of shape 3, on the host
//   const NDArray ids(ElementType::i64, {2, 2}, numbers);  from std::vector<int64_t>
//   ids.integer(3)                                         exact, whatever its size
//   ids.as<int64_t>()                                      a span; CHECKs the type
//   const ArrayView rows = ArrayView(x).subspan(1, 2);     {2, 3}, where they lie
//   converted(x, ElementType::f16)                         what a cast gives, rounded or wrapped
//
//   NDArray y = NDArray::zeros(ElementType::f32, {2, 3, 4});
//   y.writable_bytes()                                     96 bytes
//   y.slice(1, 0, 2).permuted({1, 0, 2})                   a view [2, 2, 4] with strides {4, 12, 1}
//   copy_elements(x, y)                                    any strides, on the host
//
// Copies and views share their memory, so that they cost nothing. core/runtime/device.h allocates
// arrays in memory that the host cannot read and copies between any two; core/runtime/dlpack.h
// exchanges them with other libraries. Why the bytes of the element type and not floats: a float
// holds integers to 2^24 only, and seven digits of a double; callers read an element as `real` or
// as `integer`, without rounding on the way.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "core/ir/value/element_type.h"
#include "core/ir/value/memory_scope.h"

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

class NDArray;

// ArrayView: a non-owning view of consecutive elements of an array.
class ArrayView {
 public:
  ArrayView() = default;
  ArrayView(ElementType type, const void* data, size_t size)
      : type_(type), data_(static_cast<const std::byte*>(data)), size_(size) {}
  ArrayView(const NDArray& array);  // NOLINT(google-explicit-constructor): the same, unowned
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

// An allocation that arrays lie in; it is released with the last of them. A device derives the
// handle of its own memory from it.
struct ArrayMemory {
  ArrayMemory() = default;
  ArrayMemory(const ArrayMemory&) = delete;
  ArrayMemory& operator=(const ArrayMemory&) = delete;
  virtual ~ArrayMemory() = default;

  std::byte* host = nullptr;  // its first byte; null where the host cannot read it
  bool is_writable = true;
  MemoryScope scope = MemoryScope::global;
};

class NDArray {
 public:
  NDArray() = default;  // no elements
  template <typename Number>
    requires(element_type_of<Number>() != ElementType::unknown)
  NDArray(
      std::vector<Number> numbers) {  // NOLINT(google-explicit-constructor): numbers are an array
    const auto size = static_cast<int64_t>(numbers.size());
    *this = NDArray(element_type_of<Number>(), {size}, std::move(numbers));
  }
  NDArray(std::initializer_list<float> numbers) : NDArray(std::vector<float>(numbers)) {}
  // `numbers`: the elements in their stored form: uint16_t for f16, uint8_t for booleans.
  template <typename Number>
  NDArray(ElementType type, std::vector<int64_t> shape, std::vector<Number> numbers) {
    const auto owner = std::make_shared<const std::vector<Number>>(std::move(numbers));
    *this = shared(type, std::move(shape), owner, owner->data());
    check_bytes(owner->size() * sizeof(Number));
  }
  // Read-only, over row-major bytes on the host that `owner` keeps alive.
  static NDArray shared(ElementType type, std::vector<int64_t> shape,
                        std::shared_ptr<const void> owner, const void* data);
  // Writable, over row-major bytes on the host; without an owner they must outlive the array.
  static NDArray over(ElementType type, std::vector<int64_t> shape, void* data,
                      std::shared_ptr<const void> owner = {});
  // Writable, on the host, aligned to 64 bytes.
  static NDArray zeros(ElementType type, std::vector<int64_t> shape);
  // Row-major, in memory of any device, from this byte on.
  static NDArray in(std::shared_ptr<const ArrayMemory> memory, ElementType type,
                    std::vector<int64_t> shape, int64_t byte_offset = 0);

  ElementType type() const { return type_; }
  const std::vector<int64_t>& shape() const { return shape_; }
  const std::vector<int64_t>& strides() const { return strides_; }  // in elements
  int64_t byte_offset() const { return byte_offset_; }              // where the first element is
  const std::shared_ptr<const ArrayMemory>& memory() const { return memory_; }
  MemoryScope scope() const { return memory_ ? memory_->scope : MemoryScope::global; }
  bool is_on_host() const { return !memory_ || memory_->host != nullptr; }
  bool is_writable() const { return memory_ && memory_->is_writable; }
  bool is_dense() const;  // row-major without gaps

  size_t size() const;  // elements
  bool empty() const { return size() == 0; }
  int64_t size_bytes() const { return static_cast<int64_t>(size()) * bytes_of(type_); }

  // Elements of a dense array on the host; CHECKed, as is that they may be written.
  std::span<const std::byte> bytes() const { return ArrayView(*this).bytes(); }
  std::span<std::byte> writable_bytes() const;
  double real(size_t i) const { return ArrayView(*this).real(i); }
  int64_t integer(size_t i) const { return ArrayView(*this).integer(i); }
  template <typename Number>
  std::span<const Number> as() const {
    return ArrayView(*this).as<Number>();
  }

  // Views. The same elements in another shape (of a dense array); in other strides, from this
  // element on; `count` elements of an axis, from `first` on; the axes in another order.
  NDArray reshaped(std::vector<int64_t> shape) const;
  NDArray strided(std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t first) const;
  NDArray slice(size_t axis, int64_t first, int64_t count) const;
  NDArray permuted(const std::vector<size_t>& order) const;

  // Compares type, shape and bytes: -0 differs from 0, and a NaN equals itself. Dense arrays on the
  // host only.
  friend bool operator==(const NDArray& a, const NDArray& b);

 private:
  friend class ArrayView;
  void check_bytes(size_t bytes) const;  // CHECKs that the shape has as many
  const std::byte* host_data() const;    // null without elements

  ElementType type_ = ElementType::f32;
  std::vector<int64_t> shape_ = {0}, strides_ = {1};
  int64_t byte_offset_ = 0;
  std::shared_ptr<const ArrayMemory> memory_;
};

std::vector<int64_t> row_major_strides(const std::vector<int64_t>& shape);

// Copies between arrays of one type and shape on the host, whatever their strides; CHECKed. They
// must not overlap.
void copy_elements(const NDArray& from, const NDArray& to);

// Casts each element as kernels do: real numbers are rounded to nearest, integers wrap, and a real
// number that becomes an integer is truncated; one that does not fit (or is NaN) becomes the result
// of x86, see integer_of.
NDArray converted(const ArrayView& array, ElementType type);
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
// The number as storage of f32, f16 or bf16 holds it: to nearest, ties to even. As tf32: towards
// zero.
float rounded(float number, ElementType type);

}  // namespace dovetail
