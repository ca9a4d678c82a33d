// SPDX-License-Identifier: Apache-2.0
// Traces that spell a product as instructions of warps, as PTX: the loops on a device without them
// are the same numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/codegen/llvm/compile_ptx.h"
#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "tests/core/codegen/opencl/execution.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail::testing {
namespace {

#ifdef DOVETAIL_HAVE_LLVM

// Two warps of 32 x 32 sums each, 32 channels at a time.
constexpr const char* kByMma =
    "loops: split(loop=a, factor=16) ; split(loop=a.0, factor=2) ; split(loop=b, factor=2) ; "
    "split(loop=b.0, factor=4) ; split(loop=b.0.0, factor=4) ; split(loop=c, factor=16) ; "
    "split(loop=c.0, factor=2) ; "
    "reorder(a.0.0, b.0.0.0, a.1, b.0.1, c.0.0, c.0.1, b.0.0.1, c.1, a.0.1, b.1) ; "
    "bind(a.0.0, group.1) ; bind(b.0.0.0, group.0) ; bind(a.1, thread.1) ; bind(b.0.1, thread.0) ; "
    "unroll(c.0.1) ; unroll(b.0.0.1) ; cache_write(tensor=C, at=b.0.1) ; "
    "cache_read(tensor=A, at=c.0.0, scope=local, pad=8) ; "
    "cache_read(tensor=B, at=c.0.0, scope=local, pad=8) ; tensorize(c.1, mma.m16n8k16_{})\n";

Program product(const std::string& type, const std::string& trace) {
  const std::string spec =
      fmt::format("Y[m,n]+=X[m,k]*W[n,k]:m=64,n=64,k=96,X={0},W={0},Y=f32", type);
  const KeyedTask parsed = right(parse_task_spec(spec), spec);
  const Target target = target_of_profile("h200_ptx.profile");
  return right(
      lower(right(apply(right(parse_trace(trace), trace), parsed.region, target), trace), target),
      trace);
}

int count(const std::string& text, std::string_view part) {
  int found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(WarpInstructions, AreWhatTheTraceTensorizes) {
  const Target target = target_of_profile("h200_ptx.profile");
  for (const char* type : {"f16", "bf16"}) {
    const Program program = product(type, fmt::format(fmt::runtime(kByMma), type));
    const PtxCode code = right(compile_ptx({&program, 1}, target, "p"));
    EXPECT_EQ(count(code.text, "mma.sync"), 8) << code.text;
    EXPECT_EQ(count(code.text, "fma.rn"), 0);
    EXPECT_TRUE(agrees_as_ptx(program, target));
  }
}

TEST(WarpInstructions, AreLoopsWhereTheProcessorHasNone) {
  Target before = target_of_profile("h200_ptx.profile");
  before.llvm_cpu = "sm_75";
  const Program program = product("f16", fmt::format(fmt::runtime(kByMma), "f16"));
  const PtxCode code = right(compile_ptx({&program, 1}, before, "p"));
  EXPECT_EQ(count(code.text, "mma.sync"), 0);
  EXPECT_TRUE(agrees_as_ptx(program, before));
  DOVETAIL_REQUIRE_OPENCL();
  EXPECT_DEVICE_AGREES(program);
}

#endif

}  // namespace
}  // namespace dovetail::testing
