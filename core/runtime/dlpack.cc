// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/dlpack.h"

#include <dlpack/dlpack.h>

#include <memory>
#include <optional>

#include "core/base/fail.h"

namespace dovetail {
namespace {

constexpr uint8_t kBool = 6;  // kDLBool of DLPack 0.8, which numpy and torch use

struct NamedType {
  ElementType type;
  uint8_t code;
};
constexpr NamedType kTypes[] = {
    {ElementType::f32, kDLFloat},  {ElementType::f16, kDLFloat}, {ElementType::f64, kDLFloat},
    {ElementType::i64, kDLInt},    {ElementType::i32, kDLInt},   {ElementType::i16, kDLInt},
    {ElementType::i8, kDLInt},     {ElementType::u64, kDLUInt},  {ElementType::u32, kDLUInt},
    {ElementType::u16, kDLUInt},   {ElementType::u8, kDLUInt},   {ElementType::bf16, kDLBfloat},
    {ElementType::boolean, kBool},
};

std::optional<uint8_t> code_of(ElementType type) {
  for (const NamedType& named : kTypes)
    if (named.type == type) return named.code;
  return std::nullopt;
}

std::optional<ElementType> type_of(const DLDataType& type) {
  constexpr int kBitsOfByte = 8;
  for (const NamedType& named : kTypes)
    if (named.code == type.code && bytes_of(named.type) * kBitsOfByte == type.bits &&
        type.lanes == 1)
      return named.type;
  return std::nullopt;
}

// A tensor with what its pointers refer to.
struct Exported {
  DLManagedTensor tensor = {};
  NDArray array;
  std::vector<int64_t> shape, strides;
};

struct ImportedMemory : ArrayMemory {
  explicit ImportedMemory(DLManagedTensor* given) : tensor(given) {}
  ~ImportedMemory() override {
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
  }
  DLManagedTensor* tensor;
};

}  // namespace

Result<DLManagedTensor*> to_dlpack(const NDArray& array) {
  const std::optional<uint8_t> code = code_of(array.type());
  if (!code) return fail("an array of {}; expected numbers or booleans", name_of(array.type()));
  if (!array.is_on_host()) return fail("an array in a device's memory; expected the host's");
  if (!array.empty() && !array.is_writable())
    return fail("a read-only array; expected a copy of it, which others may write");
  auto exported = std::make_unique<Exported>();
  exported->array = array;
  exported->shape = array.shape();
  exported->strides = array.strides();
  DLTensor& tensor = exported->tensor.dl_tensor;
  // The address of the first element: not every library adds byte_offset.
  tensor.data = array.empty() ? nullptr : array.memory()->host + array.byte_offset();
  tensor.device = {kDLCPU, 0};
  tensor.ndim = static_cast<int>(exported->shape.size());
  tensor.dtype = {*code, static_cast<uint8_t>(8 * bytes_of(array.type())), 1};
  tensor.shape = exported->shape.data();
  tensor.strides = exported->strides.data();
  exported->tensor.manager_ctx = exported.get();
  exported->tensor.deleter = [](DLManagedTensor* self) {
    delete static_cast<Exported*>(self->manager_ctx);
  };
  return &exported.release()->tensor;
}

Result<NDArray> from_dlpack(DLManagedTensor* tensor) {
  auto memory = std::make_shared<ImportedMemory>(tensor);
  const DLTensor& given = tensor->dl_tensor;
  if (given.device.device_type != kDLCPU)
    return fail("a tensor on a device of DLPack's kind {}; expected the host's memory",
                static_cast<int>(given.device.device_type));
  const std::optional<ElementType> type = type_of(given.dtype);
  if (!type)
    return fail("a tensor of DLPack's type {}, {} bits, {} lanes; expected numbers or booleans",
                given.dtype.code, given.dtype.bits, given.dtype.lanes);
  memory->host = static_cast<std::byte*>(given.data) + given.byte_offset;
  std::vector<int64_t> shape(given.shape, given.shape + given.ndim);
  std::vector<int64_t> strides = row_major_strides(shape);
  if (given.strides != nullptr) strides.assign(given.strides, given.strides + given.ndim);
  return NDArray::in(std::move(memory), *type, {}).strided(std::move(shape), std::move(strides), 0);
}

}  // namespace dovetail
