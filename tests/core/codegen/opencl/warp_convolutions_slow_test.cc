// SPDX-License-Identifier: Apache-2.0
// Convolutions by tensor cores, as campaigns draw them: right, and within a device's limits.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/codegen/llvm/compile_ptx.h"
#include "core/ir/graph/suite.h"
#include "core/ir/program/work_groups.h"
#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/core/codegen/opencl/execution.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"
#include "tests/support/times_in.h"

namespace dovetail::testing {
namespace {

#ifdef DOVETAIL_HAVE_LLVM

// The next point of the space that has tensor cores.
Trace drawn_trace(const Space& space, std::mt19937_64& rng) {
  while (true) {
    Trace trace = space.decode(space.sample(rng));
    if (print(trace).find("tensorize") != std::string::npos) return trace;
  }
}

Program program_of(const KeyedTask& task, const Trace& trace, const Target& target) {
  return right(lower(right(apply(trace, task.region, target), print(trace)), target), print(trace));
}

bool has_tensor_cores(const PtxCode& code) {
  return std::ranges::any_of(code.texts,
                             [](const std::string& text) { return times_in(text, "mma") > 0; });
}

// Images of a batch and pixels of one image as rows, strides in both, windows that reach beyond
// the image, groups, phases, a reduction that blocks do not divide.
constexpr const char* kConvolutions[] = {
    "c2d:n=8,ci=32,co=24,h=3,w=9,k=3,s=1,p=1,dtype=f16+bias+relu",
    "c2d:n=16,ci=32,co=64,h=4,w=8,k=1,dtype=f16+add+relu",
    "c2d:n=16,ci=3,co=64,h=9,w=9,k=3,s=2,p=1,dtype=f16",
    "c2d:n=1,ci=16,co=72,h=10,w=10,k=3,d=2,p=2,dtype=bf16",
    "c2d:n=1,ci=16,co=64,h=9,w=18,k=3,s=2,p=1,dtype=f16",
    "c1d:n=1,ci=16,co=64,w=140,k=5,s=2,p=2,dtype=f16",
    "c3d:n=8,ci=16,co=16,depth=4,h=3,w=6,k=3,p=1,dtype=f16",
    "grp:n=16,ci=32,co=64,h=4,w=8,k=3,s=2,p=1,g=2,dtype=f16",
    "t2d:n=8,ci=32,co=16,h=3,w=4,k=4,s=2,p=1,dtype=f16",
    "t2d:n=1,ci=16,co=16,h=4,w=4,k=3,s=2,p=1,dtype=f16",
    "c2d:n=8,ci=12,co=24,h=3,w=9,k=3,s=1,p=1,math=tf32+bias+relu",
    "c2d:n=1,ci=8,co=72,h=9,w=18,k=3,s=2,p=1,math=tf32",
    "c2d:n=8,ci=16,co=24,h=3,w=9,k=3,s=1,p=1,math=tf32x2+bias+relu",
};

class WarpConvolution : public ::testing::TestWithParam<const char*> {};

TEST_P(WarpConvolution, OfRandomPointsIsRight) {
  const Target target = target_of_profile("h200_ptx.profile");
  const KeyedTask task = right(parse_task_spec(GetParam()));
  const Space space = right(build_space(task, target));
  std::mt19937_64 rng(16);
  for (int i = 0; i < 4; ++i) {
    const Trace trace = drawn_trace(space, rng);
    const Program program = program_of(task, trace, target);
    EXPECT_TRUE(agrees_as_ptx(program, target)) << print(trace);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, WarpConvolution, ::testing::ValuesIn(kConvolutions));

// All but depthwise ones and those with fewer columns than a block.
TEST(WarpConvolutions, OfTheSuitesCompileWithinTheDevicesLimits) {
  const Target target = target_of_profile("h200_ptx.profile");
  std::mt19937_64 rng(36);
  int of_tensor_cores = 0;
  for (const char* file : {"nine_b1_f16.txt", "nine_b16_f16.txt"})
    for (const SuiteEntry& entry :
         right(read_suite((source_dir() / "scripts/suites" / file).string()), file)) {
      const Space space = right(build_space(entry.spec, target), entry.name);
      if (print(space.default_trace()).find("tensorize") == std::string::npos) continue;
      ++of_tensor_cores;
      for (int i = 0; i < 4; ++i) {
        const Trace trace = i == 0 ? space.default_trace() : drawn_trace(space, rng);
        const Program program = program_of(entry.spec, trace, target);
        EXPECT_TRUE(has_tensor_cores(right(compile_ptx({&program, 1}, target, "p"), print(trace))))
            << entry.name << "\n"
            << print(trace);
        EXPECT_LE(work_groups_of(program.kernels.back()).work_items, target.max_work_group_size);
      }
    }
  EXPECT_EQ(of_tensor_cores, 2 * (36 - 4 - 2));
}

#endif

}  // namespace
}  // namespace dovetail::testing
