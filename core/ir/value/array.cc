// SPDX-License-Identifier: Apache-2.0
#include "core/ir/value/array.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/half.h"

namespace dovetail {
namespace {

template <typename Number>
Number element_at(const std::byte* data, size_t i) {
  Number number;
  std::memcpy(&number, data + i * sizeof(Number), sizeof(Number));
  return number;
}

// Calls use(Number{}) with the C++ type of the type's elements (uint8_t for booleans); not for f16.
template <typename Use>
auto with_number(ElementType type, const Use& use) {
  switch (type) {
    case ElementType::f64: return use(double{});
    case ElementType::i64: return use(int64_t{});
    case ElementType::i32: return use(int32_t{});
    case ElementType::i16: return use(int16_t{});
    case ElementType::i8: return use(int8_t{});
    case ElementType::u32: return use(uint32_t{});
    case ElementType::u16: return use(uint16_t{});
    case ElementType::u8: return use(uint8_t{});
    case ElementType::boolean: return use(uint8_t{});
    default: break;
  }
  CHECK(type == ElementType::f32, "elements of a type that code is made for");
  return use(float{});
}

bool is_real(ElementType type) { return computed_type(type) == ComputedType::real; }

void convert_element(const ArrayView& array, size_t i, ElementType type, std::byte* to) {
  if (type == ElementType::f16) {
    const uint16_t bits = float_to_half_bits(static_cast<float>(array.real(i)));
    std::memcpy(to, &bits, sizeof bits);
  } else if (type == ElementType::boolean) {
    const uint8_t truth = is_real(array.type()) ? array.real(i) != 0 : array.integer(i) != 0;
    std::memcpy(to, &truth, sizeof truth);
  } else if (is_real(type)) {
    with_number(type, [&]<typename Number>(Number) {
      const auto number = static_cast<Number>(array.real(i));
      std::memcpy(to, &number, sizeof number);
    });
  } else {
    const int64_t whole =
        is_real(array.type()) ? integer_of(array.real(i), type) : array.integer(i);
    with_number(type, [&]<typename Number>(Number) {
      const auto number = static_cast<Number>(whole);
      std::memcpy(to, &number, sizeof number);
    });
  }
}

}  // namespace

ArrayView::ArrayView(const Array& array) : ArrayView(array.type(), array.data_, array.size()) {}

std::span<const std::byte> ArrayView::bytes() const {
  return {data_, size_ * static_cast<size_t>(bytes_of(type_))};
}

ArrayView ArrayView::subspan(size_t first, size_t count) const {
  CHECK(first + count <= size_, "some of the elements");
  return {type_, data_ + first * static_cast<size_t>(bytes_of(type_)), count};
}

double ArrayView::real(size_t i) const {
  if (type_ == ElementType::f32) return element_at<float>(data_, i);
  if (type_ == ElementType::f16) return half_bits_to_float(element_at<uint16_t>(data_, i));
  return with_number(type_, [&]<typename Number>(Number) {
    return static_cast<double>(element_at<Number>(data_, i));
  });
}

int64_t ArrayView::integer(size_t i) const {
  if (is_real(type_)) return integer_of(real(i), ElementType::i64);
  return with_number(type_, [&]<typename Number>(Number) {
    return static_cast<int64_t>(element_at<Number>(data_, i));
  });
}

void ArrayView::check_type(ElementType wanted) const {
  CHECK(type_ == wanted || size_ == 0, "elements of another type");
}

size_t Array::size() const {
  int64_t size = 1;
  for (const int64_t extent : shape_) size *= extent;
  return static_cast<size_t>(size);
}

Array Array::shared(ElementType type, std::vector<int64_t> shape, std::shared_ptr<const void> owner,
                    const void* data) {
  Array array;
  array.type_ = type;
  array.shape_ = std::move(shape);
  array.keep(std::move(owner), data, array.size() * static_cast<size_t>(bytes_of(type)));
  return array;
}

void Array::keep(std::shared_ptr<const void> owner, const void* data, size_t bytes) {
  CHECK(bytes == size() * static_cast<size_t>(bytes_of(type_)), "the elements of the shape");
  owner_ = std::move(owner);
  data_ = data;
}

Array Array::reshaped(std::vector<int64_t> shape) const {
  return shared(type_, std::move(shape), owner_, data_);
}

bool operator==(const Array& a, const Array& b) {
  return a.type_ == b.type_ && a.shape_ == b.shape_ && std::ranges::equal(a.bytes(), b.bytes());
}

void convert(const ArrayView& array, ElementType type, std::span<std::byte> bytes) {
  const auto width = static_cast<size_t>(bytes_of(type));
  CHECK(bytes.size() == array.size() * width, "as many bytes as the elements take");
  if (type == array.type()) {
    if (!bytes.empty()) std::memcpy(bytes.data(), array.bytes().data(), bytes.size());
    return;
  }
  for (size_t i = 0; i < array.size(); ++i)
    convert_element(array, i, type, bytes.data() + i * width);
}

Array converted(const ArrayView& array, ElementType type) {
  std::vector<std::byte> bytes(array.size() * static_cast<size_t>(bytes_of(type)));
  convert(array, type, bytes);
  return {type, {static_cast<int64_t>(array.size())}, std::move(bytes)};
}

std::vector<float> floats_of(const ArrayView& array) {
  std::vector<float> floats(array.size());
  convert(array, ElementType::f32, std::as_writable_bytes(std::span(floats)));
  return floats;
}

std::vector<double> reals_of(const ArrayView& array) {
  std::vector<double> reals(array.size());
  convert(array, ElementType::f64, std::as_writable_bytes(std::span(reals)));
  return reals;
}

std::vector<int64_t> integers_of(const ArrayView& array) {
  std::vector<int64_t> integers(array.size());
  convert(array, ElementType::i64, std::as_writable_bytes(std::span(integers)));
  return integers;
}

int64_t wrapped(int64_t number, ElementType type) {
  if (type == ElementType::boolean) return number != 0 ? 1 : 0;
  if (type == ElementType::i64 || is_real(type)) return number;
  return with_number(type, [&]<typename Number>(Number) {
    return static_cast<int64_t>(static_cast<Number>(number));
  });
}

int64_t integer_of(double number, ElementType type) {
  if (type == ElementType::boolean) return number != 0 ? 1 : 0;
  // Narrower types are converted through i32, except u32.
  const bool is_long = type == ElementType::i64 || type == ElementType::u32;
  const double limit = is_long ? 0x1p63 : 0x1p31;
  const double whole = std::trunc(number);
  const bool fits = whole >= -limit && whole < limit;  // a NaN does not
  const int64_t indefinite =
      is_long ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int32_t>::min();
  return wrapped(fits ? static_cast<int64_t>(whole) : indefinite, type);
}

double overflowed(double number, ElementType type) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // Halfway between the largest number and the next one beyond it; ties round to even, to inf.
  const double beyond = type == ElementType::f16   ? 0x1.ffep15
                        : type == ElementType::f32 ? 0x1.ffffffp127
                                                   : kInfinity;
  return std::abs(number) >= beyond ? std::copysign(kInfinity, number) : number;
}

}  // namespace dovetail
