// SPDX-License-Identifier: Apache-2.0
#include "tests/support/interpreter.h"

#include "core/base/fail.h"
#include "core/ir/interpreter/interpreter.h"

namespace dovetail {

Result<void> interpret(const Program& program, Storage& storage) {
  BufferNumbers numbers;
  for (const auto& [name, floats] : storage)
    numbers[name] = std::vector<double>(floats.begin(), floats.end());
  TRY(interpret(program, numbers));
  for (const auto& [name, doubles] : numbers) {
    std::vector<float>& floats = storage[name];
    floats.resize(doubles.size());
    for (size_t i = 0; i < doubles.size(); ++i) floats[i] = static_cast<float>(doubles[i]);
  }
  return {};
}

}  // namespace dovetail
