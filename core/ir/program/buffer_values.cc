// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/buffer_values.h"

#include <cstdint>

#include "core/base/check.h"
#include "core/ir/layout/pack.h"
#include "core/ir/layout/stored_elements.h"

namespace dovetail {
namespace {

template <typename Float, typename Byte>
std::span<Float> as_floats(std::span<Byte> bytes) {
  CHECK(reinterpret_cast<uintptr_t>(bytes.data()) % alignof(Float) == 0);
  return {reinterpret_cast<Float*>(bytes.data()), bytes.size() / sizeof(Float)};
}

}  // namespace

Result<LogicalValues> logical_values(const Buffer& buffer, const ValuesOfTensor& values_of) {
  LogicalValues values;
  values.all = TRY(values_of(buffer.tensor));
  if (buffer.layout.guests.empty()) return values;
  std::vector<std::span<const float>> guests;
  for (const Guest& guest : buffer.layout.guests) guests.push_back(TRY(values_of(guest.tensor)));
  values.joined = join_guests(buffer.layout, values.all, guests);
  values.all = values.joined;
  return values;
}

// Buffers of f32 are packed in place: that is most of what a campaign packs.
void store_values(const Buffer& buffer, std::span<const float> logical,
                  std::span<std::byte> bytes) {
  if (buffer.dtype == ElementType::f32) {
    pack(buffer.layout, logical, as_floats<float>(bytes));
    return;
  }
  std::vector<float> physical(static_cast<size_t>(storage_elements(buffer.layout)));
  pack(buffer.layout, logical, physical);
  store_elements(physical, buffer.dtype, bytes);
}

std::vector<float> load_values(const Buffer& buffer, std::span<const std::byte> bytes) {
  std::vector<float> logical(static_cast<size_t>(logical_elements(buffer.layout)));
  if (buffer.dtype == ElementType::f32) {
    unpack(buffer.layout, as_floats<const float>(bytes), logical);
    return logical;
  }
  std::vector<float> physical(static_cast<size_t>(storage_elements(buffer.layout)));
  load_elements(bytes, buffer.dtype, physical);
  unpack(buffer.layout, physical, logical);
  return logical;
}

}  // namespace dovetail
