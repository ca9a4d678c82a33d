// SPDX-License-Identifier: Apache-2.0
//
// Programs that a target cannot run, for which LLVM would abort the process, are errors instead.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/programs.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

Target target_of(const std::string& triple, const std::string& cpu) {
  Target target = *cpu_target(*parse_target_name("cpu:arch=x86-64-v3"));
  target.llvm_triple = triple;
  target.llvm_cpu = cpu;
  target.llvm_features.clear();
  return target;
}

// Two vectors of sixteen lanes that advance together are held by empty inline assembly.
constexpr const char* kHeldVectors =
    "buffer x: f32 activation x[i=32] as [i@1:32]\n"
    "buffer y: f32 output y[i=32] as [i@1:32]\n"
    "kernel k\n"
    " for i in 0..32 vectorized\n"
    "  y[i] = exp(x[i])\n";

TEST(MachineCode, ARegisterThatTheTargetHasNotIsAnError) {
  Target target = target_of("x86_64-unknown-linux-gnu", "x86-64-v3");
  EXPECT_TRUE(compile_cpu(program_of(kHeldVectors), target).has_value());
  target.vector_bytes = 64;
  const std::string_view reason = "couldn't allocate output register for constraint 'v'";
  for (int repeated = 0; repeated < 3; ++repeated)
    EXPECT_ERROR(compile_cpu(program_of(kHeldVectors), target), reason);
  EXPECT_ERROR(emit_assembly(program_of(kHeldVectors), target), reason);
  target.vector_bytes = 32;
  EXPECT_TRUE(compile_cpu(program_of(kHeldVectors), target).has_value());
}

TEST(MachineCode, ACpuOfAnotherArchitectureIsAnError) {
  const Program program = program_of(kMatrixProduct);
  EXPECT_ERROR(compile_cpu(program, target_of("riscv64-unknown-linux-gnu", "x86-64-v3")),
               "LLVM knows no cpu x86-64-v3 for triple \"riscv64-unknown-linux-gnu\"");
  EXPECT_ERROR(compile_cpu(program, target_of("x86_64-unknown-linux-gnu", "cortex-a76")),
               "LLVM knows no cpu cortex-a76 for triple \"x86_64-unknown-linux-gnu\"");
  EXPECT_ERROR(compile_cpu(program, target_of("z80-unknown-linux-gnu", "z80")),
               "LLVM has no target for triple \"z80-unknown-linux-gnu\"");
}

TEST(MachineCode, ACpuOfFewerBitsIsAnError) {
  const Program program = program_of(kMatrixProduct);
  EXPECT_ERROR(compile_cpu(program, target_of("riscv64-unknown-linux-gnu", "generic-rv32")),
               "RV64 target requires an RV64 CPU");
  EXPECT_ERROR(compile_cpu(program, target_of("x86_64-unknown-linux-gnu", "i386")), "64-bit");
  EXPECT_TRUE(compile_cpu(program, host_cpu()).has_value());
}

}  // namespace
}  // namespace dovetail::testing
