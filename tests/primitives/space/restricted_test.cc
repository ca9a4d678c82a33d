// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/restricted.h"

#include <gtest/gtest.h>

#include "tests/primitives/lowered.h"

namespace dovetail {
namespace {

using testing::space_of;

// F(4,3) is no choice, and F(2,3) is one.
bool small_tiles(const TaskSpec& /*task*/, const std::optional<Algorithm>& algorithm) {
  const auto* winograd = algorithm ? std::get_if<algorithm::Winograd>(&*algorithm) : nullptr;
  return !algorithm || (winograd != nullptr && winograd->tile == 2);
}

TEST(AllowedOnly, LeavesOutAlgorithms) {
  const Space whole = space_of("c2d:ci=64,co=64,h=56,w=56,k=3,p=1");
  const Space exact = allowed_only(whole, definition_only),
              small = allowed_only(whole, small_tiles);
  EXPECT_EQ(algorithm_of(exact.default_trace()), "direct");
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    EXPECT_FALSE(exact.decode(exact.sample(random)).algorithm);
    EXPECT_TRUE(small_tiles(small.spec(), small.decode(small.sample(random)).algorithm));
  }
}

TEST(AllowedOnly, TheDirectSumFollowsADefaultThatIsLeftOut) {
  Target zen = testing::cpu(16, 32);
  zen.llvm_cpu = "znver4";
  const Space whole = space_of("c2d:ci=256,co=64,h=14,w=14,k=1", zen);
  EXPECT_EQ(algorithm_of(whole.default_trace()), "winograd_inner_product");
  EXPECT_EQ(algorithm_of(allowed_only(whole, small_tiles).default_trace()), "direct");
}

TEST(AllowedOnly, IsTheSpaceItselfWhereAllIsAllowed) {
  const Space whole = space_of("gmm:m=64,n=64,k=64");
  EXPECT_EQ(allowed_only(whole, any_algorithm).default_point(), whole.default_point());
}

}  // namespace
}  // namespace dovetail
