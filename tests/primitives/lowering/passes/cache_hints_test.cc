// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/cache_hints.h"

#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::lowered;
using testing::operator_of;

constexpr const char* kHintedSpec = "gmm:m=12,n=64,k=24+relu";

std::string trace(const std::string& hints) {
  return "layout W: split(axis=n, factor=32) reorder(b, n.0, k, n.1)\n"
         "layout Y: split(axis=n, factor=16) reorder(b, n.0, m, n.1)\n"
         "loops: split(loop=n.0, factor=2) ; split(loop=m, factor=4) ; split(loop=k, factor=4)"
         " ; reorder(b, n.0.0, m.0, k.0, k.1, m.1, n.0.1, n.1) ; unroll(k.1) ; unroll(m.1)"
         " ; unroll(n.0.1) ; vectorize(n.1) ; parallel(n.0.0) ; " +
         hints + "\n";
}

TEST(CacheHints, AreWrittenIntoTheNest) {
  const Result<Program> program =
      lowered(kHintedSpec, trace("cache_write(tensor=Y, at=m.0, stores=streaming)"
                                 " ; prefetch(tensor=W, at=k.0, distance=2)"
                                 " ; prefetch(tensor=X, at=m.0, distance=1)"));
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/cache_hints");
  EXPECT_TRUE(computes(operator_of(kHintedSpec), *program));
}

// Cache hints change neither the results nor the multiply-adds and bytes touched.
TEST(CacheHints, ChangeNothingElse) {
  const Result<Program> plain = lowered(kHintedSpec, trace("cache_write(tensor=Y, at=m.0)"));
  const Result<Program> hinted =
      lowered(kHintedSpec, trace("cache_write(tensor=Y, at=m.0, stores=streaming)"
                                 " ; prefetch(tensor=X, at=k.0, distance=64)"));
  ASSERT_TRUE(plain && hinted);
  EXPECT_EQ(executed_fmas(*plain), executed_fmas(*hinted));
  EXPECT_EQ(touched_bytes(*plain), touched_bytes(*hinted));
  EXPECT_TRUE(computes(operator_of(kHintedSpec), *hinted));
}

TEST(CacheHints, APrefetchIsOfWhatAnIterationReadsInAStretch) {
  const auto lines = [](const std::string& hint) {
    const Result<Program> program =
        lowered(kHintedSpec, trace("cache_write(tensor=Y, at=m.0) ; " + hint));
    EXPECT_TRUE(program) << program.error().message;
    const std::string text = print(*program);
    const size_t at = text.find(" lines ");
    return at == std::string::npos ? "" : text.substr(at + 7, text.find('\n', at) - at - 7);
  };
  EXPECT_EQ(lines("prefetch(tensor=W, at=k.1, distance=1)"), "2");  // 32 elements
  EXPECT_EQ(lines("prefetch(tensor=W, at=k.0, distance=1)"), "8");  // 4 rows of them
  EXPECT_EQ(lines("prefetch(tensor=X, at=k.0, distance=1)"), "1");  // 4 elements
}

std::string prefetches_of(const std::string& spec, const std::string& trace) {
  const Result<Program> program = lowered(spec, trace);
  if (!program) return program.error().message;
  EXPECT_TRUE(computes(operator_of(spec), *program));
  const std::string text = print(*program);
  const size_t at = text.find(" prefetch ");
  return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at) - at - 1);
}

// Two vectors of each of four rows: eight lines for three turns of m.0.
TEST(CacheHints, TurnsShareWhatALoopAroundThemReadsNext) {
  EXPECT_EQ(prefetches_of(kHintedSpec, trace("cache_write(tensor=Y, at=m.0) ; prefetch(tensor=W, "
                                             "at=k.0, distance=1, of=n.0.0)")),
            "prefetch W[0, n.0.0 + 1, 4*k.0, 48*m.0] lines 3 far");
}

// Rows of W that pairs read lie apart: one of the four in each turn.
TEST(CacheHints, TurnsTakeOneStretchEach) {
  const std::string pairs =
      "algorithm: winograd_inner_product(of=4, apart=4)\n"
      "layout W: split(axis=n, factor=16) reorder(b, n.0, k, n.1)\n"
      "layout Y: split(axis=n, factor=16) reorder(b, n.0, m, n.1)\n"
      "loops: split(loop=m, factor=3) ; split(loop=k, factor=16) ; split(loop=k.1, factor=4)"
      " ; reorder(b, n.0, m.0, k.0, k.1.1, k.1.0, m.1, n.1) ; unroll(k.1.0) ; unroll(m.1)"
      " ; vectorize(n.1) ; cache_write(tensor=Y, at=m.0)";
  EXPECT_EQ(prefetches_of("gmm:m=12,n=64,k=48",
                          pairs + " ; prefetch(tensor=W, at=k.1.1, distance=1, of=n.0)\n"),
            "prefetch W[0, n.0 + 1, 16*k.0 + k.1.1 + 4*m.0, 0] lines 1 far");
  EXPECT_EQ(
      prefetches_of("gmm:m=12,n=64,k=48", pairs + " ; prefetch(tensor=W, at=k.1.1, distance=1)\n"),
      "prefetch W[0, n.0, 16*k.0 + k.1.1 + 1, 0] lines 1 "
      "prefetch W[0, n.0, 16*k.0 + k.1.1 + 5, 0] lines 1 "
      "prefetch W[0, n.0, 16*k.0 + k.1.1 + 9, 0] lines 1 "
      "prefetch W[0, n.0, 16*k.0 + k.1.1 + 13, 0] lines 1");
}

// A padding pass inside the convolution that reads it.
Result<Program> attached(const std::string& own_hint, const std::string& pass_hint) {
  return lowered("c2d:ci=16,co=16,h=8,w=8,k=3,p=1",
                 "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)"
                 " reorder(n, h, w, i)\n"
                 "layout W: reorder(kh, kw, i, o)\n"
                 "layout Y: reorder(n, h, w, o)\n"
                 "loops: reorder(n, h, w, kh, kw, i, o) ; vectorize(o) ; cache_write(tensor=Y, "
                 "at=w)" +
                     own_hint + "\nloops X.pad: compute_at(stage=c2d, loop=h)" + pass_hint + "\n");
}

TEST(CacheHints, OfAStageInsideAnotherAreInItsOwnLoops) {
  const Result<Program> program = attached("", " ; prefetch(tensor=X, at=w, distance=2)");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_NE(print(*program).find("X.pad.w in 0..10 prefetch X[0, X.pad.h + h - 1, X.pad.w + 1, 0] "
                                 "lines 1"),
            std::string::npos)
      << print(*program);
  EXPECT_TRUE(verify(*program));
  EXPECT_TRUE(computes(operator_of("c2d:ci=16,co=16,h=8,w=8,k=3,p=1"), *program));
}

TEST(CacheHints, FailOnWhatIsMadeAndReadInsideAStage) {
  EXPECT_ERROR(
      attached(" ; prefetch(tensor=X.pad, at=i, distance=1)", ""),
      "stage c2d: prefetch of X.pad, a part of which is made inside c2d; expected a tensor "
      "in a buffer");
  EXPECT_ERROR(attached("", " ; cache_write(tensor=X.pad, at=w, stores=streaming)"),
               "stage X.pad: streaming stores, but its part is read at once inside c2d");
}

}  // namespace
}  // namespace dovetail
