// SPDX-License-Identifier: Apache-2.0
//
// Objects compiled for other CPUs and systems: the symbols that they define and need.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/object_symbols.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/programs.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

Target arch_of(const std::string& arch) {
  return *cpu_target(*parse_target_name("cpu:arch=" + arch));
}

// One of each set of instructions; every_cpu_slow_test.cc has all of LLVM's.
const std::vector<std::string> kArchs = {
    "x86-64-v2",      "x86-64-v3",  "x86-64-v4",  "znver3",      "znver5",  "rocketlake",
    "sapphirerapids", "cortex-a55", "cortex-a76", "neoverse-v1", "apple-m1"};

// All functions, in vectors and alone.
constexpr const char* kFunctions =
    "buffer x: f32 activation x[i=32] as [i@1:32]\n"
    "buffer y: f32 output y[i=32] as [i@1:32]\n"
    "kernel k\n"
    " for i in 0..32 vectorized\n"
    "  y[i] = exp(x[i]) + log(x[i]) + tanh(x[i]) + erf(x[i]) + sqrt(x[i]) + floor(x[i])\n"
    " for i in 0..32\n"
    "  y[i] += exp(x[i]) + log(x[i]) + tanh(x[i]) + erf(x[i]) + sqrt(x[i]) + sin(x[i])\n";

std::string halves(const std::string& value) {
  return "buffer x: f16 activation x[i=48] as [i@1:48]\n"
         "buffer y: f16 output y[i=48] as [i@1:48]\n"
         "kernel k\n"
         " for i in 0..48\n"
         "  y[i] = " +
         value + "\n";
}

TEST(OtherTargets, KernelsForEachCpuNeedNothing) {
  for (const std::string& arch : kArchs) {
    for (const char* text : {kConvolution, kDepthwise, kMatrixProduct, kFunctions}) {
      const Result<CpuObject> object = compile_cpu(program_of(text), arch_of(arch));
      ASSERT_TRUE(object.has_value()) << arch << ": " << object.error().message;
      EXPECT_EQ(*undefined_symbols(object->bytes), std::vector<std::string>{}) << arch;
    }
  }
}

TEST(OtherTargets, HalvesNeedConversionsOfTheCpu) {
  for (const std::string& arch : kArchs) {
    const Result<CpuObject> object = compile_cpu(program_of(halves("x[i] * 2")), arch_of(arch));
    if (arch == "x86-64-v2")
      EXPECT_ERROR(object, "f16 needs conversions of the CPU (F16C), which x86-64-v2 has not");
    else
      EXPECT_TRUE(object.has_value()) << arch << ": " << object.error().message;
  }
  EXPECT_TRUE(compile_cpu(program_of(halves("x[i]")), arch_of("x86-64-v2")).has_value());
}

TEST(OtherTargets, KernelsNeverNeedALibrary) {
  Target target = arch_of("x86-64-v2");
  target.llvm_cpu = "x86-64";  // before SSE 4.1 no instruction rounds down
  EXPECT_ERROR(compile_cpu(program_of(kFunctions), target),
               "kernels need floorf, which x86-64 has no instructions for");
}

struct System {
  std::string triple, arch, underscore;
};

TEST(OtherTargets, ObjectsOfOtherSystemsDefineTheirKernels) {
  const std::vector<System> systems = {{"x86_64-apple-macosx11", "x86-64-v3", "_"},
                                       {"arm64-apple-macosx11", "cortex-a76", "_"},
                                       {"x86_64-pc-windows-msvc", "x86-64-v3", ""},
                                       {"x86_64-pc-windows-gnu", "x86-64-v3", ""},
                                       {"aarch64-pc-windows-msvc", "cortex-a76", ""}};
  for (const System& system : systems) {
    SCOPED_TRACE(system.triple);
    Target target = arch_of(system.arch);
    target.llvm_triple = system.triple;
    const Result<CpuObject> object = compile_cpu(program_of(kConvolution), target);
    ASSERT_TRUE(object.has_value()) << object.error().message;
    const std::vector<ObjectSymbol> symbols = *object_symbols(object->bytes);
    for (const std::string& kernel : object->kernels) {
      const ObjectSymbol expected{.name = system.underscore + kernel};
      EXPECT_EQ(std::ranges::count(symbols, expected), 1) << kernel;
    }
    const std::vector<std::string> undefined = *undefined_symbols(object->bytes);
    for (const std::string& needed : undefined) EXPECT_EQ(needed, "_fltused");
  }
}

}  // namespace
}  // namespace dovetail::testing
