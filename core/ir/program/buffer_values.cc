// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/buffer_values.h"

#include <utility>
#include <vector>

#include "core/ir/layout/pack.h"

namespace dovetail {

Result<NDArray> logical_values(const Buffer& buffer, const ValuesOfTensor& values_of) {
  NDArray host = TRY(values_of(buffer.tensor));
  if (buffer.layout.guests.empty()) return host;
  std::vector<NDArray> guests;
  for (const Guest& guest : buffer.layout.guests) guests.push_back(TRY(values_of(guest.tensor)));
  return join_guests(buffer.layout, host, guests);
}

// Values of the buffer's type, the common case in a campaign, are packed without a converted copy.
void store_values(const Buffer& buffer, const ArrayView& logical, std::span<std::byte> bytes) {
  if (buffer.layout.times != 1) {
    std::vector<float> physical(static_cast<size_t>(storage_elements(buffer.layout)));
    pack(buffer.layout, floats_of(logical), physical);
    return convert(physical, buffer.dtype, bytes);
  }
  const int64_t width = bytes_of(buffer.dtype);
  if (logical.type() == buffer.dtype)
    return pack_bytes(buffer.layout, width, logical.bytes(), bytes);
  pack_bytes(buffer.layout, width, converted(logical, buffer.dtype).bytes(), bytes);
}

NDArray load_values(const Buffer& buffer, std::span<const std::byte> bytes) {
  const std::vector<int64_t> shape = extents_of(buffer.layout.logical);
  const auto elements = static_cast<size_t>(logical_elements(buffer.layout));
  if (buffer.layout.times != 1) {
    const auto stored = static_cast<size_t>(storage_elements(buffer.layout));
    std::vector<float> logical(elements);
    unpack(buffer.layout, floats_of({buffer.dtype, bytes.data(), stored}), logical);
    return converted(logical, buffer.dtype).reshaped(shape);
  }
  std::vector<std::byte> logical(elements * static_cast<size_t>(bytes_of(buffer.dtype)));
  unpack_bytes(buffer.layout, bytes_of(buffer.dtype), bytes, logical);
  return {buffer.dtype, shape, std::move(logical)};
}

}  // namespace dovetail
