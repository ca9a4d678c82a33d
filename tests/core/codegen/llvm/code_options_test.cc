// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/loader.h"
#include "core/codegen/llvm/object_symbols.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

constexpr const char* kPrepared = R"(
buffer A: f32 activation A[a=32] as [a@1:32]
buffer C: f32 constant C[a=32] as [a@1:32]
buffer C.made: f32 prepared C.made[a=32] as [a@1:32]
buffer B: f32 output B[a=32] as [a@1:32]
kernel prepare prepares
 for a in 0..32
  C.made[a] = 2 * C[a]
kernel step
 for a in 0..32 parallel
  B[a] = A[a] + C.made[a]
)";

std::vector<std::string> names_of(const CpuObject& object) {
  const std::vector<ObjectSymbol> symbols = *object_symbols(object.bytes);
  std::vector<std::string> names;
  for (const ObjectSymbol& symbol : symbols) names.push_back(symbol.name);
  return names;
}

TEST(CpuCodeOptions, SymbolsBeginWithThePrefixAndTheKernelsNumber) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(*compile_cpu(program_of(kPrepared), host_cpu(), {.prefix = "p_"})),
            (Names{"p_0_prepare", "p_1_step"}));
}

TEST(CpuCodeOptions, AProgramWithoutKernelsIsAnEmptyObject) {
  Program program = program_of(kPrepared);
  program.kernels.clear();
  const CpuObject object = *compile_cpu(program, host_cpu());
  EXPECT_EQ(names_of(object), std::vector<std::string>{});
  EXPECT_TRUE(LoadedObject::load(object.bytes).has_value());
}

TEST(CpuCodeOptions, HiddenSymbolsAreFoundAndNotExported) {
  const Program program = program_of(kPrepared);
  for (const bool hidden : {false, true}) {
    const CpuObject object = *compile_cpu(program, host_cpu(), {.hidden = hidden});
    const std::vector<ObjectSymbol> symbols = *object_symbols(object.bytes);
    EXPECT_EQ(symbols.size(), 2U);
    for (const ObjectSymbol& symbol : symbols)
      EXPECT_EQ(symbol, (ObjectSymbol{symbol.name, /*defined=*/true, hidden}));
    const LoadedObject code = *LoadedObject::load(object.bytes);
    for (const std::string& kernel : object.kernels) EXPECT_TRUE(code.find(kernel).has_value());
  }
}

TEST(ObjectSymbols, RefusesWhatIsNoObject) {
  EXPECT_ERROR(object_symbols(""), "0 bytes are no object");
  EXPECT_ERROR(object_symbols("#!/bin/sh\nexit 1\n"), "17 bytes are no object");
}

}  // namespace
}  // namespace dovetail::testing
