// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/onnx/tensor.h"

#include <onnx/onnx_pb.h>

#include <cstring>

#include "core/base/fail.h"
#include "core/base/half.h"
#include "core/frontend/graph_edit.h"

namespace dovetail {
namespace {

using Proto = onnx::TensorProto;

// Newer than Debian's libonnx.
constexpr int kUint4 = 21, kInt4 = 22;

// Elements of `tensor`, converted: from raw_data (as Stored), or from the repeated field.
template <typename Stored, typename Field, typename Convert>
Result<NDArray> read_elements(const Proto& tensor, const Field& field, size_t count,
                              Convert convert) {
  const std::string& raw = tensor.raw_data();
  const size_t found =
      tensor.has_raw_data() ? raw.size() / sizeof(Stored) : static_cast<size_t>(field.size());
  const bool whole = !tensor.has_raw_data() || raw.size() % sizeof(Stored) == 0;
  if (found != count || !whole)
    return fail("initializer {} has {} elements; expected {}, as many as its shape says",
                tensor.name(), found, count);
  std::vector<decltype(convert(Stored{}))> numbers;
  numbers.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    Stored element;
    if (tensor.has_raw_data())
      std::memcpy(&element, raw.data() + i * sizeof(Stored), sizeof(Stored));
    else
      element = static_cast<Stored>(field.Get(static_cast<int>(i)));
    numbers.push_back(convert(element));
  }
  return NDArray(std::move(numbers));
}

template <typename Stored, typename Field>
Result<NDArray> read_integers(const Proto& tensor, const Field& field, size_t count) {
  const auto widen = [](Stored value) { return static_cast<int64_t>(value); };
  return read_elements<Stored>(tensor, field, count, widen);
}

// No elements for texts and unknown types.
Result<NDArray> read_data(const Proto& tensor, ElementType type, size_t count) {
  const auto from_half = [](uint16_t bits) { return half_bits_to_float(bits); };
  const auto from_bfloat = [](uint16_t bits) { return bfloat_bits_to_float(bits); };
  const auto from_real = [](auto value) { return static_cast<float>(value); };
  switch (type) {
    case ElementType::f32:
      return read_elements<float>(tensor, tensor.float_data(), count, from_real);
    case ElementType::f64:
      return read_elements<double>(tensor, tensor.double_data(), count, from_real);
    case ElementType::f16:
      return read_elements<uint16_t>(tensor, tensor.int32_data(), count, from_half);
    case ElementType::bf16:
      return read_elements<uint16_t>(tensor, tensor.int32_data(), count, from_bfloat);
    case ElementType::i8: return read_integers<int8_t>(tensor, tensor.int32_data(), count);
    case ElementType::i16: return read_integers<int16_t>(tensor, tensor.int32_data(), count);
    case ElementType::i32: return read_integers<int32_t>(tensor, tensor.int32_data(), count);
    case ElementType::i64: return read_integers<int64_t>(tensor, tensor.int64_data(), count);
    case ElementType::u8:
    case ElementType::boolean: return read_integers<uint8_t>(tensor, tensor.int32_data(), count);
    case ElementType::u16: return read_integers<uint16_t>(tensor, tensor.int32_data(), count);
    case ElementType::u32: return read_integers<uint32_t>(tensor, tensor.uint64_data(), count);
    case ElementType::u64: return read_integers<uint64_t>(tensor, tensor.uint64_data(), count);
    case ElementType::tf32:
    case ElementType::tf32x2:
    case ElementType::text:
    case ElementType::unknown: break;
  }
  return NDArray();
}

// Unpacks two numbers per byte, the first one in its lower half, to one byte each.
Result<NDArray> read_nibbles(const Proto& tensor, size_t count) {
  const bool raw = tensor.has_raw_data();
  const size_t bytes =
      raw ? tensor.raw_data().size() : static_cast<size_t>(tensor.int32_data_size());
  if (bytes != (count + 1) / 2)
    return fail("initializer {} has {} bytes of int4; expected {}, two elements in each",
                tensor.name(), bytes, (count + 1) / 2);
  const bool is_signed = tensor.data_type() == kInt4;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<uint8_t>(
        raw ? static_cast<unsigned char>(tensor.raw_data()[i / 2])
            : static_cast<uint32_t>(tensor.int32_data(static_cast<int>(i / 2))));
    const int64_t nibble = i % 2 == 0 ? byte & 15 : byte >> 4;
    numbers.push_back(is_signed && nibble > 7 ? nibble - 16 : nibble);
  }
  return NDArray(std::move(numbers));
}

constexpr std::pair<Proto::DataType, ElementType> kTypes[] = {
    {Proto::FLOAT, ElementType::f32},     {Proto::FLOAT16, ElementType::f16},
    {Proto::BFLOAT16, ElementType::bf16}, {Proto::DOUBLE, ElementType::f64},
    {Proto::INT8, ElementType::i8},       {Proto::INT16, ElementType::i16},
    {Proto::INT32, ElementType::i32},     {Proto::INT64, ElementType::i64},
    {Proto::UINT8, ElementType::u8},      {Proto::UINT16, ElementType::u16},
    {Proto::UINT32, ElementType::u32},    {Proto::UINT64, ElementType::u64},
    {Proto::BOOL, ElementType::boolean},  {Proto::STRING, ElementType::text}};

Proto::DataType onnx_type_of(ElementType type) {
  for (const auto& [onnx, ours] : kTypes)
    if (ours == type) return onnx;
  return Proto::UNDEFINED;
}

}  // namespace

bool is_int4(int onnx_type) { return onnx_type == kInt4 || onnx_type == kUint4; }

ElementType element_type_of(int onnx_type) {
  for (const auto& [onnx, ours] : kTypes)
    if (onnx == onnx_type) return ours;
  return ElementType::unknown;
}

Result<GraphTensor> convert_tensor(const Proto& tensor) {
  int64_t count = 1;
  for (const int64_t extent : tensor.dims()) {
    if (extent < 0 || extent > kMaxTensorElements / std::max<int64_t>(count, 1))
      return fail(
          "initializer {} has dimensions [{}]; expected 0 or more each, at most 2^40 elements",
          tensor.name(), fmt::join(tensor.dims(), ","));
    count *= extent;
  }
  const auto size = static_cast<size_t>(count);
  GraphTensor made{.name = tensor.name(),
                   .type = element_type_of(tensor.data_type()),
                   .shape = std::vector<int64_t>(tensor.dims().begin(), tensor.dims().end()),
                   .constant = true,
                   .data = {}};
  if (is_int4(tensor.data_type())) {
    made.type = tensor.data_type() == kInt4 ? ElementType::i8 : ElementType::u8;
    become_constant(made, TRY(read_nibbles(tensor, size)));
  } else if (made.type != ElementType::text && made.type != ElementType::unknown) {
    become_constant(made, TRY(read_data(tensor, made.type, size)));
  }
  return made;
}

Proto to_onnx(const GraphTensor& tensor) {
  Proto proto;
  proto.set_name(tensor.name);
  proto.set_data_type(onnx_type_of(tensor.type));
  for (const int64_t extent : *tensor.shape) proto.add_dims(extent);
  const bool is_real = tensor.data->type() == ElementType::f32;
  for (const float number : is_real ? tensor.data->as<float>() : std::span<const float>()) {
    switch (tensor.type) {
      case ElementType::f64: proto.add_double_data(number); break;
      case ElementType::f16: proto.add_int32_data(float_to_half_bits(number)); break;
      case ElementType::bf16: proto.add_int32_data(float_to_bfloat_bits(number)); break;
      default: proto.add_float_data(number); break;
    }
  }
  if (is_real) return proto;
  for (const int64_t number : tensor.data->as<int64_t>()) {
    switch (tensor.type) {
      case ElementType::i64: proto.add_int64_data(number); break;
      case ElementType::u32:
      case ElementType::u64: proto.add_uint64_data(static_cast<uint64_t>(number)); break;
      default: proto.add_int32_data(static_cast<int32_t>(number)); break;
    }
  }
  return proto;
}

}  // namespace dovetail
