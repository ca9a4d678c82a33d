// SPDX-License-Identifier: Apache-2.0
// Tensorized loops on this host, by its instructions where it has them, against the reference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "measure/runner/run_here.h"
#include "tests/measure/candidates.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

#if DOVETAIL_HAVE_LLVM
struct Dot {
  const char *intrinsic, *x_type, *w_type, *y_type, *instruction, *feature;
  int depth;
};
constexpr Dot kDots[] = {
    {"avx512_vnni.dot_u8i8", "u8", "i8", "i32", "vpdpbusd", "+avx512vnni", 4},
    {"avx512_vnni.dot_i8", "i8", "i8", "i32", "vpdpbusd", "+avx512vnni", 4},
    {"avx512_bf16.dot_bf16", "bf16", "bf16", "f32", "vdpbf16ps", "+avx512bf16", 2},
};

std::string spec_of(const Dot& dot) {
  return fmt::format("Y[m,n]+=X[m,k]*W[n,k]:m=12,n=64,k=48,X={},W={},Y={}", dot.x_type, dot.w_type,
                     dot.y_type);
}

std::string trace_of(const Dot& dot, int rows) {
  return fmt::format(
      "layout W: split(axis=n, factor=16) split(axis=k, factor={0}) "
      "reorder(n.0, k.0, n.1, k.1)\n"
      "loops: split(loop=m, factor={1}) ; split(loop=n, factor=16) ; split(loop=k, factor={0}) ; "
      "reorder(m.0, n.0, k.0, m.1, k.1, n.1) ; unroll(m.1) ; cache_write(tensor=Y, at=n.0) ; "
      "tensorize(k.1, {2})\n",
      dot.depth, rows, dot.intrinsic);
}

Program program_of(const Dot& dot, int rows, const Target& target) {
  const std::string trace = trace_of(dot, rows);
  return right(lowered(written_region(spec_of(dot)), right(parse_trace(trace), trace), target),
               trace);
}

::testing::AssertionResult is_right(const Dot& dot, const Program& program, const Target& target) {
  const Region region = written_region(spec_of(dot));
  const NamedArrays inputs = make_region_inputs(region, 3);
  const Result<RunHere> run = run_here(program, target, inputs);
  if (!run) return ::testing::AssertionFailure() << run.error().message;
  return are_right(region, inputs, run->outputs);
}

bool has(const Target& target, const Dot& dot) {
  return target.llvm_features.find(dot.feature) != std::string::npos;
}

TEST(Tensorize, ComputesWhatItsLoopsDo) {
  const Target target = host_target();
  for (const Dot& dot : kDots) {
    for (const int rows : {2, 4, 12}) {
      const Program program = program_of(dot, rows, target);
      EXPECT_TRUE(computes(written_region(spec_of(dot)), program)) << print(program);
      EXPECT_TRUE(is_right(dot, program, target)) << print(program);
    }
  }
}

TEST(Tensorize, IsTheInstructionWhereTheTargetHasIt) {
  for (const char* arch : {"znver4", "x86-64-v3"}) {
    const Target target = *cpu_target(*parse_target_name(fmt::format("cpu:arch={}", arch)));
    for (const Dot& dot : kDots) {
      const std::string text = *emit_assembly(program_of(dot, 4, target), target);
      EXPECT_EQ(text.find(dot.instruction) != std::string::npos, has(target, dot))
          << arch << " " << dot.intrinsic;
    }
  }
}

TEST(Tensorize, RunsTheLoopsWhereTheHostHasNoSuchInstruction) {
  Target target = host_target();
  if (!target.llvm_triple.starts_with("x86_64")) GTEST_SKIP() << "needs an x86";
  for (const Dot& dot : kDots) {
    Target without = target;
    without.llvm_features = "+avx2,+fma,+f16c";
    without.llvm_cpu = "x86-64-v3";
    without.vector_bytes = 32;
    without.vector_registers = 16;
    EXPECT_TRUE(is_right(dot, program_of(dot, 4, without), without)) << dot.intrinsic;
  }
}

TEST(Tensorize, RefusesOtherLoopsAndOperands) {
  const Dot& dot = kDots[1];
  const auto refusal = [&](const std::string& spec, const std::string& trace) {
    return lowered(written_region(spec), right(parse_trace(trace), trace), host_target());
  };
  const auto with = [](std::string text, const std::string& old, const std::string& put) {
    return text.replace(text.find(old), old.size(), put);
  };
  EXPECT_ERROR(refusal(spec_of(dot), with(trace_of(dot, 4), "dot_i8", "dot_i7")),
               "no intrinsic avx512_vnni.dot_i7, expected one of: avx512_vnni.dot_u8i8, ");
  EXPECT_ERROR(refusal(spec_of(dot), with(trace_of(dot, 4), "split(loop=k, factor=4)",
                                          "split(loop=k, factor=8)")),
               "loop k.1 of 8 iterations of a reduction, expected 4 as k of avx512_vnni.dot_i8");
  EXPECT_ERROR(refusal(spec_of(kDots[0]), trace_of(dot, 4)), "is no avx512_vnni.dot_i8");
  EXPECT_ERROR(refusal(spec_of(dot), with(trace_of(dot, 4), "reorder(n.0, k.0, n.1, k.1)",
                                          "reorder(k.0, k.1, n.0, n.1)")),
               "W has stride");
}
#endif

}  // namespace
}  // namespace dovetail::testing
