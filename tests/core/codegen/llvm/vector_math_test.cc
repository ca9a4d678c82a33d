// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tests/core/codegen/llvm/compiled_program.h"

namespace dovetail::testing {
namespace {

constexpr int kCount = 1 << 16;

// function(x) of every x, by a compiled kernel of 16 lanes.
std::vector<float> compiled(const std::string& function, const std::vector<float>& x) {
  const std::string n = std::to_string(x.size());
  const Program program = program_of(
      "buffer x: f32 activation x[i=" + n + "] as [i@1:" + n + "]\n" +
      "buffer y: f32 output y[i=" + n + "] as [i@1:" + n + "]\nkernel k\n" + " for i.0 in 0.." +
      std::to_string(x.size() / 16) + "\n" + "  for i.1 in 0..16 vectorized\n" +
      "   y[16*i.0 + i.1] = " + function + "(x[16*i.0 + i.1])\n");
  Storage storage = small_integers(program, 1);
  storage["x"] = x;
  EXPECT_TRUE(CompiledProgram::compile(program, host_cpu())->run(storage).has_value());
  return storage["y"];
}

// Distance in units of the last place of the exact result.
double ulps(float found, double exact) {
  const auto nearest = static_cast<float>(exact);
  if (std::isinf(nearest)) return found == nearest ? 0 : 1e9;
  const float next = std::nextafter(std::fabs(nearest), std::numeric_limits<float>::infinity());
  return std::fabs(found - exact) / (static_cast<double>(next) - std::fabs(nearest));
}

double largest_error(const std::string& function, double (*exact)(double), double from, double to) {
  std::vector<float> x(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = static_cast<float>(from + (to - from) * i / (kCount - 1));
  const std::vector<float> y = compiled(function, x);
  double largest = 0;
  for (int i = 0; i < kCount; ++i) largest = std::max(largest, ulps(y[i], exact(x[i])));
  return largest;
}

TEST(VectorMath, ExpIsWithinTwoUlp) {
  EXPECT_LT(largest_error("exp", std::exp, -1, 1), 2);
  EXPECT_LT(largest_error("exp", std::exp, -87, 88.7), 2);
  EXPECT_LT(largest_error("exp", std::exp, -110, 95), 2);  // subnormal, 0 and infinity
}

TEST(VectorMath, TanhIsWithinFourUlp) {
  EXPECT_LT(largest_error("tanh", std::tanh, -0.01, 0.01), 4);
  EXPECT_LT(largest_error("tanh", std::tanh, -1, 1), 4);
  EXPECT_LT(largest_error("tanh", std::tanh, -100, 100), 4);
}

TEST(VectorMath, ErfIsWithinTwoUlp) {
  EXPECT_LT(largest_error("erf", std::erf, -0.01, 0.01), 2);
  EXPECT_LT(largest_error("erf", std::erf, -1.5, 1.5), 2);
  EXPECT_LT(largest_error("erf", std::erf, -20, 20), 2);
}

TEST(VectorMath, SpecialValuesStay) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> x(16, std::numeric_limits<float>::quiet_NaN());
  x[0] = infinity;
  x[1] = -infinity;
  x[2] = 0.0f;
  x[3] = -0.0f;
  const std::vector<float> e = compiled("exp", x);
  const std::vector<float> t = compiled("tanh", x);
  const std::vector<float> f = compiled("erf", x);
  EXPECT_EQ(std::vector<float>(e.begin(), e.begin() + 4), (std::vector<float>{infinity, 0, 1, 1}));
  EXPECT_EQ(std::vector<float>(t.begin(), t.begin() + 4), (std::vector<float>{1, -1, 0, 0}));
  EXPECT_EQ(std::vector<float>(f.begin(), f.begin() + 4), (std::vector<float>{1, -1, 0, 0}));
  EXPECT_TRUE(std::signbit(t[3]) && std::signbit(f[3]));
  EXPECT_TRUE(std::isnan(e[15]) && std::isnan(t[15]) && std::isnan(f[15]));
}

}  // namespace
}  // namespace dovetail::testing
