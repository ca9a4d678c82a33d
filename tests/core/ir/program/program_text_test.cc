// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/ir/program/program.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

// A 1-D convolution of 3 taps with its padding pass, everything that a program can hold.
constexpr std::string_view kProgram =
    "buffer X: f32 activation X[i=8, w=16] as [i@1:8] [w@1:16]\n"
    "buffer X.pad: f32 temporary X[i=8, w=16] as [w@1:18] [i@1:8] offset w=-1\n"
    "buffer W: f16 constant W[o=4, i=8, kw=3] as [i@1:8] [kw@1:3] [o@1:4] ; scope texture:weight\n"
    "buffer Y: f32 output Y[o=4, w=16] as [o@1:4] [w@4:4 =w.0] [w@1:4 =w.1]\n"
    "kernel X.pad\n"
    "  for w in 0..18 parallel\n"
    "    for i in 0..8 vectorized\n"
    "      X.pad[w, i] = (0 <= w - 1 < 16) ? X[i, w - 1] : 0\n"
    "kernel c1d\n"
    "  for w.0 in 0..4 bind group.0\n"
    "    registers acc[4, 4]\n"
    "    for w.1 in 0..4 unrolled\n"
    "      for o in 0..4\n"
    "        acc[w.1, o] = 0\n"
    "    for i in 0..8 prefetch W[i + 2, 0, 0] lines 2 prefetch W[i, 0, 0] lines 1 far\n"
    "      for kw in 0..3 where 0 <= kw + 4*w.0 < 17 and -2 <= -kw < 1\n"
    "        for w.1 in 0..4 unrolled\n"
    "          for o in 0..4 vectorized\n"
    "            acc[w.1, o] += X.pad[kw + 4*w.0 + w.1, i] * W[i, kw, o]\n"
    "    for w.1 in 0..4\n"
    "      for o in 0..4\n"
    "        Y[o, w.0, w.1] = max(acc[w.1, o] * 0.5 - (1 - tanh(acc[w.1, o])), -1e-05) "
    "streaming\n";

TEST(ProgramText, PrintsWhatItParses) {
  const auto program = parse_program(kProgram);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(print(*program), kProgram);
}

TEST(ProgramText, ParsesIntoBuffersKernelsAndLoops) {
  const auto program = parse_program(kProgram);
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(program->buffers.size(), 4u);
  EXPECT_EQ(program->buffers[1].tensor, "X");
  EXPECT_EQ(program->buffers[1].layout.offsets, (std::vector<int64_t>{0, -1}));
  EXPECT_EQ(program->buffers[2].dtype, ElementType::f16);
  EXPECT_EQ(program->buffers[2].role, BufferRole::constant);
  ASSERT_EQ(program->kernels.size(), 2u);
  const Loop& group = std::get<Loop>(program->kernels[1].body[0].node);
  EXPECT_EQ(group.kind, LoopKind::bound);
  EXPECT_EQ(group.body.size(), 4u);
  EXPECT_EQ(std::get<ScopedTile>(group.body[0].node).extents, (std::vector<int64_t>{4, 4}));
}

TEST(ProgramText, TilesHaveAScope) {
  const std::string text =
      "kernel k\n"
      "  registers acc[7, 2]\n"
      "  private X.pad[6, 18, 16]\n"
      "  local W.cache[4]\n"
      "  barrier\n"
      "  W.cache[0] = 1 async\n"
      "  barrier leaving 2\n"
      "  barrier products 1\n"
      "  barrier leaving 3 products 1\n";
  const auto program = parse_program(text);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(std::get<ScopedTile>(program->kernels[0].body[2].node),
            (ScopedTile{"W.cache", {4}, TileScope::local}));
  EXPECT_EQ(print(*program), text);
}

TEST(ProgramText, SaysWhatRunsAtBuildTime) {
  const std::string text =
      "buffer W: f32 constant W[o=4] as [o@1:4]\nbuffer U: f32 prepared U[o=4] as [o@1:4]\n"
      "kernel wino_W prepares\n  for o in 0..4\n    U[o] = W[o] * 0.5\nkernel c1d\n  U[0] = 1\n";
  const auto program = parse_program(text);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(program->kernels[0].prepares);
  EXPECT_FALSE(program->kernels[1].prepares);
  EXPECT_EQ(program->buffers[1].role, BufferRole::prepared);
  EXPECT_EQ(print(*program), text);
}

TEST(ProgramText, NotesBecomeCommentsThatParseIgnores) {
  const auto program = parse_program(kProgram);
  ASSERT_TRUE(program);
  const std::string noted = print(*program, [](const Statement& statement) {
    return std::holds_alternative<Loop>(statement.node) ? "a loop" : "";
  });
  EXPECT_NE(noted.find("  for w in 0..18 parallel  # a loop\n"), std::string::npos);
  EXPECT_EQ(parse_program(noted), program);
}

TEST(ProgramText, ParenthesesKeepTheTree) {
  const Value a = Load{"a", {}};
  const Value b = Load{"b", {}};
  const Value c = Load{"c", {}};
  const auto add = [](Value x, Value y) { return binary(BinaryOp::add, x, y); };
  const auto mul = [](Value x, Value y) { return binary(BinaryOp::mul, x, y); };
  const Bound bound{IndexExpr::variable("i"), -1, 5};
  EXPECT_EQ(print(add(add(a, b), c)), "a[] + b[] + c[]");
  EXPECT_EQ(print(add(a, add(b, c))), "a[] + (b[] + c[])");
  EXPECT_EQ(print(mul(add(a, b), c)), "(a[] + b[]) * c[]");
  EXPECT_EQ(print(add(select({bound}, a, 0), b)), "((-1 <= i < 5) ? a[] : 0) + b[]");
  EXPECT_EQ(
      print(select({bound, bound}, select({bound}, a, b), select({bound}, b, c))),
      "(-1 <= i < 5 and -1 <= i < 5) ? ((-1 <= i < 5) ? a[] : b[]) : (-1 <= i < 5) ? b[] : c[]");
}

struct BadProgram {
  const char* text;
  const char* message;
};

class ProgramErrors : public ::testing::TestWithParam<BadProgram> {};

TEST_P(ProgramErrors, AreOneLineThatSaysWhereAndWhat) {
  EXPECT_ERROR(parse_program(GetParam().text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, ProgramErrors,
    ::testing::Values(
        BadProgram{"bufer X",
                   "line 1, column 1: found \"bufer\", expected \"buffer\" or \"kernel\""},
        BadProgram{"buffer X: u64 output", "found \"u64\", expected f32, f16, i64, i32,"},
        BadProgram{"buffer X: f32 input X[] as", "found \"input\", expected activation, constant,"},
        BadProgram{"buffer X: f32 output X[h=4] as [w@1:4]",
                   "column 33: found \"w\", expected a dimension of the tensor"},
        BadProgram{"kernel a\nbuffer X: f32 output X[] as", "line 2, column 1: found \"buffer\""},
        BadProgram{"kernel a\n  for i in 1..4", "line 2, column 12: found \"1\", expected 0"},
        BadProgram{"kernel a\n  for i in 0..4 fast", "found \"fast\", expected serial, parallel,"},
        BadProgram{"kernel a\n  for i in 0..4 where i < 3",
                   "found \"i\", expected the lower bound"},
        BadProgram{"kernel a\n  for i in 0..4 where 0 <= i", "expected \"<\""},
        BadProgram{"kernel a\n  for i in 0..4 bind lane", "thread axis \"lane\" is unknown"},
        BadProgram{"kernel a\n  for i in 0..4\n    x[i] = 1\n   y[i] = 2",
                   "line 4, column 4: found \"y\", expected a line that starts in column 5"},
        BadProgram{"kernel a\n  x[i] = y[i", "column 13: found the end, expected \",\" or \"]\""},
        BadProgram{"kernel a\n  x[i] - 1",
                   "column 8: found \"-\", expected \"=\", \"+=\", \"*=\", \"max=\" or \"min=\""},
        BadProgram{"kernel a\n  x[i] = cosh(1)",
                   "the functions are min, max, pow, less, less_equal, equal"},
        BadProgram{"kernel a\n  x[i] = -y[i]", "found \"y\", expected a number"},
        BadProgram{"kernel a\n  x[i] = 1 2", "found \"2\", expected the end of the line"},
        BadProgram{"kernel a\n  x[9000000000000000000*i] = 1", "the number is too large"},
        BadProgram{"kernel a\n  x[(i div 0)] = 1", "the divisor must be from 1 to 2^53"},
        BadProgram{"kernel a\n  registers acc[i]", "found \"i\", expected an extent"}));

TEST(ProgramText, DeepNestingIsRefusedInOneLine) {
  const auto in_kernel = [](const std::string& value) { return "kernel a\n  x[] = " + value; };
  const auto repeat = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  };
  EXPECT_ERROR(parse_program(in_kernel(repeat("(", 100000))), "nested at most 200 deep");
  EXPECT_ERROR(parse_program(in_kernel(repeat("1 + ", 100000) + "1")), "nested at most 200 deep");
  EXPECT_ERROR(parse_program(in_kernel(repeat("exp(", 100000))), "nested at most 200 deep");
  EXPECT_ERROR(parse_program(in_kernel(repeat("(0 <= i < 1) ? 1 : ", 100000) + "1")), "deep");
  EXPECT_ERROR(parse_program("kernel a\n  x[" + repeat("(", 100000)), "at most 200 nested");
  std::string loops = "kernel a\n";
  for (int i = 1; i < 300; ++i)
    loops += std::string(static_cast<size_t>(i), ' ') + "for i in 0..1\n";
  EXPECT_ERROR(parse_program(loops), "at most 200 nested loops");
}

}  // namespace
}  // namespace dovetail
