// SPDX-License-Identifier: Apache-2.0
//
// Against LibTorch: its headers take half a minute, so this is a test of its own.
#include <ATen/ATen.h>
#include <ATen/DLConvertor.h>
#include <gtest/gtest.h>

#undef CHECK  // glog's, which LibTorch brings; ours takes a message

#include "core/runtime/dlpack.h"

namespace dovetail {
namespace {

TEST(DlpackTorch, SeesAnArraysElementsAndWritesToThem) {
  const NDArray array = NDArray::zeros(ElementType::f32, {2, 3});
  const NDArray transposed = array.permuted({1, 0});
  at::Tensor torch = at::fromDLPack(*to_dlpack(transposed));
  EXPECT_EQ(torch.sizes(), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(torch.strides(), (std::vector<int64_t>{1, 3}));
  torch[2][1] = 7;
  EXPECT_EQ(array.real(5), 7);
}

TEST(DlpackTorch, GivesItsTensorsInEveryType) {
  const std::pair<at::ScalarType, ElementType> types[] = {
      {at::kFloat, ElementType::f32},     {at::kHalf, ElementType::f16},
      {at::kBFloat16, ElementType::bf16}, {at::kDouble, ElementType::f64},
      {at::kLong, ElementType::i64},      {at::kInt, ElementType::i32},
      {at::kChar, ElementType::i8},       {at::kByte, ElementType::u8}};
  for (const auto& [theirs, ours] : types) {
    const at::Tensor torch = at::arange(12, theirs).reshape({3, 4});
    const auto array = from_dlpack(at::toDLPack(torch.transpose(0, 1)));
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->type(), ours);
    EXPECT_EQ(array->shape(), (std::vector<int64_t>{4, 3}));
    EXPECT_EQ(array->strides(), (std::vector<int64_t>{1, 4}));
    EXPECT_EQ(array->memory()->host, static_cast<std::byte*>(torch.data_ptr()));
  }
}

}  // namespace
}  // namespace dovetail
