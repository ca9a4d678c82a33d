// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "core/frontend/onnx/tensor.h"

namespace dovetail {

double decimal_of(float value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  double result = 0;
  std::from_chars(buffer, end, result);
  return result;
}

}  // namespace dovetail
