// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/device.h"

#include "core/base/check.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

// The bytes of an allocation from an array's first element to its last one.
struct Span {
  int64_t first = 0, bytes = 0;
};

Span span_of(const NDArray& array) {
  const int64_t width = bytes_of(array.type());
  Span span{.first = array.byte_offset(), .bytes = width};
  for (size_t axis = 0; axis < array.shape().size(); ++axis) {
    const int64_t reach = (array.shape()[axis] - 1) * array.strides()[axis] * width;
    if (reach < 0) span.first += reach;
    span.bytes += std::abs(reach);
  }
  return span;
}

// The array in a copy of its span on the host.
NDArray in_block(const NDArray& array, const Span& span, const NDArray& block) {
  return NDArray::in(block.memory(), array.type(), {}, array.byte_offset() - span.first)
      .strided(array.shape(), array.strides(), 0);
}

NDArray bytes_on_host(int64_t bytes) { return NDArray::zeros(ElementType::u8, {bytes}); }

}  // namespace

Result<NDArray> Device::on_host(const NDArray& array) {
  if (array.is_on_host()) return array;
  const Span span = span_of(array);
  const NDArray block = bytes_on_host(span.bytes);
  TRY(read(*array.memory(), span.first, block.writable_bytes()));
  return in_block(array, span, block);
}

// Around the elements of a view with gaps are others, which keep their values.
Result<void> Device::write_to(const NDArray& host, const NDArray& to) {
  const Span span = span_of(to);
  if (host.is_dense() && to.is_dense()) return write(*to.memory(), span.first, host.bytes());
  const NDArray block = bytes_on_host(span.bytes);
  if (!to.is_dense()) TRY(read(*to.memory(), span.first, block.writable_bytes()));
  copy_elements(host, in_block(to, span, block));
  return write(*to.memory(), span.first, block.bytes());
}

Result<void> Device::copy(const NDArray& from, const NDArray& to) {
  CHECK(from.type() == to.type() && from.shape() == to.shape(), "arrays of one type and shape");
  CHECK(from.empty() || to.is_writable(), "memory that may be written");
  if (from.empty()) return {};
  if (to.is_on_host() && to.is_dense() && from.is_dense() && !from.is_on_host())
    return read(*from.memory(), from.byte_offset(), to.writable_bytes());
  const NDArray host = TRY(on_host(from));
  if (!to.is_on_host()) return write_to(host, to);
  copy_elements(host, to);
  return {};
}

Result<void> Device::read(const ArrayMemory&, int64_t, std::span<std::byte>) {
  return fail("an array of another device than {}", target().device);
}

Result<void> Device::write(const ArrayMemory&, int64_t, std::span<const std::byte>) {
  return fail("an array of another device than {}", target().device);
}

}  // namespace dovetail
