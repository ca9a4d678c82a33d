// SPDX-License-Identifier: Apache-2.0
#include "tests/support/interpreter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Result<void> run(std::string_view text, Storage& storage) {
  const Program program = TRY(parse_program(text));
  return interpret(program, storage);
}

// The single buffer y holds this after the kernel `k` with this body.
Result<std::vector<float>> y_after(int elements, const std::string& body) {
  const std::string n = std::to_string(elements);
  Storage storage{{"y", std::vector<float>(static_cast<size_t>(elements), kNaN)}};
  TRY(run("buffer y: f32 output y[a=" + n + "] as [a@1:" + n + "]\nkernel k\n" + body, storage));
  return storage["y"];
}

std::vector<float> counting(size_t count, float first = 1) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST(Interpreter, RunsOnlyTheIterationsWhereAClippedLoopsBoundsHold) {
  EXPECT_EQ(y_after(6,
                    "  for h in 0..6\n    y[h] = 0\n"
                    "  for h in 0..6\n    for k in 0..3 where 1 <= h + 2*k < 6 and 0 <= k < 2\n"
                    "      y[h] += 1\n"),
            (std::vector<float>{1, 2, 2, 2, 1, 1}));
  EXPECT_EQ(y_after(2, "  y[0] = 7\n  y[1] = 7\n  for h in 0..2 where 5 <= h < 9\n    y[h] = 1\n"),
            (std::vector<float>{7, 7}));
}

TEST(Interpreter, RunsAConvolutionWithItsPaddingPass) {
  Storage storage{{"X", {1, 2, 3, 4}}, {"W", {1, 10, 100}}, {"Y", std::vector<float>(4, kNaN)}};
  const auto done =
      run("buffer X: f32 activation X[w=4] as [w@1:4]\n"
          "buffer X.pad: f32 temporary X[w=4] as [w@1:6] offset w=-1\n"
          "buffer W: f32 constant W[kw=3] as [kw@1:3]\n"
          "buffer Y: f32 output Y[w=4] as [w@2:2 =w.0] [w@1:2 =w.1]\n"
          "kernel X.pad\n"
          "  for w in 0..6 parallel\n"
          "    X.pad[w] = (0 <= w - 1 < 4) ? X[w - 1] : 0\n"
          "kernel c1d\n"
          "  for w.0 in 0..2\n"
          "    registers acc[2]\n"
          "    for w.1 in 0..2\n"
          "      acc[w.1] = 0\n"
          "    for kw in 0..3\n"
          "      for w.1 in 0..2 vectorized\n"
          "        acc[w.1] += X.pad[2*w.0 + w.1 + kw] * W[kw]\n"
          "    for w.1 in 0..2\n"
          "      Y[w.0, w.1] = max(acc[w.1] - 300, 0)\n",
          storage);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(storage["X.pad"], (std::vector<float>{0, 1, 2, 3, 4, 0}));
  // 210, 321, 432, 43 less 300
  EXPECT_EQ(storage["Y"], (std::vector<float>{0, 21, 132, 0}));
}

TEST(Interpreter, EvaluatesEveryOperator) {
  const auto y = y_after(9,
                         "  y[0] = 7 / 2 - 3 * (1 - 2)\n"
                         "  y[1] = min(2, -3)\n"
                         "  y[2] = max(2, -3)\n"
                         "  y[3] = exp(1)\n"
                         "  y[4] = tanh(0.5)\n"
                         "  y[5] = erf(0.5)\n"
                         "  for i in 0..3\n"
                         "    y[i + 6] = (1 <= i < 3 and 0 <= i < 2) ? 1 : 2\n");
  ASSERT_TRUE(y) << y.error().message;
  EXPECT_EQ((*y)[0], 6.5f);
  EXPECT_EQ((*y)[1], -3.0f);
  EXPECT_EQ((*y)[2], 2.0f);
  EXPECT_FLOAT_EQ((*y)[3], std::exp(1.0f));
  EXPECT_FLOAT_EQ((*y)[4], std::tanh(0.5f));
  EXPECT_FLOAT_EQ((*y)[5], std::erf(0.5f));
  EXPECT_EQ(std::vector<float>(y->begin() + 6, y->end()), (std::vector<float>{2, 1, 2}));
}

TEST(Interpreter, IndicesDivideWithFloor) {
  const auto y = y_after(6,
                         "  for i in 0..6\n"
                         "    y[((i - 3) div 2) + 2*((i - 3) mod 2) + 2] = 1\n");
  // i - 3 = -3 … 2: div -2 -1 -1 0 0 1, mod 1 0 1 0 1 0
  ASSERT_TRUE(y) << y.error().message;
  EXPECT_EQ((*y)[1], 1.0f);
  EXPECT_EQ((*y)[2], 1.0f);
  EXPECT_EQ((*y)[3], 1.0f);
  EXPECT_EQ((*y)[4], 1.0f);
  EXPECT_TRUE(std::isnan((*y)[0]) && std::isnan((*y)[5]));
}

TEST(Interpreter, LoadsOfASelectAreOnlyPerformedWhereItsBoundsHold) {
  EXPECT_TRUE(y_after(2,
                      "  for i in 0..2\n"
                      "    y[i] = 1\n"
                      "  for i in 0..9\n"
                      "    y[0] += (0 <= i - 7 < 2) ? y[i - 7] : 0\n"));
}

TEST(Interpreter, NaNSurvivesMinAndMaxSoThatUnwrittenElementsShow) {
  Storage storage{{"y", std::vector<float>(4, 0.0f)}};
  const auto done =
      run("buffer y: f32 output y[a=4] as [a@1:4]\n"
          "buffer t: f32 temporary t[a=1] as [a@1:1]\n"
          "kernel k\n"
          "  y[0] = max(t[0], 0)\n"
          "  y[1] = max(0, t[0])\n"
          "  y[2] = min(t[0], 0)\n"
          "  y[3] = min(0, t[0])\n",
          storage);
  ASSERT_TRUE(done) << done.error().message;
  for (const float value : storage["y"]) EXPECT_TRUE(std::isnan(value));
}

TEST(Interpreter, HalfBuffersRoundWhatIsStored) {
  Storage storage{{"y", {0, 0}}};
  ASSERT_TRUE(
      run("buffer y: f16 output y[a=2] as [a@1:2]\nkernel k\n  y[0] = 2049\n  y[1] = 2048\n"
          "  for i in 0..3\n    y[1] += 1\n",
          storage));
  EXPECT_EQ(storage["y"], (std::vector<float>{2048, 2048}));  // ties to even, every time
}

TEST(Interpreter, FusedInnermostLoopAgreesWithThePlainOne) {
  const std::string head =
      "buffer a: f32 activation a[i=12] as [i@1:12]\n"
      "buffer b: f32 constant b[i=12] as [i@1:12]\n"
      "buffer y: f32 output y[i=12] as [i@1:12]\n"
      "kernel k\n"
      "  for j in 0..3\n"
      "    registers acc[4]\n"
      "    for i in 0..4\n"
      "      acc[i] = 1\n"
      "    for i in 0..4\n";
  const std::string tail = "    for i in 0..4\n      y[i + 4*j] = acc[i]\n";
  Storage fused{{"a", counting(12)}, {"b", counting(12, 20)}, {"y", std::vector<float>(12, 0.0f)}};
  Storage plain = fused;
  ASSERT_TRUE(run(head + "      acc[i] += a[2*i + j] * b[-3*i + 11]\n" + tail, fused));
  ASSERT_TRUE(run(head + "      acc[i] += a[2*i + j] * b[-3*i + 11] + 0\n" + tail, plain));
  EXPECT_EQ(fused["y"], plain["y"]);
  EXPECT_EQ(fused["y"][0], 32.0f);  // 1 + 1·31
}

TEST(Interpreter, SiblingNestsMayUseTheSameNames) {
  const auto y = y_after(4,
                         "  for i in 0..2\n"
                         "    registers r[1]\n"
                         "    r[0] = 1\n"
                         "    y[i] = r[0]\n"
                         "  for i in 0..2\n"
                         "    registers r[1]\n"
                         "    r[0] = 2\n"
                         "    y[i + 2] = r[0]\n");
  EXPECT_EQ(y, Result<std::vector<float>>(std::vector<float>{1, 1, 2, 2}));
}

// Sums of rows, from the right: each work-item reads what the others have brought.
TEST(Interpreter, WorkItemsExchangeThroughALocalTile) {
  Storage storage{{"x", counting(8)}, {"y", std::vector<float>(4, kNaN)}};
  const auto done =
      run("buffer x: f32 activation x[i=2, a=4] as [i@1:2] [a@1:4]\n"
          "buffer y: f32 output y[a=4] as [a@1:4]\n"
          "kernel k\n"
          "  for g in 0..1 bind group.0\n"
          "    for a.0 in 0..2 bind thread.1\n"
          "      for a.1 in 0..2 bind thread.0\n"
          "        registers acc[1]\n"
          "        local t[4]\n"
          "        acc[0] = 0\n"
          "        for i in 0..2\n"
          "          barrier\n"
          "          t[2*a.0 + a.1] = x[i, 2*a.0 + a.1]\n"
          "          barrier\n"
          "          for b in 0..2\n"
          "            private p[1]\n"
          "            p[0] = t[3 - 2*a.0 - a.1]\n"
          "            acc[0] += p[0]\n"
          "        y[2*a.0 + a.1] = acc[0]\n",
          storage);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(storage["y"], (std::vector<float>{24, 20, 16, 12}));
}

TEST(Interpreter, FailsOnAnIndexOutsideItsBuffer) {
  EXPECT_ERROR(y_after(4, "  for i in 0..3\n    y[2*i + 1] = 1\n"),
               "kernel k: y[2*i + 1]: index 2*i + 1 of axis 0 is 5, expected 0..3; i=2");
  EXPECT_ERROR(y_after(4, "  for i in 0..3\n    y[i - 1] = 1\n"), "index i - 1 of axis 0 is -1");
  EXPECT_ERROR(y_after(4, "  y[0] = 1\n  for i in 0..3\n    y[0] += y[i + 3] * y[0]\n"),
               "kernel k: y[i + 3]: index i + 3 of axis 0 is 4, expected 0..3; i=1");
}

TEST(Interpreter, FailsOnARegisterReadBeforeItIsStoredTo) {
  const char* message = "element 1 of tile r is read before it is stored to";
  EXPECT_ERROR(y_after(1, "  registers r[2]\n  r[0] = 1\n  y[0] = r[1]\n"), message);
  EXPECT_ERROR(y_after(1, "  registers r[2]\n  r[0] = 1\n  r[1] += 1\n"), message);
  EXPECT_ERROR(y_after(1,
                       "  y[0] = 1\n  registers r[2]\n  r[0] = 1\n  for i in 0..2\n"
                       "    r[i] += y[0] * y[0]\n"),
               message);
  EXPECT_ERROR(y_after(1,
                       "  for i in 0..2\n    registers r[2]\n"
                       "    y[0] = (1 <= i < 2) ? r[1] : 0\n    r[1] = 1\n"),
               message);
}

TEST(Interpreter, FailsOnWhatNamesNothing) {
  EXPECT_ERROR(y_after(1, "  z[0] = 1\n"), "z is neither a buffer nor a tile");
  EXPECT_ERROR(y_after(1, "  y[i] = 1\n"), "index i mentions i, which is no loop around it");
  EXPECT_ERROR(y_after(1, "  y[0, 0] = 1\n"), "y has 1 axes, found 2 indices");
  EXPECT_ERROR(y_after(1, "  for i in 0..2\n    registers r[1]\n  r[0] = 1\n"), "r is neither");
  EXPECT_ERROR(y_after(1, "  for i in 0..2\n    for i in 0..2\n      y[0] = 1\n"),
               "loop i is inside another loop i");
  EXPECT_ERROR(y_after(1, "  for i in 0..0\n    y[0] = 1\n"), "extent 0, expected at least 1");
  EXPECT_ERROR(y_after(1, "  for i in 0..9000000000000000000\n    y[9000000000000000*i] = 1\n"),
               "exceeds 63 bits");
}

TEST(Interpreter, FailsOnMissingAndWronglySizedBuffers) {
  const std::string text = "buffer y: f32 output y[a=4] as [a@1:4]\nkernel k\n  y[0] = 1\n";
  Storage none;
  EXPECT_ERROR(run(text, none), "buffer y is not given");
  Storage small{{"y", {1, 2, 3}}};
  EXPECT_ERROR(run(text, small), "buffer y has 3 elements, expected 4");
}

}  // namespace
}  // namespace dovetail
