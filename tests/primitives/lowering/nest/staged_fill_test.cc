// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/staged_fill.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// The body of a kernel that fills a tile of `units` vectors of 4 elements.
Block fill_of(const std::string& loops, const std::string& store, int64_t elements) {
  const std::string text = fmt::format(
      "buffer W: f32 constant W[n={0}] as [n@1:{0}]\n"
      "buffer Y: f32 output Y[n={0}] as [n@1:{0}]\n"
      "kernel fill\n"
      "{1}{2}\n",
      elements, loops, store);
  return right(parse_program(text), text).kernels[0].body;
}

std::string printed(const Block& block) { return print(Program{{}, {Kernel{"half", block}}}); }

constexpr const char* kVectors =
    "  for unit in 0..6\n"
    "    for lane in 0..4 vectorized\n";

TEST(StagedFill, LoadsIntoRegistersAndStoresFromThem) {
  const Block fill = fill_of(kVectors, "      Y[4*unit + lane] = W[lane + 4*unit]", 24);
  const auto staged = through_registers(fill, "Y", ElementType::f32);
  ASSERT_TRUE(staged);
  EXPECT_EQ(printed(staged->loads),
            "kernel half\n"
            "  registers Y.next[6, 4]\n"
            "  for unit in 0..6 unrolled\n"
            "    for lane in 0..4 vectorized\n"
            "      Y.next[unit, lane] = W[lane + 4*unit]\n");
  EXPECT_EQ(printed(staged->stores),
            "kernel half\n"
            "  for unit in 0..6 unrolled\n"
            "    for lane in 0..4 vectorized\n"
            "      Y[lane + 4*unit] = Y.next[unit, lane]\n");
}

TEST(StagedFill, AStoreWithoutLoopsHasARegister) {
  const auto staged = through_registers(fill_of("", "  Y[0] = W[0]", 1), "Y", ElementType::f32);
  ASSERT_TRUE(staged);
  EXPECT_EQ(printed(staged->loads),
            "kernel half\n"
            "  registers Y.next[1]\n"
            "  Y.next[0] = W[0]\n");
  EXPECT_EQ(printed(staged->stores),
            "kernel half\n"
            "  Y[0] = Y.next[0]\n");
}

TEST(StagedFill, ManyElementsAndOtherStatementsStayAsTheyAre) {
  const auto many = [](int64_t units) {
    return fill_of(fmt::format("  for unit in 0..{}\n    for lane in 0..4 vectorized\n", units),
                   "      Y[4*unit + lane] = W[lane + 4*unit]", 4 * units);
  };
  EXPECT_TRUE(through_registers(many(kMostStagedElements / 4), "Y", ElementType::f32));
  EXPECT_FALSE(through_registers(many(kMostStagedElements / 4 + 1), "Y", ElementType::f32));
  EXPECT_FALSE(through_registers(fill_of(kVectors, "      Y[4*unit + lane] += W[lane]", 24), "Y",
                                 ElementType::f32));
  EXPECT_FALSE(through_registers(many(1), "another", ElementType::f32));
}

}  // namespace
}  // namespace dovetail
