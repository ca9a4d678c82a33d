// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/work_groups/group_copy.h"

#include <gtest/gtest.h>

#include <string>

#include "core/ir/program/program.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

// Rounds of 2 by 32 elements of f16, which 4 by 8 work-items copy.
std::string copied(const std::string& from, const std::string& loop = "for u in 0..2",
                   const std::string& to = "t[c mod 3, 32*u + 8*w + v]",
                   const std::string& how = " async") {
  return "buffer X: f16 activation X[r=20, a=4, b=32] as [r@1:20] [a@1:4] [b@1:32]\n"
         "buffer Y: f32 output Y[r=20] as [r@1:20]\n"
         "kernel k\n"
         "  for w in 0..4 bind thread.1\n"
         "    for v in 0..8 bind thread.0\n"
         "      local t[3, 64] f16\n"
         "      for c in 0..20\n"
         "        " +
         loop + "\n          " + to + " = " + from + how + "\n        barrier\n";
}

GroupCopies found_in(const std::string& text) {
  const Program program = testing::right(parse_program(text), text);
  // Loops and stores that the copies point to are gone afterwards.
  return group_copies(program, program.kernels[0], 16);
}

TEST(GroupCopy, OfOnePieceAdvancesOnBothSidesAlike) {
  const GroupCopies found = found_in(copied("X[c, u, 8*w + v]"));
  ASSERT_EQ(found.size(), 1u);
  const GroupCopy& copy = found.begin()->second;
  EXPECT_EQ(copy.pieces.size(), 0u);
  EXPECT_EQ(copy.elements, 64);
  EXPECT_EQ(print(copy.to), "64*(c mod 3)");
  EXPECT_EQ(print(copy.from), "128*c");
}

TEST(GroupCopy, DigitsOfAWorkItemAreWhereItIs) {
  const GroupCopies found = found_in(
      copied("X[c, 2*u + (w div 2), v + 8*(w mod 2)]", "for u in 0..1", "t[c mod 3, 8*w + v]"));
  EXPECT_EQ(found.size(), 0u) << "rows have 32 elements, and their halves 16";
  const GroupCopies whole =
      found_in(copied("X[c, u + (w div 4), v + 8*(w mod 4)]", "for u in 0..2"));
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_EQ(whole.begin()->second.elements, 64);
}

TEST(GroupCopy, OfSeveralPiecesHasOneForEachIteration) {
  const GroupCopies found = found_in(copied("X[c, 2*u, 8*w + v]"));
  ASSERT_EQ(found.size(), 1u);
  const GroupCopy& copy = found.begin()->second;
  EXPECT_EQ(copy.pieces.size(), 1u);
  EXPECT_EQ(copy.elements, 32);
  EXPECT_EQ(print(copy.to), "32*u + 64*(c mod 3)");
  EXPECT_EQ(print(copy.from), "128*c + 64*u");
}

TEST(GroupCopy, IsNoNestWithGapsConditionsOrOtherTypes) {
  EXPECT_EQ(found_in(copied("X[c, u, 8*w + v]", "for u in 0..2", "t[c mod 3, 32*u + 8*w + v]", ""))
                .size(),
            0u)
      << "not asynchronous";
  EXPECT_EQ(found_in(copied("X[c, u, 4*w + v]")).size(), 0u) << "work-items read alike";
  EXPECT_EQ(found_in(copied("(0 <= c + u < 20) ? X[c, u, 8*w + v] : 0")).size(), 0u);
  EXPECT_EQ(found_in(copied("X[c, u, 8*w + v]", "for u in 0..2 where 0 <= u + w < 4")).size(), 0u)
      << "some work-items copy less";
  std::string other = copied("X[c, u, 8*w + v]");
  other.replace(other.find("X: f16"), 6, "X: f32");
  EXPECT_EQ(found_in(other).size(), 0u) << "a conversion";
}

// 16 bytes are eight halves.
TEST(GroupCopy, BeginsWhereTheDeviceCanCopy) {
  std::string shifted = copied("X[c, u, 8*w + v]");
  EXPECT_EQ(found_in(shifted).size(), 1u);
  shifted.replace(shifted.find("X[c, u, 8*w + v]"), 16, "X[c, u, 8*w + v + 4]");
  EXPECT_EQ(found_in(shifted).size(), 0u);
}

}  // namespace
}  // namespace dovetail
