// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/lifetimes.h"

#include <gtest/gtest.h>

#include "core/ir/program/walk.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

// x is copied to t, t summed up to u, u and x make y; w is made once.
constexpr const char* kText =
    "buffer x: f32 activation x[i=4] as [i@1:4]\n"
    "buffer v: f32 constant v[i=4] as [i@1:4]\n"
    "buffer w: f32 prepared w[i=4] as [i@1:4]\n"
    "buffer t: f32 temporary t[i=4] as [i@1:4]\n"
    "buffer u: f32 temporary u[i=8] as [i@1:8]\n"
    "buffer y: f32 output y[i=4] as [i@1:4]\n"
    "kernel once_w prepares\n"
    " for i in 0..4\n"
    "  w[i] = v[i]\n"
    "kernel copy\n"
    " for i in 0..4\n"
    "  t[i] = x[i]\n"
    "kernel sum\n"
    " for i in 0..4\n"
    "  u[i] += t[i] * w[i]\n"
    "kernel last\n"
    " for i in 0..4\n"
    "  y[i] = u[i] + x[i]\n";

Program program() { return testing::right(parse_program(kText), kText); }

TEST(Uses, AreReadsAndWrites) {
  const Uses uses = uses_of(program().kernels[2].body);
  EXPECT_EQ(
      uses,
      (Uses{{"t", {.read = true}}, {"u", {.read = true, .written = true}}, {"w", {.read = true}}}));
}

TEST(Lifetimes, BeginWithWhatIsGivenAndEndWithWhatIsAskedFor) {
  const auto lifetimes = lifetimes_of(program());
  const std::vector<std::optional<Lifetime>> expected = {Lifetime{0, 3}, Lifetime{0, 0},
                                                         Lifetime{0, 3}, Lifetime{1, 2},
                                                         Lifetime{2, 3}, Lifetime{3, 3}};
  EXPECT_EQ(lifetimes, expected);
}

TEST(Lifetimes, OfTemporariesThatMeetAreAddedUp) {
  EXPECT_EQ(live_workspace_bytes(program()), 4 * 4 + 8 * 4);
  EXPECT_EQ(workspace_bytes(program()), 4 * 4 + 8 * 4);
}

}  // namespace
}  // namespace dovetail
