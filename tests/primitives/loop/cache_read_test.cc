// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/caching.h"

#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::applied_loops;
using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;
using testing::stage_of;

constexpr const char* kCachedSpec = "gmm:m=8,n=32,k=24+bias+relu";
constexpr const char* kLoops =
    "loops: split(loop=k, factor=6) ; split(loop=n, factor=4)"
    " ; reorder(b, m, n.0, k.0, k.1, n.1) ; vectorize(n.1) ; cache_write(tensor=Y, at=n.0)";

// Work-groups of 8 x 4.
constexpr const char* kBoundLoops =
    "loops: split(loop=k, factor=6) ; split(loop=n, factor=4) ; split(loop=m, factor=4)"
    " ; reorder(b, m.0, m.1, n.0, k.0, k.1, n.1) ; bind(m.0, group.0) ; bind(m.1, thread.1)"
    " ; bind(n.0, thread.0) ; vectorize(n.1) ; cache_write(tensor=Y, at=n.0)";

Result<Program> cpu_with(const std::string& more) {
  return lowered(kCachedSpec, kLoops + more + "\n", cpu());
}
Result<Program> device_with(const std::string& more) {
  return lowered(kCachedSpec, kBoundLoops + more + "\n", opencl_with_images());
}

TEST(LoopCacheRead, CopiesThePartOfARoundAsTheGoldenText) {
  const auto program = cpu_with(" ; cache_read(tensor=W, at=k.0, scope=private)");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/cache_read");
}

TEST(LoopCacheRead, SharesALocalTileAmongWorkItemsAsTheGoldenText) {
  const auto program = device_with(
      " ; cache_read(tensor=W, at=k.0, scope=local)"
      " ; cache_read(tensor=X, at=m.1, scope=local)");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/loop/cache_read_local");
  const auto verdict = verify(*program);
  EXPECT_TRUE(verdict) << verdict.error().message;
}

TEST(LoopCacheRead, AnyLoopGivesTheSameResult) {
  for (const char* tensor : {"X", "W"}) {
    for (const char* loop : {"b", "m", "n.0", "k.0", "k.1"}) {
      const auto program = cpu_with(std::string(" ; cache_read(tensor=") + tensor + ", at=" + loop +
                                    ", scope=private)");
      ASSERT_TRUE(program) << loop << ": " << program.error().message;
      EXPECT_TRUE(computes(operator_of(kCachedSpec), *program)) << print(*program);
    }
    for (const char* loop : {"m.0", "m.1", "n.0", "k.0", "k.1"}) {
      for (const char* pad : {"", ", pad=1", ", pad=4"}) {
        const auto program = device_with(std::string(" ; cache_read(tensor=") + tensor +
                                         ", at=" + loop + ", scope=local" + pad + ")");
        ASSERT_TRUE(program) << loop << ": " << program.error().message;
        EXPECT_TRUE(computes(operator_of(kCachedSpec), *program)) << print(*program);
        const auto verdict = verify(*program);
        EXPECT_TRUE(verdict) << verdict.error().message << print(*program);
      }
    }
  }
}

TEST(LoopCacheRead, PadsTheRowsOfALocalTile) {
  const auto program = device_with(" ; cache_read(tensor=W, at=n.0, scope=local, pad=1)");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_NE(print(*program).find("33*k.1 + 4*n.0 + n.1]"), std::string::npos) << print(*program);
}

TEST(LoopCacheRead, OfATensorReadThroughBoundsHoldsTheZeros) {
  const char* spec = "c1d:ci=4,co=8,w=9,k=3,p=1";
  const auto program =
      lowered(spec, "loops: reorder(n, w, o, i, kw) ; cache_read(tensor=X, at=w, scope=private)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(computes(operator_of(spec), *program)) << print(*program);
  EXPECT_EQ(print(*program).find("? X.cache"), std::string::npos) << print(*program);
}

TEST(LoopCacheRead, ACopyHasLoopsOfItsOwn) {
  const std::string cached = " ; cache_read(tensor=W, at=k.0, scope=local)\n";
  const auto program = device_with(
      cached +
      "loops W.cache: split(loop=n, factor=4) ; reorder(n.0, b, k, n.1)"
      " ; split(loop=k, factor=2) ; fuse(b, k.0) ; vectorize(n.1) ; bind(n.0, thread.0)");
  EXPECT_ERROR(program,
               "loops W.cache: no loop is bound to thread.1, whose 4 work-items would all copy the "
               "same");
  const auto all = device_with(
      " ; cache_read(tensor=W, at=n.0, scope=local)\n"
      "loops W.cache: split(loop=n, factor=4) ; split(loop=k, factor=6) ; vectorize(n.1)"
      " ; bind(n.0, thread.0) ; bind(k.0, thread.1)");
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_TRUE(computes(operator_of(kCachedSpec), *all)) << print(*all);
  EXPECT_ERROR(device_with(cached + "loops W.cache: bind(n, thread.0)"),
               "loop n of 32 iterations is bound to thread.0, which has 8");
}

TEST(LoopCacheRead, FailsWithItsReason) {
  const Stage stage = stage_of(kCachedSpec);
  EXPECT_ERROR(applied_loops("cache_read(tensor=Y, at=k, scope=private)", stage),
               "tensor Y is no factor of stage gmm, expected one of X, W");
  EXPECT_ERROR(applied_loops("cache_read(tensor=W, at=w, scope=private)", stage),
               "no loop w, expected one of b, m, n, k");
  EXPECT_ERROR(applied_loops("cache_read(tensor=W, at=k, scope=registers)", stage),
               "scope registers holds no copy, expected private, local or workspace");
  EXPECT_ERROR(applied_loops("cache_read(tensor=W, at=k, scope=local, pad=65)", stage),
               "rows padded by 65, expected 0 to 64");
  EXPECT_ERROR(applied_loops("cache_read(tensor=W, at=k, scope=private, pad=1)", stage),
               "rows padded in scope private, expected local");
  EXPECT_ERROR(applied_loops("cache_read(tensor=W, at=k, scope=private)"
                             " ; cache_read(tensor=W, at=m, scope=private)",
                             stage),
               "W is already copied at k");
  EXPECT_ERROR(
      cpu_with(" ; cache_read(tensor=W, at=k.0, scope=local)"),
      "loops: cache_read(tensor=W, at=k.0, scope=local): a cpu target has no local memory, "
      "expected scope private");
  EXPECT_ERROR(
      cpu_with(" ; cache_read(tensor=W, at=k.0, scope=private) ; split(loop=k.0, factor=2)"),
      "no loop k.0, expected one of b, m, n.0, k.0.0, k.0.1, k.1, n.1");
  EXPECT_ERROR(cpu_with(" ; cache_read(tensor=W, at=n.1, scope=private)"), "loop n.1 of gmm is");
  EXPECT_ERROR(device_with(" ; cache_read(tensor=W, at=m.1, scope=private)"),
               "loop n.0 of gmm is shared by threads inside loop m.1, expected around it");
}

}  // namespace
}  // namespace dovetail
