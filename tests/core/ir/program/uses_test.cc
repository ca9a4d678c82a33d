// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "core/ir/program/walk.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

// x is copied to t, t summed up to u, u and x make y; w is made once.
constexpr const char* kText =
    "buffer x: f32 activation x[i=4] as [i@1:4]\n"
    "buffer v: f32 constant v[i=4] as [i@1:4]\n"
    "buffer w: f32 derived w[i=4] as [i@1:4]\n"
    "buffer t: f32 temporary t[i=4] as [i@1:4]\n"
    "buffer u: f32 temporary u[i=8] as [i@1:8]\n"
    "buffer y: f32 output y[i=4] as [i@1:4]\n"
    "kernel once_w once\n"
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

// A buffer holds something from the first of these kernels to the last.
struct Lifetime {
  size_t first = 0;
  size_t last = 0;
  friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

// There is one for each buffer, in order; nothing for a buffer that no kernel uses. What the caller gives
// lives from kernel 0 on; outputs, and what is made once for many runs, live to the last.
std::vector<std::optional<Lifetime>> lifetimes_of(const Program& program) {
  std::vector<std::optional<Lifetime>> lifetimes(program.buffers.size());
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const Uses uses = uses_of(program.kernels[k].body);
    for (size_t b = 0; b < program.buffers.size(); ++b) {
      if (!uses.contains(program.buffers[b].name)) continue;
      if (!lifetimes[b]) lifetimes[b] = Lifetime{k, k};
      lifetimes[b]->last = k;
    }
  }
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const BufferRole role = program.buffers[b].role;
    if (!lifetimes[b]) continue;
    if (is_input(role)) lifetimes[b]->first = 0;
    if (role == BufferRole::output || role == BufferRole::derived)
      lifetimes[b]->last = program.kernels.size() - 1;
  }
  return lifetimes;
}

// The most bytes of temporaries that live at one time: no plan of memory needs less.
int64_t live_workspace_bytes(const Program& program) {
  const std::vector<std::optional<Lifetime>> lifetimes = lifetimes_of(program);
  int64_t most = 0;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    int64_t live = 0;
    for (size_t b = 0; b < program.buffers.size(); ++b) {
      const Buffer& buffer = program.buffers[b];
      if (buffer.role != BufferRole::temporary || !lifetimes[b]) continue;
      if (lifetimes[b]->first <= k && k <= lifetimes[b]->last) live += buffer_bytes(buffer);
    }
    most = std::max(most, live);
  }
  return most;
}

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
