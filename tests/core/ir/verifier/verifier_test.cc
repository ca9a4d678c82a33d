// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/ir/program/program.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/interpreter.h"
#include "tests/support/ir_generators.h"

namespace dovetail {
namespace {

constexpr std::string_view kBuffers =
    "buffer x: f32 activation x[h=8] as [h@1:8]\n"
    "buffer w: f32 constant w[k=3] as [k@1:3]\n"
    "buffer t: f32 temporary x[h=8] as [h@1:10] offset h=-1\n"
    "buffer y: f32 output y[h=8] as [h@2:4 =h.0] [h@1:2 =h.1]\n";

Result<void> verified(const std::string& text) { return verify(TRY(parse_program(text))); }

// It verifies a kernel k with this body, over the buffers above.
Result<void> verified_body(const std::string& body) {
  return verified(std::string(kBuffers) + "kernel k\n" + body);
}

TEST(Verifier, AcceptsTheNestsThatLoweringMakes) {
  const std::string text = testing::source_file("tests/golden/core/ir/c2d_program.txt");
  const auto program = parse_program(text);
  ASSERT_TRUE(program) << program.error().message;
  const auto result = verify(*program);
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_EQ(print(*program), text);
}

TEST(Verifier, AcceptsIndicesThatTheirBoundsKeepInside) {
  const auto accepts = [](const std::string& body) {
    const auto result = verified_body(body);
    return result ? "yes" : result.error().message;
  };
  EXPECT_EQ(accepts("  for h in 0..10\n    t[h] = (0 <= h - 1 < 8) ? x[h - 1] : 0\n"), "yes");
  EXPECT_EQ(accepts("  for h in 0..10\n    t[h] = (1 <= h < 9) ? x[h - 1] : 0\n"), "yes");
  EXPECT_EQ(accepts("  for h in 0..99\n    for g in 0..2\n"
                    "      y[g, 0] = (0 <= h + g < 8) ? x[h + g] : 0\n"),
            "yes");
  // The bound holds inside div and mod, too.
  EXPECT_EQ(accepts("  for h in 0..99\n    y[0, 0] = (0 <= h - 1 < 24) ? x[((h - 1) div 3)] : 0\n"),
            "yes");
  EXPECT_EQ(accepts("  for h in 0..99\n    y[0, 0] = (5 <= h < 5) ? x[h] : 0\n"), "yes");
  // The bound does not hold in the other branch.
  EXPECT_ERROR(verified_body("  for h in 0..10\n    t[h] = (0 <= h - 1 < 8) ? 0 : x[h - 1]\n"),
               "kernel k: x[h - 1]: index h - 1 of axis 0 is in -1..8, expected 0..7");
  EXPECT_ERROR(verified_body("  for h in 0..10\n    t[h] = (0 <= h < 9) ? x[h - 1] : 0\n"),
               "is in -1..7, expected 0..7");
}

TEST(Verifier, AcceptsPrefetchesBeyondTheEnd) {
  const auto result = verified_body(
      "  for h in 0..4 prefetch x[2*h + 4] lines 1\n    y[h, 0] = x[2*h] streaming\n");
  EXPECT_TRUE(result) << result.error().message;
}

TEST(Verifier, AcceptsIndicesThatClippedLoopsKeepInside) {
  const auto accepts = [](const std::string& body) {
    const auto result = verified_body("  for h in 0..8\n    y[h div 2, h mod 2] = 0\n" + body);
    return result ? "yes" : result.error().message;
  };
  EXPECT_EQ(accepts("  for h in 0..8\n    for k in 0..3 where 0 <= h + k - 1 < 8\n"
                    "      y[h div 2, h mod 2] += x[h + k - 1] * w[k]\n"),
            "yes");
  EXPECT_EQ(accepts("  for h in 0..4\n    for k in 0..3 where 0 <= 2*h + 2*k - 2 < 8\n"
                    "      y[h, 0] += x[2*h + 2*k - 2] * w[k]\n"),
            "yes");
  EXPECT_EQ(accepts("  for h in 0..8\n    for k in 0..3 where 0 <= h - 2*k < 8\n"
                    "      y[h div 2, h mod 2] += x[h - 2*k] * w[k]\n"),
            "yes");
  EXPECT_EQ(accepts("  for h in 0..24\n    for k in 0..3 where 0 <= k + (h div 3) - 1 < 8\n"
                    "      y[0, 0] += x[k + (h div 3) - 1] * w[k]\n"),
            "yes");
  // The loop's bound holds only inside it.
  EXPECT_ERROR(verified_body("  for h in 0..8\n    for k in 0..3 where 0 <= h + k - 1 < 8\n"
                             "      y[0, 0] = x[h + k - 1]\n    for k in 0..3\n"
                             "      y[0, 0] = x[h + k - 1]\n"),
               "is in -1..8, expected 0..7");
  EXPECT_ERROR(verified_body("  for h in 0..8\n    for k in 0..3 where 0 <= h + k < 8\n"
                             "      y[0, 0] = x[h + k - 1]\n"),
               "is in -1..6, expected 0..7");
}

struct Breach {
  const char* body;
  const char* message;
};

class VerifierBreach : public ::testing::TestWithParam<Breach> {};

TEST_P(VerifierBreach, IsNamed) {
  EXPECT_ERROR(verified_body(GetParam().body), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Names, VerifierBreach,
    ::testing::Values(Breach{"  z[0] = 1\n", "kernel k: z is neither a buffer nor a tile"},
                      Breach{"  y[0, 0] = z[0]\n", "z is neither a buffer nor a tile"},
                      Breach{"  y[i, 0] = 1\n", "index i mentions i, which is no loop around it"},
                      Breach{"  y[0, 0] = (0 <= i < 1) ? 1 : 0\n", "index i mentions i"},
                      Breach{"  for h in 0..2\n    for h in 0..2\n      y[h, 0] = 1\n",
                             "loop h is inside another loop h"},
                      Breach{"  registers x[4]\n", "register tile x hides a buffer of that name"},
                      Breach{"  registers r[4]\n  for h in 0..2\n    registers r[4]\n",
                             "register tile r hides a register tile of that name"},
                      Breach{"  for h in 0..2\n    registers r[1]\n  r[0] = 1\n", "r is neither"},
                      Breach{"  for div in 0..2\n    y[0, 0] = 1\n",
                             "loop \"div\" has a bad name"}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, VerifierBreach,
    ::testing::Values(
        Breach{"  for h in 0..4\n    y[h + 1, 0] = 1\n",
               "y[h + 1, 0]: index h + 1 of axis 0 is in 1..4, expected 0..3"},
        Breach{"  for h in 0..4\n    y[h, h] = 1\n", "of axis 1 is in 0..3, expected 0..1"},
        Breach{"  y[0] = 1\n", "y[0] has 1 indices, expected 2"},
        Breach{"  for h in 0..0\n    y[0, 0] = 1\n", "loop h has extent 0, expected at least 1"},
        Breach{"  registers r[4, 0]\n", "register tile r has extent 0"},
        Breach{"  registers r[4]\n  r[4] = 1\n", "index 4 of axis 0 is in 4..4, expected 0..3"},
        Breach{"  registers r[99999999, 99999999]\n",
               "register tile r has more than 2^48 elements"},
        Breach{"  for h in 0..99999999999\n    y[9000000000*h, 0] = 1\n", "exceeds 63 bits"}));

INSTANTIATE_TEST_SUITE_P(
    Loops, VerifierBreach,
    ::testing::Values(
        Breach{"  for h in 0..2 vectorized\n    for g in 0..2\n      y[g, h] = 1\n",
               "vectorized loop h is not innermost: it holds a loop"},
        Breach{"  for h in 0..2 unrolled where 0 <= h < 1\n    y[h, 0] = 1\n",
               "unrolled loop h is clipped; only serial loops can be"},
        Breach{"  for h in 0..2\n    for g in 0..2 where 0 <= h < 1\n      y[h, g] = 1\n",
               "loop g is clipped by h, which does not move with it by a step"},
        Breach{"  for h in 0..2 where 0 <= h div 2 < 1\n    y[h, 0] = 1\n",
               "loop h is clipped by (h div 2), which does not move with it by a step"},
        Breach{"  for h in 0..2 prefetch z[h] lines 1\n    y[h, 0] = 1\n",
               "loop h prefetches z, which is no buffer"},
        Breach{"  for h in 0..2 prefetch x[h, h] lines 1\n    y[h, 0] = 1\n",
               "x[h, h] has 2 indices, expected 1"},
        Breach{"  for h in 0..2 prefetch x[g] lines 1\n    y[h, 0] = 1\n",
               "mentions g, which is no"},
        Breach{"  for h in 0..2 prefetch x[h] lines 99\n    y[h, 0] = 1\n",
               "loop h prefetches 99 lines of x, expected 1 to 64"},
        Breach{"  for h in 0..2 vectorized prefetch x[h] lines 1\n    y[h, 0] = 1\n",
               "vectorized loop h prefetches x, expected a loop around it"},
        Breach{"  for h in 0..2 where 0 <= h < 1\n    barrier\n", "clipped loop h holds a barrier"},
        Breach{"  for h in 0..2 where 0 <= h + g < 1\n    y[h, 0] = 1\n",
               "which is no loop around"},
        Breach{"  for h in 0..2 vectorized\n    registers r[2]\n",
               "vectorized loop h is not innermost: it holds a register tile"},
        Breach{"  for h in 0..8 vectorized\n    y[(h div 2), 0] = 1\n",
               "index (h div 2) is not linear in the vectorized loop h"},
        Breach{"  for g in 0..2\n    for h in 0..4 parallel\n      y[h, g] = 1\n",
               "parallel loop h is inside loop g; parallel loops are outermost"},
        Breach{"  registers r[4]\n  for h in 0..4 parallel\n    y[h, 0] = 1\n",
               "parallel loop h is not alone in its block"},
        Breach{"  for h in 0..4 parallel\n    for g in 0..2\n      y[0, g] = 1\n",
               "y[0, g]: every iteration of parallel loop h stores to the same element"},
        Breach{"  for h in 0..4 bind group.0\n    y[0, 0] = 1\n",
               "every iteration of bind loop h stores to the same element"},
        Breach{"  registers r[1]\n  for h in 0..4 bind thread.0\n    r[0] = 1\n",
               "r[0]: every iteration of bind loop h stores"},
        Breach{"  for h in 0..4 bind group.0\n    for g in 0..2 bind group.0\n      y[h, g] = 1\n",
               "loops h and g are both bound to group.0"},
        Breach{"  for h in 0..4 bind group.0\n    y[h, 0] = 1\n"
               "  for g in 0..2 bind group.0\n    y[g, 1] = 1\n",
               "loops h and g are bound to group.0 with extents 4 and 2"}));

INSTANTIATE_TEST_SUITE_P(
    Stores, VerifierBreach,
    ::testing::Values(
        Breach{"  x[0] = 1\n", "x is stored to, but it is an input (activation)"},
        Breach{"  w[0] = 1\n", "w is stored to, but it is an input (constant)"},
        Breach{"  registers r[2]\n  y[0, 0] = r[1]\n", "r[1] is read before it is stored to"},
        Breach{"  registers r[2]\n  r[0] = 1\n  y[0, 0] = r[1]\n", "r[1] is read before"},
        Breach{"  registers r[2]\n  r[0] += 1\n", "r[0] is read before it is stored to"},
        Breach{"  for h in 0..2\n    y[h, 0] = exp(t[h])\n", "t[h] is read before it is stored to"},
        Breach{"  y[0, 0] = 1\n  y[0, 0] += 1 streaming\n",
               "y is stored to past the caches, expected a plain store to a buffer"},
        Breach{"  registers r[1]\n  r[0] = 1 streaming\n", "r is stored to past the caches"},
        Breach{"  y[0, 0] += 1\n", "y[0, 0] is read before it is stored to"}));

// Kernels of build time make u, which is prepared, of w, a constant.
Result<void> verified_preparing(const std::string& kernels) {
  return verified(std::string(kBuffers) + "buffer u: f32 prepared u[k=3] as [k@1:3]\n" + kernels);
}
constexpr const char* kMakeU = "kernel make prepares\n  for k in 0..3\n    u[k] = w[k] + w[k]\n";
constexpr const char* kReadU = "kernel read\n  for h in 0..4\n    y[h, 0] = x[h] * u[2]\n";

TEST(Verifier, AcceptsKernelsThatPrepareConstants) {
  EXPECT_TRUE(verified_preparing(std::string(kMakeU) + kReadU));
}

TEST(Verifier, KeepsBuildTimeApart) {
  EXPECT_ERROR(verified_preparing(std::string(kReadU)), "u[2] is read before it is stored to");
  EXPECT_ERROR(
      verified_preparing("kernel k\n  u[0] = 1\n"),
      "u is prepared; a kernel that runs every time stores to outputs and temporaries only");
  EXPECT_ERROR(verified_preparing("kernel k prepares\n  y[0, 0] = 1\n"),
               "y is output; a kernel that prepares constants stores to prepared buffers only");
  EXPECT_ERROR(verified_preparing("kernel k prepares\n  u[0] = x[0]\n"),
               "x is activation; a kernel that prepares constants reads constants only");
  EXPECT_ERROR(verified_preparing(std::string("kernel k\n  y[0, 0] = 1\n") + kMakeU),
               "kernel make runs once, but comes after one that runs every time");
}

TEST(Verifier, AcceptsWhatAnEarlierKernelStored) {
  EXPECT_TRUE(verified(std::string(kBuffers) + "kernel a\n  for h in 0..10\n    t[h] = 1\n"
                                               "kernel b\n  for h in 0..10\n    y[0, 0] = t[h]\n"));
}

TEST(Verifier, AcceptsPartialSumsThatGoThroughTheOutput) {
  EXPECT_TRUE(
      verified_body("  for k in 0..3\n    for h in 0..4\n"
                    "      y[h, 0] = (0 <= k < 1) ? 0 : y[h, 0]\n"
                    "      y[h, 0] += x[h] * w[k]\n"));
  EXPECT_ERROR(verified_body("  for k in 0..3\n    for h in 0..4\n"
                             "      y[h, 0] = (0 <= k < 1) ? 0 : t[h]\n"),
               "t[h] is read before it is stored to");
}

TEST(Verifier, GroupsHaveTheirOwnLocalMemory) {
  const std::string text =
      "buffer y: f32 output y[a=8] as [a@1:8]\n"
      "kernel k\n"
      "  for g in 0..2 bind group.0\n"
      "    for a in 0..4 bind thread.0\n"
      "      local t[4]\n"
      "      t[a] = 1\n"
      "      barrier\n"
      "      y[a + 4*g] = t[-1*a + 3]\n";
  EXPECT_TRUE(verified(text));
  EXPECT_ERROR(verified("kernel k\n  for a in 0..4 bind thread.0\n    local t[4]\n    t[0] = 1\n"),
               "stores to the same element");
}

TEST(Verifier, WorkspaceIsABufferAndNoTileOfAKernel) {
  Program program;
  program.kernels.push_back({"k", {{ScopedTile{"t", {4}, TileScope::workspace}}}});
  EXPECT_ERROR(verify(program), "workspace tile t stands in a kernel, expected a temporary buffer");
}

TEST(Verifier, WorkItemsWaitForWhatTheyShare) {
  const auto shared = [](const std::string& rounds) {
    return verified(
        "buffer x: f32 activation x[a=32] as [a@1:32]\n"
        "buffer y: f32 output y[a=8] as [a@1:8]\n"
        "kernel k\n"
        "  for a in 0..8 bind thread.0\n"
        "    local t[8]\n"
        "    y[a] = 0\n" +
        rounds);
  };
  const std::string loop = "    for i in 0..4\n", fill = "      t[a] = x[8*i + a]\n",
                    use = "      y[a] += t[7 - a]\n", wait = "      barrier\n";
  EXPECT_TRUE(shared(loop + fill + wait + use + wait));
  EXPECT_TRUE(shared(loop + wait + fill + wait + use));
  EXPECT_ERROR(shared(loop + fill + use + wait),
               "kernel k: local tile t is stored to and then read without a barrier");
  EXPECT_ERROR(shared(loop + fill + wait + use),
               "kernel k: local tile t is read and then stored to without a barrier");
  EXPECT_ERROR(shared(loop + wait + "      t[0] = x[8*i + a]\n" + wait + use),
               "t[0]: every iteration of bind loop a stores to the same element");
  EXPECT_ERROR(shared(loop + use), "t[-a + 7] is read before it is stored to");
}

TEST(Verifier, TwoCopiesInTurnNeedOneBarrierARound) {
  const auto rounds = [](const std::string& next, const std::string& barrier) {
    return verified(
        "buffer x: f32 activation x[a=40] as [a@1:40]\n"
        "buffer y: f32 output y[a=8] as [a@1:8]\n"
        "kernel k\n"
        "  for a in 0..8 bind thread.0\n"
        "    local t[2, 8]\n"
        "    y[a] = 0\n"
        "    t[0, a] = x[a]\n"
        "    for i in 0..4\n" +
        barrier + "      t[((i + " + next + ") mod 2), a] = x[8*i + a + 8]\n" +
        "      y[a] += t[(i mod 2), 7 - a]\n");
  };
  EXPECT_TRUE(rounds("1", "      barrier\n"));
  EXPECT_ERROR(rounds("2", "      barrier\n"), "local tile t is stored to and then read");
  EXPECT_ERROR(rounds("1", ""), "local tile t is stored to and then read without a barrier");
}

// A round stores the next one's copy once it has used its own.
TEST(Verifier, ARoundMayReadTheCopyThatTheRoundBeforeStored) {
  const auto rounds = [](const std::string& before, const std::string& next) {
    return verified(
        "buffer x: f32 activation x[a=40] as [a@1:40]\n"
        "buffer y: f32 output y[a=8] as [a@1:8]\n"
        "kernel k\n"
        "  for a in 0..8 bind thread.0\n"
        "    local t[2, 8]\n"
        "    y[a] = 0\n" +
        before +
        "    for i in 0..4\n"
        "      barrier\n"
        "      y[a] += t[(i mod 2), 7 - a]\n" +
        next);
  };
  const std::string first = "    t[0, a] = x[a]\n",
                    next = "      t[((i + 1) mod 2), a] = x[8*i + a + 8]\n";
  EXPECT_TRUE(rounds(first, next));
  const char* unstored = "t[(i mod 2), -a + 7] is read before it is stored to";
  EXPECT_ERROR(rounds("", next), unstored);
  EXPECT_ERROR(rounds("    t[1, a] = x[a]\n", next), unstored);
  EXPECT_ERROR(rounds(first, ""), unstored);
  EXPECT_ERROR(rounds(first, "      t[(i mod 2), a] = x[8*i + a + 8]\n"), unstored);
}

TEST(Verifier, AsynchronousStoresArriveBeforeTheyAreRead) {
  const auto rounds = [](const std::string& barrier, const std::string& ahead,
                         const std::string& read = "i mod 3") {
    return verified(
        "buffer x: f32 activation x[a=88] as [a@1:88]\n"
        "buffer y: f32 output y[a=8] as [a@1:8]\n"
        "kernel k\n"
        "  for a in 0..8 bind thread.0\n"
        "    local t[3, 8]\n"
        "    y[a] = 0\n"
        "    t[0, a] = x[a] async\n"
        "    barrier leaving 1\n"
        "    t[1, a] = x[a + 8] async\n"
        "    for i in 0..9\n"
        "      " +
        barrier +
        "\n"
        "      t[((i + " +
        ahead +
        ") mod 3), a] = x[8*i + a + 16] async\n"
        "      y[a] += t[(" +
        read +
        "), 7 - a]\n"
        "    for l in 0..2\n"
        "      " +
        barrier +
        "\n"
        "      y[a] += t[l, 7 - a]\n");
  };
  EXPECT_TRUE(rounds("barrier leaving 1", "2"));
  EXPECT_TRUE(rounds("barrier", "2"));
  const char* on_its_way = "local tile t is stored to and then read without a barrier";
  EXPECT_ERROR(rounds("barrier leaving 2", "2"), on_its_way);
  EXPECT_ERROR(rounds("barrier leaving 1", "2", "(i + 1) mod 3"), on_its_way);
  EXPECT_ERROR(rounds("barrier leaving 1", "3"), on_its_way);
  EXPECT_ERROR(rounds("barrier leaving 9", "2"), "a barrier leaves 9 batches, expected 0 to 8");
}

TEST(Verifier, AsynchronousStoresArePlainOnesToLocalTiles) {
  const auto stored = [](const std::string& store) {
    return verified(
        "buffer y: f32 output y[a=8] as [a@1:8]\n"
        "kernel k\n"
        "  for a in 0..8 bind thread.0\n"
        "    local t[8]\n"
        "    t[a] = 0\n"
        "    y[a] = 0\n" +
        store);
  };
  EXPECT_ERROR(stored("    y[a] = 1 async\n"), "y is stored to asynchronously, expected a plain");
  EXPECT_ERROR(stored("    t[a] += 1 async\n"), "t is stored to asynchronously, expected a plain");
}

TEST(Verifier, WorkItemsNeedNoBarrierForTilesOfTheirOwn) {
  EXPECT_TRUE(
      verified("buffer y: f32 output y[a=8] as [a@1:8]\n"
               "kernel k\n"
               "  for a in 0..8 bind thread.0\n"
               "    private t[2]\n"
               "    for i in 0..2\n"
               "      t[i] = 1\n"
               "    y[a] = t[1]\n"));
}

TEST(Verifier, FailsOnWrongDeclarations) {
  EXPECT_ERROR(verified("buffer x: f32 output x[] as\nbuffer x: f32 output x[] as\n"),
               "buffer x is declared twice");
  EXPECT_ERROR(verified("kernel k\nkernel k\n"), "kernel k is declared twice");
  Program program = *parse_program("buffer x: f32 output x[h=2] as [h@1:2]\n");
  program.buffers[0].name = "an x";
  EXPECT_ERROR(verify(program), "buffer \"an x\" has a bad name");
  program.buffers[0].name = "x";
  program.buffers[0].layout.offsets.clear();
  EXPECT_ERROR(verify(program), "buffer x has 0 offsets, expected 1");
  program.buffers[0].layout = identity_layout({{"h", 2}});
  program.buffers[0].layout.axes[0].digits[0].dim = 1;
  EXPECT_ERROR(verify(program), "axis h counts dimension 1, expected 0..0");
  program.buffers[0].layout.axes[0].digits[0] = {0, 0, 2};
  EXPECT_ERROR(verify(program), "axis h has step 0");
  program.buffers[0].layout.axes[0].digits[0] = {0, 1, 0};
  EXPECT_ERROR(verify(program), "buffer x has extent 0");
  program.buffers[0].layout = identity_layout({{"h", 2}});
  program.buffers[0].layout.times = 3;
  EXPECT_ERROR(verify(program), "buffer x is stored times 3, expected a power of two");
  program.buffers[0].layout.times = 4;
  EXPECT_ERROR(verify(program), "buffer x is stored times 4, expected 1 of what is no constant");
}

// Makes a drawn program one that only its indices can break: serial loops, every buffer and
// register stored to first.
Block zeroed(const std::string& name, const std::vector<int64_t>& extents) {
  std::vector<IndexExpr> indices;
  for (size_t d = 0; d < extents.size(); ++d)
    indices.push_back(IndexExpr::variable("z" + std::to_string(d)));
  Block block = {{Store{name, indices, 0.5}}};
  for (size_t d = extents.size(); d-- > 0;) {
    Loop loop{"z" + std::to_string(d), extents[d], LoopKind::serial, ThreadAxis::group_0, block};
    block = {{std::move(loop)}};
  }
  return block;
}

Block tamed(const Block& block) {
  Block result;
  for (Statement statement : block) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) {
      loop->kind = LoopKind::serial;
      loop->body = tamed(loop->body);
    }
    result.push_back(statement);
    if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) {
      for (Statement& store : zeroed(tile->name, tile->extents)) result.push_back(std::move(store));
      if (tile->scope == TileScope::local) result.push_back({Barrier{}});
    }
  }
  return result;
}

Program tamed(Program program) {
  Kernel first{"zero", {}};
  for (Buffer& buffer : program.buffers) {
    buffer.role = BufferRole::output;
    for (Statement& statement : zeroed(buffer.name, physical_extents(buffer.layout)))
      first.body.push_back(std::move(statement));
  }
  for (Kernel& kernel : program.kernels) kernel.body = tamed(kernel.body);
  program.kernels.insert(program.kernels.begin(), std::move(first));
  return program;
}

RC_GTEST_PROP(VerifierLaw, WhatIsVerifiedNeverBreaksInTheInterpreter, ()) {
  const Program program = tamed(*testing::programs());
  Storage storage;
  for (const Buffer& buffer : program.buffers)
    storage[buffer.name].resize(static_cast<size_t>(storage_elements(buffer.layout)));
  const auto verdict = verify(program);
  const auto run = interpret(program, storage);
  RC_CLASSIFY(verdict.has_value(), "verified");
  RC_CLASSIFY(!run.has_value(), "broken");
  RC_LOG() << print(program) << (verdict ? "verified" : verdict.error().message) << "\n"
           << (run ? "ran" : run.error().message) << "\n";
  if (verdict) RC_ASSERT(run.has_value());
}

RC_GTEST_PROP(VerifierLaw, AnyProgramIsJudgedInOneLine, ()) {
  const auto verdict = verify(*testing::programs());
  if (!verdict) RC_ASSERT(verdict.error().message.find('\n') == std::string::npos);
}

}  // namespace
}  // namespace dovetail
