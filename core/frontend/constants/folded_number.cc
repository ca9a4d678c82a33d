// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/constants/folded_number.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/check.h"

namespace dovetail {

int64_t truncated(double real) {
  constexpr double kWholeLimit = 0x1p63;
  if (std::isnan(real)) return 0;
  if (real >= kWholeLimit) return std::numeric_limits<int64_t>::max();
  return real < -kWholeLimit ? std::numeric_limits<int64_t>::min() : static_cast<int64_t>(real);
}

double joined(BinaryOp op, double a, double b) {
  const bool nothing = std::isnan(a) || std::isnan(b);
  switch (op) {
    case BinaryOp::add: return a + b;
    case BinaryOp::sub: return a - b;
    case BinaryOp::mul: return a * b;
    case BinaryOp::div: return a / b;
    case BinaryOp::min: return nothing ? a + b : std::min(a, b);
    case BinaryOp::max: return nothing ? a + b : std::max(a, b);
    case BinaryOp::pow: return std::pow(a, b);
    case BinaryOp::less:
    case BinaryOp::less_equal:
    case BinaryOp::equal: break;
  }
  CHECK(false, "a comparison is no number");
  return 0;
}

// nullopt: an undefined quotient. Sums and products wrap.
std::optional<int64_t> joined(BinaryOp op, int64_t a, int64_t b) {
  const auto bits = [](int64_t x) { return static_cast<uint64_t>(x); };
  switch (op) {
    case BinaryOp::add: return static_cast<int64_t>(bits(a) + bits(b));
    case BinaryOp::sub: return static_cast<int64_t>(bits(a) - bits(b));
    case BinaryOp::mul: return static_cast<int64_t>(bits(a) * bits(b));
    case BinaryOp::div:
      if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min())) return std::nullopt;
      return a / b;
    case BinaryOp::min: return std::min(a, b);
    case BinaryOp::max: return std::max(a, b);
    case BinaryOp::pow: return truncated(std::pow(static_cast<double>(a), static_cast<double>(b)));
    case BinaryOp::less:
    case BinaryOp::less_equal:
    case BinaryOp::equal: break;
  }
  CHECK(false, "a comparison is no number");
  return 0;
}

double computed(UnaryOp op, double x) {
  switch (op) {
    case UnaryOp::exp: return std::exp(x);
    case UnaryOp::tanh: return std::tanh(x);
    case UnaryOp::erf: return std::erf(x);
    case UnaryOp::log: return std::log(x);
    case UnaryOp::sqrt: return std::sqrt(x);
    case UnaryOp::rsqrt: return 1 / std::sqrt(x);
    case UnaryOp::floor: return std::floor(x);
    case UnaryOp::abs: return std::abs(x);
    case UnaryOp::sin: return std::sin(x);
    case UnaryOp::cos: return std::cos(x);
    case UnaryOp::atan: return std::atan(x);
  }
  return x;
}

}  // namespace dovetail
