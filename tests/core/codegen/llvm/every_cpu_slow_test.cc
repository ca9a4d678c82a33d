// SPDX-License-Identifier: Apache-2.0
//
// Code for every CPU that has a name.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/known_cpus.h"
#include "core/codegen/llvm/object_symbols.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/programs.h"

namespace dovetail::testing {
namespace {

TEST(EveryCpu, GetsKernelsThatNeedNothing) {
  for (const std::string& arch : known_cpus()) {
    const Target target = *cpu_target(*parse_target_name("cpu:arch=" + arch));
    for (const char* text : {kConvolution, kDepthwise, kMatrixProduct}) {
      const Result<CpuObject> object = compile_cpu(program_of(text), target);
      ASSERT_TRUE(object.has_value()) << arch << ": " << object.error().message;
      EXPECT_EQ(*undefined_symbols(object->bytes), std::vector<std::string>{}) << arch;
    }
  }
}

}  // namespace
}  // namespace dovetail::testing
