// SPDX-License-Identifier: Apache-2.0
#include "core/ir/network/network_program.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// T is twice x, with the weight w prepared once; y adds both.
constexpr std::string_view kNetwork = R"(network "two calls"
program 0
buffer X: f32 activation X[a=4] as [a@1:4]
buffer W: f32 constant W[a=4] as [a@1:4]
buffer W.made: f32 prepared W.made[a=4] as [a@1:4]
buffer T: f32 temporary T[a=4] as [a@1:4]
buffer Y: f32 output Y[a=4] as [a@1:4]
kernel prepare prepares
  for a in 0..4
    W.made[a] = 2 * W[a]
kernel first
  for a in 0..4
    T[a] = X[a] * W.made[a]
kernel second
  for a in 0..4
    Y[a] = T[a]
program 1
buffer A: f32 activation A[a=4] as [a@1:4]
buffer B: f32 activation B[a=2, b=2] as [a@1:2] [b@1:2]
buffer C: f32 output C[a=4] as [a@1:4]
kernel add
  for a in 0..2
    for b in 0..2
      C[2*a + b] = A[2*a + b] + B[a, b]
storage
buffer x: f32 activation x[a=4] as [a@1:4]
buffer w: f32 constant w[a=4] as [a@1:4]
buffer made: f32 prepared made[a=4] as [a@1:4]
buffer t: f32 temporary t[a=4] as [a@1:4]
buffer u: f32 temporary u[a=4] as [a@1:4]
buffer y: f32 output y[a=4] as [a@1:4]
holds x x
holds w conv.weight
holds y "the sum"
calls
call conv 0 x w made t u
call add 1 x u y
)";

NetworkProgram network() { return right(parse_network(kNetwork)); }

TEST(NetworkProgram, PrintsWhatItParses) {
  const NetworkProgram parsed = network();
  EXPECT_EQ(print(parsed), kNetwork);
  EXPECT_EQ(parsed.buffers[5].tensors, (std::vector<std::string>{"the sum"}));
  EXPECT_EQ(parsed.calls[1].buffers, (std::vector<size_t>{0, 4, 5}));
  EXPECT_TRUE(verify(parsed));
}

TEST(NetworkProgram, CountsLifetimesInKernelsThatAreRepeated) {
  EXPECT_EQ(kernels_repeated(network()), 3u);
  const auto lifetimes = lifetimes_of(network());
  EXPECT_EQ(lifetimes[0], (Lifetime{0, 2}));
  EXPECT_EQ(lifetimes[1], std::nullopt) << "only what prepares constants reads it";
  EXPECT_EQ(lifetimes[2], (Lifetime{0, 2}));
  EXPECT_EQ(lifetimes[3], (Lifetime{0, 1}));
  EXPECT_EQ(lifetimes[4], (Lifetime{1, 2}));
  EXPECT_EQ(lifetimes[5], (Lifetime{2, 2}));
  EXPECT_EQ(live_workspace_bytes(network()), 32);
}

TEST(NetworkProgram, CountsFromTheFirstUseToTheLast) {
  const auto spans = spans_of_use(network());
  EXPECT_EQ(spans[0], (Lifetime{0, 2}));
  EXPECT_EQ(spans[1], std::nullopt);
  EXPECT_EQ(spans[2], (Lifetime{0, 1})) << "no longer than its last reader's call";
  EXPECT_EQ(spans[5], (Lifetime{2, 2}));
}

void expect_refused(const std::function<void(NetworkProgram&)>& change, std::string_view message) {
  NetworkProgram changed = network();
  change(changed);
  EXPECT_ERROR(verify(changed), message);
}

TEST(NetworkProgram, RefusesCallsThatDoNotFit) {
  expect_refused([](NetworkProgram& n) { n.calls[0].program = 2; }, "expected one below 2");
  expect_refused([](NetworkProgram& n) { n.calls[0].buffers.pop_back(); },
                 "has 4 buffers; expected 5");
  expect_refused([](NetworkProgram& n) { n.calls[0].buffers[0] = 9; }, "expected one below 6");
  expect_refused([](NetworkProgram& n) { n.calls[0].buffers[0] = 3; }, "reads t");
  expect_refused([](NetworkProgram& n) { n.calls[0].buffers[4] = 0; }, "x is no Y");
  expect_refused([](NetworkProgram& n) { n.calls[0].buffers[2] = 3; }, "t is no W.made");
  expect_refused([](NetworkProgram& n) { n.buffers[0].buffer.layout.scope = MemoryScope::texture; },
                 "x is in texture memory, and X of its program in global");
  expect_refused([](NetworkProgram& n) { n.calls.pop_back(); }, "no call writes output y");
  expect_refused([](NetworkProgram& n) { n.buffers[0].buffer.layout.axes[0].digits[0].extent = 8; },
                 "32 bytes of f32 as X; expected 16");
}

TEST(NetworkProgram, SaysWhereATextIsWrong) {
  const auto refused = [](std::string from, const std::string& to, std::string_view message) {
    std::string text(kNetwork);
    text.replace(text.find(from), from.size(), to);
    EXPECT_ERROR(parse_network(text), message);
  };
  refused("network", "net", "line 1");
  refused("program 1", "program 7", "line 17: expected program 1");
  refused("call add 1 x u y", "call add 1 x u z", "line 37: found z");
  refused("holds x x", "holds q x", "found q");
  refused("Y[a] = T[a]", "Y[a] = (", "line 16");
}

}  // namespace
}  // namespace dovetail
