// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/dlpack.h"

#include <dlpack/dlpack.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

NDArray counted(ElementType type, const std::vector<int64_t>& shape) {
  const NDArray array = NDArray::zeros(type, shape);
  std::vector<int64_t> numbers(array.size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int64_t>(i % 2 == 0 ? i : 1);
  convert(numbers, type, array.writable_bytes());
  return array;
}

TEST(Dlpack, GoesOutAndComesBackOverTheSameMemory) {
  for (const ElementType type :
       {ElementType::f32, ElementType::f16, ElementType::f64, ElementType::i64, ElementType::i32,
        ElementType::i8, ElementType::u8, ElementType::boolean}) {
    const NDArray array = counted(type, {2, 3, 4});
    const NDArray view = array.slice(1, 1, 2).permuted({2, 0, 1});
    const auto tensor = to_dlpack(view);
    ASSERT_TRUE(tensor) << tensor.error().message;
    EXPECT_EQ((*tensor)->dl_tensor.ndim, 3);
    const auto back = from_dlpack(*tensor);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->type(), type);
    EXPECT_EQ(back->shape(), view.shape());
    EXPECT_EQ(back->strides(), view.strides());
    EXPECT_EQ(back->memory()->host, array.memory()->host + view.byte_offset());
  }
}

// Counts how often a tensor of another library is freed.
struct Foreign {
  DLManagedTensor tensor = {};
  std::vector<int64_t> shape = {2, 2};
  std::vector<float> numbers = {1, 2, 3, 4};
  int deleted = 0;

  Foreign() {
    tensor.dl_tensor = {.data = numbers.data(),
                        .device = {kDLCPU, 0},
                        .ndim = 2,
                        .dtype = {kDLFloat, 32, 1},
                        .shape = shape.data(),
                        .strides = nullptr,
                        .byte_offset = 0};
    tensor.manager_ctx = this;
    tensor.deleter = [](DLManagedTensor* self) {
      ++static_cast<Foreign*>(self->manager_ctx)->deleted;
    };
  }
};

TEST(Dlpack, KeepsAForeignTensorUntilItsLastViewEnds) {
  Foreign foreign;
  {
    NDArray row;
    {
      const NDArray array = *from_dlpack(&foreign.tensor);
      EXPECT_EQ(array.real(3), 4);
      row = array.slice(0, 1, 1);
    }
    EXPECT_EQ(foreign.deleted, 0);
    EXPECT_EQ(row.real(0), 3);
  }
  EXPECT_EQ(foreign.deleted, 1);
}

TEST(Dlpack, RefusesWhatNoArrayHolds) {
  Foreign on_gpu;
  on_gpu.tensor.dl_tensor.device = {kDLCUDA, 0};
  EXPECT_ERROR(from_dlpack(&on_gpu.tensor), "expected the host's memory");
  EXPECT_EQ(on_gpu.deleted, 1);
  Foreign complex;
  complex.tensor.dl_tensor.dtype = {kDLComplex, 64, 1};
  EXPECT_ERROR(from_dlpack(&complex.tensor), "expected numbers or booleans");
  EXPECT_ERROR(to_dlpack(NDArray{1, 2}), "a read-only array");
}

}  // namespace
}  // namespace dovetail
