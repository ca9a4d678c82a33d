// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "tests/core/codegen/llvm/compiled_program.h"

namespace dovetail::testing {
namespace {

constexpr int kCount = 1 << 16;

// `value` of every x and p, by a compiled kernel of 16 lanes.
std::vector<float> computed(const std::string& value, const std::vector<float>& x,
                            const std::vector<float>& p, int lanes = 16) {
  const std::string element = fmt::format("16*i.0 + {}*i.1 + i.2", lanes);
  const Program program =
      program_of(fmt::format("buffer x: f32 activation x[i={0}] as [i@1:{0}]\n"
                             "buffer p: f32 activation p[i={0}] as [i@1:{0}]\n"
                             "buffer y: f32 output y[i={0}] as [i@1:{0}]\nkernel k\n"
                             " for i.0 in 0..{1}\n  for i.1 in 0..{2}\n   for i.2 in 0..{3} "
                             "vectorized\n    y[{4}] = {5}\n",
                             x.size(), x.size() / 16, 16 / lanes, lanes, element,
                             fmt::format(fmt::runtime(value), element)));
  Storage storage = small_integers(program, 1);
  storage["x"] = x;
  storage["p"] = p;
  EXPECT_TRUE(CompiledProgram::compile(program, host_cpu())->run(storage).has_value());
  return storage["y"];
}

std::vector<float> compiled(const std::string& function, const std::vector<float>& x,
                            int lanes = 16) {
  return computed(function + "(x[{0}])", x, x, lanes);
}

std::vector<float> powers(const std::vector<float>& x, const std::vector<float>& p) {
  return computed("pow(x[{0}], p[{0}])", x, p);
}

// Distance in units of the last place of the exact result.
double ulps(float found, double exact) {
  const auto nearest = static_cast<float>(exact);
  if (std::isinf(nearest)) return found == nearest ? 0 : 1e9;
  const float next = std::nextafter(std::fabs(nearest), std::numeric_limits<float>::infinity());
  return std::fabs(found - exact) / (static_cast<double>(next) - std::fabs(nearest));
}

double largest_error(const std::string& function, double (*exact)(double), double from, double to,
                     int lanes = 16) {
  std::vector<float> x(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = static_cast<float>(from + (to - from) * i / (kCount - 1));
  const std::vector<float> y = compiled(function, x, lanes);
  double largest = 0;
  for (int i = 0; i < kCount; ++i) largest = std::max(largest, ulps(y[i], exact(x[i])));
  return largest;
}

// Floats of every magnitude, denormal ones too: their bits rise evenly from 0 to infinity's.
std::vector<float> all_magnitudes() {
  std::vector<float> x(kCount);
  for (uint32_t i = 0; i < kCount; ++i) x[i] = std::bit_cast<float>(i * (0x7F800000U / kCount) + 1);
  return x;
}

double largest_error_everywhere(const std::string& function, double (*exact)(double)) {
  const std::vector<float> x = all_magnitudes(), y = compiled(function, x);
  double largest = 0;
  for (int i = 0; i < kCount; ++i) largest = std::max(largest, ulps(y[i], exact(x[i])));
  return largest;
}

double largest_error_of_power(const std::vector<float>& x, float exponent) {
  const std::vector<float> y = powers(x, std::vector<float>(x.size(), exponent));
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, ulps(y[i], std::pow(static_cast<double>(x[i]), exponent)));
  return largest;
}

TEST(VectorMath, ExpIsWithinTwoUlp) {
  EXPECT_LT(largest_error("exp", std::exp, -1, 1), 2);
  EXPECT_LT(largest_error("exp", std::exp, -87, 88.7), 2);
  EXPECT_LT(largest_error("exp", std::exp, -87.33, 95), 2);  // to infinity
}

// No denormal number comes out, so that masked scores of a softmax cost no more than others.
TEST(VectorMath, ExpOfWhatWouldBeDenormalIsZero) {
  for (const int lanes : {4, 16}) {
    std::vector<float> x(kCount);
    for (int i = 0; i < kCount; ++i) x[i] = -87.34F - static_cast<float>(i);
    x.front() = -std::numeric_limits<float>::infinity();
    for (const float y : compiled("exp", x, lanes)) EXPECT_EQ(y, 0);
  }
  const std::vector<float> no_number(kCount, std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(std::isnan(compiled("exp", no_number).front()));
}

TEST(VectorMath, TanhIsWithinTwoUlp) {
  EXPECT_LT(largest_error("tanh", std::tanh, -0.01, 0.01), 2);
  EXPECT_LT(largest_error("tanh", std::tanh, -1, 1), 2);
  EXPECT_LT(largest_error("tanh", std::tanh, -100, 100), 2);
}

TEST(VectorMath, ErfIsWithinTwoUlp) {
  EXPECT_LT(largest_error("erf", std::erf, -0.01, 0.01), 2);
  EXPECT_LT(largest_error("erf", std::erf, -1.5, 1.5), 2);
  EXPECT_LT(largest_error("erf", std::erf, -20, 20), 2);
  EXPECT_LT(largest_error_everywhere("erf", std::erf), 2);
}

// Vectors of which no instruction looks up a whole one.
TEST(VectorMath, ErfOfFourLanesIsWithinTwoUlp) {
  for (const double limit : {0.01, 1.5, 20.0})
    EXPECT_LT(largest_error("erf", std::erf, -limit, limit, 4), 2);
}

TEST(VectorMath, LogIsWithinTwoUlp) {
  EXPECT_LT(largest_error("log", std::log, 0.5, 2), 2);
  EXPECT_LT(largest_error("log", std::log, 0.999, 1.001), 2);  // around its zero
  EXPECT_LT(largest_error("log", std::log, 1e-3, 1e3), 2);
  EXPECT_LT(largest_error_everywhere("log", std::log), 2);
}

TEST(VectorMath, SinAndCosAreWithinOneUlp) {
  for (const double limit : {0.01, 1.0, 10.0, 1e3, 1e6}) {
    EXPECT_LT(largest_error("sin", std::sin, -limit, limit), 1) << limit;
    EXPECT_LT(largest_error("cos", std::cos, -limit, limit), 1) << limit;
  }
}

TEST(VectorMath, AtanIsWithinOneUlp) {
  EXPECT_LT(largest_error("atan", std::atan, -1.5, 1.5), 1);
  EXPECT_LT(largest_error("atan", std::atan, -1e3, 1e3), 1);
  EXPECT_LT(largest_error_everywhere("atan", std::atan), 1);
}

TEST(VectorMath, SqrtIsTheNearestAndItsReciprocalWithinTwoUlp) {
  EXPECT_LE(largest_error_everywhere("sqrt", std::sqrt), 0.5);
  EXPECT_LT(largest_error_everywhere("rsqrt", [](double x) { return 1 / std::sqrt(x); }), 2);
}

TEST(VectorMath, PowIsWithinOneUlp) {
  for (const float exponent : {0.5F, -0.5F, 1.0F, 2.0F, 3.0F, -1.0F, 1.0F / 3, 7.25F, -12.5F})
    EXPECT_LT(largest_error_of_power(all_magnitudes(), exponent), 1) << exponent;
  std::vector<float> near_one(kCount);
  for (int i = 0; i < kCount; ++i)
    near_one[i] = 0.97F + 0.06F * static_cast<float>(i) / static_cast<float>(kCount);
  for (const float exponent : {100.0F, -1000.0F, 2999.5F})  // small errors of log2 grow most
    EXPECT_LT(largest_error_of_power(near_one, exponent), 1) << exponent;
}

TEST(VectorMath, PowOfNegativeNumbersNeedsWholeExponents) {
  std::vector<float> negative = all_magnitudes();
  for (float& x : negative) x = -x;
  for (const float exponent : {1.0F, 2.0F, 3.0F, -3.0F})
    EXPECT_LT(largest_error_of_power(negative, exponent), 1) << exponent;
  const std::vector<float> y = powers(negative, std::vector<float>(negative.size(), 0.5F));
  EXPECT_TRUE(std::ranges::all_of(y, [](float v) { return std::isnan(v); }));
}

TEST(VectorMath, LogAndPowKeepTheirLimits) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  std::vector<float> x(16, 1.0F), p(16, 0.0F);
  const float at[] = {0, 1, infinity, -1, nan};
  std::ranges::copy(at, x.begin());
  const std::vector<float> l = compiled("log", x);
  EXPECT_EQ(std::vector<float>(l.begin(), l.begin() + 3),
            (std::vector<float>{-infinity, 0, infinity}));
  EXPECT_TRUE(std::isnan(l[3]) && std::isnan(l[4]));
  const float bases[] = {0, 0, infinity, infinity, 5, nan, 2, 2},
              powers_of[] = {2, -2, 2, -2, 0, 2, infinity, -infinity};
  std::ranges::copy(bases, x.begin());
  std::ranges::copy(powers_of, p.begin());
  const std::vector<float> y = powers(x, p);
  EXPECT_EQ(std::vector<float>(y.begin(), y.begin() + 5),
            (std::vector<float>{0, infinity, infinity, 0, 1}));
  EXPECT_TRUE(std::isnan(y[5]));
  EXPECT_EQ(y[6], infinity);
  EXPECT_EQ(y[7], 0);
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
