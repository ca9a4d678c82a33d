// SPDX-License-Identifier: Apache-2.0
//
// A library that dlpack_numpy_test.py loads: an array for numpy, and what an array of numpy holds.
#include <dlpack/dlpack.h>

#include "core/runtime/dlpack.h"

using dovetail::ElementType;
using dovetail::NDArray;

namespace {

NDArray& sample() {
  static NDArray array = [] {
    std::vector<float> numbers(6);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
    const NDArray made = NDArray::zeros(ElementType::f32, {2, 3});
    dovetail::convert(numbers, ElementType::f32, made.writable_bytes());
    return made;
  }();
  return array;
}

}  // namespace

extern "C" {

// 0, 1, … 5 as [3, 2], transposed.
DLManagedTensor* sample_tensor() { return *dovetail::to_dlpack(sample().permuted({1, 0})); }
double sample_element(int i) { return sample().real(static_cast<size_t>(i)); }

// The sum of i * element i, in the array's order of axes; NaN where it cannot be taken.
double weighted_sum(DLManagedTensor* tensor) {
  const auto array = dovetail::from_dlpack(tensor);
  if (!array) return __builtin_nan("");
  const NDArray dense = NDArray::zeros(array->type(), array->shape());
  copy_elements(*array, dense);
  double sum = 0;
  for (size_t i = 0; i < dense.size(); ++i) sum += static_cast<double>(i) * dense.real(i);
  return sum;
}
}
