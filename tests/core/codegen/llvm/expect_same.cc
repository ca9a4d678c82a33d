// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codegen/llvm/expect_same.h"

#include <cmath>

#include "tests/core/codegen/llvm/compiled_program.h"

namespace dovetail::testing {
namespace {

bool same(float a, float b, double tolerance) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  return std::fabs(a - b) <= tolerance * std::max(std::fabs(a), std::fabs(b));
}

}  // namespace

::testing::AssertionResult same_as_interpreter(std::string_view text, int parts, double tolerance) {
  return same_as_interpreter_on(host_cpu(), text, parts, tolerance);
}

::testing::AssertionResult same_as_interpreter_on(const Target& target, std::string_view text,
                                                  int parts, double tolerance) {
  const Program program = program_of(text);
  Storage expected = small_integers(program, 42);
  Storage found = expected;
  const Result<void> interpreted = interpret(program, expected);
  if (!interpreted) return ::testing::AssertionFailure() << interpreted.error().message;
  const Result<CompiledProgram> compiled = CompiledProgram::compile(program, target);
  if (!compiled) return ::testing::AssertionFailure() << compiled.error().message;
  const Result<void> ran = compiled->run(found, parts);
  if (!ran) return ::testing::AssertionFailure() << ran.error().message;
  for (const auto& [name, values] : expected) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (same(values[i], found[name][i], tolerance)) continue;
      return ::testing::AssertionFailure()
             << "buffer " << name << ", element " << i << ": expected " << values[i] << ", found "
             << found[name][i];
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace dovetail::testing
