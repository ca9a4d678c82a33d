// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/framework_layouts.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/primitives/lowered.h"
#include "tests/primitives/odd_specs.h"
#include "tests/primitives/random_traces.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::lowered;
using testing::operator_of;

constexpr const char* kBlocked =
    "layout X: split(axis=i, factor=4) reorder(n, i.0, h, w, i.1)\n"
    "layout Y: split(axis=o, factor=4) reorder(n, o.0, h, w, o.1)\n";

bool is_plain(const Buffer& buffer) {
  return gather_map(buffer.layout) == gather_map(identity_layout(buffer.layout.logical));
}

::testing::AssertionResult is_right_and_plain(const Operator& op, const Program& program) {
  const Result<Program> plain = in_framework_layouts(program);
  if (!plain) return ::testing::AssertionFailure() << plain.error().message;
  const Result<void> verdict = verify(*plain);
  if (!verdict) return ::testing::AssertionFailure() << verdict.error().message << print(*plain);
  for (const Buffer& buffer : plain->buffers) {
    const bool is_callers =
        buffer.role == BufferRole::activation || buffer.role == BufferRole::output;
    if (is_callers && !is_plain(buffer)) {
      return ::testing::AssertionFailure() << buffer.name << " is not in framework layout";
    }
  }
  return computes(op, *plain) << print(*plain);
}

TEST(FrameworkLayouts, ArePackedBeforeAndUnpackedAfter) {
  const auto program = lowered("c2d:ci=8,co=8,h=5,w=6,k=3", kBlocked);
  ASSERT_TRUE(program) << program.error().message;
  const auto plain = in_framework_layouts(*program);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_GOLDEN(print(*plain), "primitives/framework_layouts");
}

TEST(FrameworkLayouts, AreReadByThePaddingPassItself) {
  const auto program = lowered("c2d:ci=8,co=8,h=5,w=6,k=3,p=1",
                               "layout X: split(axis=i, factor=4) pad(axis=h, before=1, after=1)"
                               " pad(axis=w, before=1, after=1) reorder(n, i.0, h, w, i.1)\n");
  ASSERT_TRUE(program) << program.error().message;
  const auto plain = in_framework_layouts(*program);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(plain->kernels.size(), program->kernels.size());
  EXPECT_TRUE(is_right_and_plain(operator_of("c2d:ci=8,co=8,h=5,w=6,k=3,p=1"), *program));
}

TEST(FrameworkLayouts, AreCopiedAsVectorsWhereBothSidesAreContiguous) {
  const auto program =
      lowered("gmm:m=4,n=8,k=16", "layout X: split(axis=k, factor=8) reorder(b, k.0, m, k.1)\n");
  ASSERT_TRUE(program) << program.error().message;
  const std::string text = print(*in_framework_layouts(*program));
  EXPECT_NE(text.find("for k.1 in 0..8 vectorized"), std::string::npos) << text;
  EXPECT_TRUE(is_right_and_plain(operator_of("gmm:m=4,n=8,k=16"), *program));
}

TEST(FrameworkLayouts, OfAProgramThatHasThemAreLeftAlone) {
  const auto program = lowered("c2d:ci=8,co=8,h=5,w=6,k=3", "");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(*in_framework_layouts(*program), *program);
}

TEST(FrameworkLayouts, OfAPaddedOutputLeaveThePaddingOut) {
  const char* spec = "c2d:ci=4,co=6,h=5,w=5,k=3";
  const auto program = lowered(spec,
                               "layout Y: pad(axis=o, before=0, after=2) split(axis=o, factor=4)"
                               " reorder(n, o.0, h, w, o.1)\n");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(is_right_and_plain(operator_of(spec), *program));
}

TEST(FrameworkLayouts, SurroundAWinogradAlgorithmToo) {
  const Operator op = operator_of("c2d:ci=4,co=8,h=6,w=6,k=3,p=1");
  const auto program = lowered("c2d:ci=4,co=8,h=6,w=6,k=3,p=1",
                               "algorithm: winograd(tile=2)\n"
                               "layout X: reorder(n, h, w, i)\n"
                               "layout Y: split(axis=h, factor=2) split(axis=w, factor=2)"
                               " reorder(n, h.0, w.0, h.1, w.1, o)\n");
  ASSERT_TRUE(program) << program.error().message;
  const auto plain = in_framework_layouts(*program);
  ASSERT_TRUE(plain) << plain.error().message;
  ASSERT_TRUE(verify(*plain)) << verify(*plain).error().message;
  EXPECT_EQ(plain->kernels.size(), program->kernels.size() + 2);
  EXPECT_TRUE(testing::computes_closely(op, *plain, 1e-5)) << print(*plain);
}

TEST(FrameworkLayouts, OfATextureThereAreNone) {
  const auto program =
      lowered("gmm:m=8,n=8,k=8", "layout X: split(axis=k, factor=4) ; scope texture\n",
              testing::opencl_with_images());
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_ERROR(in_framework_layouts(*program), "buffer X is in texture: it has no framework");
}

TEST(FrameworkLayouts, GiveTheSameResultsForRandomTraces) {
  std::mt19937_64 rng(11);
  for (const char* spec : testing::kOddSpecs) {
    const Operator op = operator_of(spec);
    for (int i = 0; i < 4; ++i) {
      const Trace trace = testing::random_trace(op, cpu(4, 16), rng);
      const auto program = lowered(op, trace, cpu(4, 16));
      if (!program) continue;
      EXPECT_TRUE(is_right_and_plain(op, *program)) << print(trace);
    }
  }
}

}  // namespace
}  // namespace dovetail
