// SPDX-License-Identifier: Apache-2.0
#include "core/ir/value/ndarray.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "core/base/check.h"
#include "core/base/half.h"
#include "core/base/parallel.h"

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
  if (is_half(type)) {
    const auto number = static_cast<float>(array.real(i));
    const uint16_t bits =
        type == ElementType::f16 ? float_to_half_bits(number) : float_to_bfloat_bits(number);
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

void convert_part(const ArrayView& array, ElementType type, std::span<std::byte> bytes) {
  const auto width = static_cast<size_t>(bytes_of(type));
  if (array.type() != ElementType::f16 || type != ElementType::f32) {
    for (size_t i = 0; i < array.size(); ++i)
      convert_element(array, i, type, bytes.data() + i * width);
    return;
  }
  for (size_t i = 0; i < array.size(); ++i) {
    uint16_t bits = 0;
    std::memcpy(&bits, array.bytes().data() + i * sizeof bits, sizeof bits);
    const float number = half_bits_to_float(bits);
    std::memcpy(bytes.data() + i * width, &number, sizeof number);
  }
}

}  // namespace

ArrayView::ArrayView(const NDArray& array)
    : ArrayView(array.type(), array.host_data(), array.size()) {
  CHECK(array.is_dense(), "a view of elements one after the other");
}

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
  if (type_ == ElementType::bf16) return bfloat_bits_to_float(element_at<uint16_t>(data_, i));
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

size_t NDArray::size() const {
  int64_t size = 1;
  for (const int64_t extent : shape_) size *= extent;
  return static_cast<size_t>(size);
}

bool NDArray::is_dense() const {
  if (empty()) return true;
  int64_t next = 1;
  for (size_t axis = shape_.size(); axis-- > 0;) {
    if (shape_[axis] != 1 && strides_[axis] != next) return false;
    next *= shape_[axis];
  }
  return true;
}

std::vector<int64_t> row_major_strides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

NDArray NDArray::in(std::shared_ptr<const ArrayMemory> memory, ElementType type,
                    std::vector<int64_t> shape, int64_t byte_offset) {
  NDArray array;
  array.type_ = type;
  array.strides_ = row_major_strides(shape);
  array.shape_ = std::move(shape);
  array.byte_offset_ = byte_offset;
  array.memory_ = std::move(memory);
  return array;
}

namespace {

// Bytes that another object owns, or that nobody does.
struct BorrowedMemory : ArrayMemory {
  std::shared_ptr<const void> owner;
};

std::shared_ptr<BorrowedMemory> borrowed(std::shared_ptr<const void> owner, void* data) {
  auto memory = std::make_shared<BorrowedMemory>();
  memory->owner = std::move(owner);
  memory->host = static_cast<std::byte*>(data);
  return memory;
}

struct AlignedMemory : ArrayMemory {
  static constexpr std::align_val_t kAlignment{64};
  explicit AlignedMemory(size_t bytes) {
    host = new (kAlignment) std::byte[std::max<size_t>(bytes, 1)];
    std::memset(host, 0, bytes);
  }
  ~AlignedMemory() override { ::operator delete[](host, kAlignment); }
};

}  // namespace

NDArray NDArray::shared(ElementType type, std::vector<int64_t> shape,
                        std::shared_ptr<const void> owner, const void* data) {
  const auto memory = borrowed(std::move(owner), const_cast<void*>(data));
  memory->is_writable = false;
  return in(memory, type, std::move(shape));
}

NDArray NDArray::over(ElementType type, std::vector<int64_t> shape, void* data,
                      std::shared_ptr<const void> owner) {
  return in(borrowed(std::move(owner), data), type, std::move(shape));
}

NDArray NDArray::zeros(ElementType type, std::vector<int64_t> shape) {
  NDArray array = in(nullptr, type, std::move(shape));
  array.memory_ = std::make_shared<AlignedMemory>(static_cast<size_t>(array.size_bytes()));
  return array;
}

void NDArray::check_bytes(size_t bytes) const {
  CHECK(bytes == static_cast<size_t>(size_bytes()), "the elements of the shape");
}

const std::byte* NDArray::host_data() const {
  if (empty() || !memory_) return nullptr;
  CHECK(memory_->host != nullptr, "elements that the host can read");
  return memory_->host + byte_offset_;
}

std::span<std::byte> NDArray::writable_bytes() const {
  CHECK(is_dense() && (empty() || is_writable()), "elements that may be written");
  return {const_cast<std::byte*>(host_data()), static_cast<size_t>(size_bytes())};
}

NDArray NDArray::strided(std::vector<int64_t> shape, std::vector<int64_t> strides,
                         int64_t first) const {
  NDArray view = *this;
  view.shape_ = std::move(shape);
  view.strides_ = std::move(strides);
  view.byte_offset_ += first * bytes_of(type_);
  return view;
}

NDArray NDArray::reshaped(std::vector<int64_t> shape) const {
  CHECK(is_dense(), "elements one after the other");
  std::vector<int64_t> strides = row_major_strides(shape);
  NDArray view = strided(std::move(shape), std::move(strides), 0);
  view.check_bytes(static_cast<size_t>(size_bytes()));
  return view;
}

NDArray NDArray::slice(size_t axis, int64_t first, int64_t count) const {
  CHECK(axis < shape_.size() && first >= 0 && first + count <= shape_[axis], "a part of an axis");
  std::vector<int64_t> shape = shape_;
  shape[axis] = count;
  return strided(std::move(shape), strides_, first * strides_[axis]);
}

NDArray NDArray::permuted(const std::vector<size_t>& order) const {
  std::vector<int64_t> shape, strides;
  for (const size_t axis : order) {
    shape.push_back(shape_.at(axis));
    strides.push_back(strides_.at(axis));
  }
  CHECK(shape.size() == shape_.size(), "each axis once");
  return strided(std::move(shape), std::move(strides), 0);
}

bool operator==(const NDArray& a, const NDArray& b) {
  return a.type_ == b.type_ && a.shape_ == b.shape_ && std::ranges::equal(a.bytes(), b.bytes());
}

namespace {

// A part of two arrays with the same shape, from an axis on.
struct CopyOfAxes {
  const NDArray& from;
  const NDArray& to;
  size_t width;

  void run(size_t axis, const std::byte* source, std::byte* target) const {
    if (axis == from.shape().size()) {
      std::memcpy(target, source, width);
      return;
    }
    const int64_t extent = from.shape()[axis];
    const auto bytes = static_cast<int64_t>(width);
    const int64_t source_step = from.strides()[axis] * bytes;
    const int64_t target_step = to.strides()[axis] * bytes;
    const bool is_last = axis + 1 == from.shape().size();
    if (is_last && source_step == bytes && target_step == bytes) {
      std::memcpy(target, source, static_cast<size_t>(extent) * width);
      return;
    }
    for (int64_t i = 0; i < extent; ++i)
      run(axis + 1, source + i * source_step, target + i * target_step);
  }
};

}  // namespace

void copy_elements(const NDArray& from, const NDArray& to) {
  CHECK(from.type() == to.type() && from.shape() == to.shape(), "arrays of one type and shape");
  if (from.empty()) return;
  CHECK(from.is_on_host() && to.is_on_host() && to.is_writable(), "host memory to copy to");
  const CopyOfAxes copy{from, to, static_cast<size_t>(bytes_of(from.type()))};
  if (from.is_dense() && to.is_dense()) {
    const std::span<const std::byte> bytes = from.bytes();
    std::memcpy(to.writable_bytes().data(), bytes.data(), bytes.size());
    return;
  }
  copy.run(0, from.memory()->host + from.byte_offset(), to.memory()->host + to.byte_offset());
}

void convert(const ArrayView& array, ElementType type, std::span<std::byte> bytes) {
  const auto width = static_cast<size_t>(bytes_of(type));
  CHECK(bytes.size() == array.size() * width, "as many bytes as the elements take");
  if (type == array.type()) {
    if (!bytes.empty()) std::memcpy(bytes.data(), array.bytes().data(), bytes.size());
    return;
  }
  constexpr size_t kPart = size_t{1} << 18;  // elements, that are worth a thread
  for_each_in_parallel((array.size() + kPart - 1) / kPart, [&](size_t part) {
    const size_t first = part * kPart, count = std::min(kPart, array.size() - first);
    convert_part(array.subspan(first, count), type, bytes.subspan(first * width));
  });
}

NDArray converted(const ArrayView& array, ElementType type) {
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

float rounded(float number, ElementType type) {
  if (type == ElementType::f16) return half_bits_to_float(float_to_half_bits(number));
  if (type == ElementType::bf16) return bfloat_bits_to_float(float_to_bfloat_bits(number));
  if (type == ElementType::tf32)
    return std::bit_cast<float>(std::bit_cast<uint32_t>(number) & kTf32Bits);
  if (type == ElementType::tf32x2) {
    const float first = rounded(number, ElementType::tf32);
    return first + rounded(number - first, ElementType::tf32);
  }
  return number;
}

double overflowed(double number, ElementType type) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // Halfway between the largest number and the next one beyond it; ties round to even, to inf.
  const double beyond = type == ElementType::f16    ? 0x1.ffep15
                        : type == ElementType::bf16 ? 0x1.ffp127
                        : type == ElementType::f32  ? 0x1.ffffffp127
                                                    : kInfinity;
  return std::abs(number) >= beyond ? std::copysign(kInfinity, number) : number;
}

}  // namespace dovetail
