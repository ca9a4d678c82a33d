// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/bounded_number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUlp = 0x1p-23;

BoundedNumber rounded(double value, double error, double ulps = 0.5) {
  if (!std::isfinite(value)) return {value, std::isnan(error) ? 0 : error};
  const double own = ulps * kUlp * std::abs(value);
  return {value, (std::isnan(error) ? kInfinity : error) + own};
}

// A truth that errors may turn round.
BoundedNumber truth(bool holds, bool certain) {
  return {holds ? 1.0 : 0.0, certain ? 0.0 : kInfinity};
}

BoundedNumber power(const BoundedNumber& a, const BoundedNumber& b) {
  const double value = std::pow(a.value, b.value);
  const double slope = a.value == 0 ? 0 : std::abs(b.value * value / a.value);
  const double growth = a.value > 0 ? std::abs(value * std::log(a.value)) : 0;
  return rounded(value, slope * a.error + growth * b.error, 1);
}

// A sine or a cosine of a; nothing is promised of those of large numbers.
BoundedNumber wave(double value, const BoundedNumber& a) {
  constexpr double kMostTurned = 0x1p20;
  return rounded(value, std::abs(a.value) > kMostTurned ? kInfinity : a.error, 4);
}

}  // namespace

BoundedNumber apply(BinaryOp op, const BoundedNumber& a, const BoundedNumber& b, bool whole) {
  const double near = a.error + b.error;
  switch (op) {
    case BinaryOp::add: return rounded(a.value + b.value, near);
    case BinaryOp::sub: return rounded(a.value - b.value, near);
    case BinaryOp::mul:
      return rounded(a.value * b.value,
                     std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error);
    case BinaryOp::div: {
      if (whole) return {b.value == 0 ? 0 : std::trunc(a.value / b.value), 0};
      const double value = a.value / b.value;
      const double least = std::abs(b.value) - b.error;
      const double error =
          least <= 0 && b.error > 0 ? kInfinity : (a.error + std::abs(value) * b.error) / least;
      return rounded(value, std::isnan(error) ? 0 : error);
    }
    case BinaryOp::min:
    case BinaryOp::max: {
      if (std::isnan(a.value) || std::isnan(b.value)) return {std::nan(""), 0};
      const double value =
          op == BinaryOp::min ? std::min(a.value, b.value) : std::max(a.value, b.value);
      return {value, std::max(a.error, b.error)};
    }
    case BinaryOp::pow: return power(a, b);
    case BinaryOp::less:
      return truth(a.value < b.value, near == 0 || std::abs(a.value - b.value) > near);
    case BinaryOp::less_equal:
      return truth(a.value <= b.value, near == 0 || std::abs(a.value - b.value) > near);
    case BinaryOp::equal:
      return truth(a.value == b.value, near == 0 || std::abs(a.value - b.value) > near);
  }
  return {};
}

BoundedNumber apply(UnaryOp op, const BoundedNumber& a) {
  switch (op) {
    case UnaryOp::exp: {
      const double value = std::exp(a.value);
      return rounded(value, value * std::expm1(a.error), 2);
    }
    case UnaryOp::tanh: {
      const double value = std::tanh(a.value);
      return rounded(value, a.error, 4);
    }
    case UnaryOp::erf: return rounded(std::erf(a.value), 1.13 * a.error, 2);
    case UnaryOp::log: {
      const double value = std::log(a.value);
      const double least = a.value - a.error;
      return rounded(value, least <= 0 && a.error > 0 ? kInfinity : a.error / least, 2);
    }
    case UnaryOp::sqrt: {
      const double value = std::sqrt(a.value);
      return rounded(value, a.error == 0 ? 0 : a.error / std::max(value, std::sqrt(a.error)));
    }
    case UnaryOp::rsqrt: {
      const double value = 1 / std::sqrt(a.value);
      const double least = a.value - a.error;
      return rounded(value, least <= 0 && a.error > 0 ? kInfinity : value * a.error / least, 1);
    }
    case UnaryOp::floor: {
      const double value = std::floor(a.value);
      const bool certain = std::floor(a.value - a.error) == std::floor(a.value + a.error);
      return {value, certain ? 0.0 : 1.0};
    }
    case UnaryOp::abs: return {std::abs(a.value), a.error};
    case UnaryOp::sin: return wave(std::sin(a.value), a);
    case UnaryOp::cos: return wave(std::cos(a.value), a);
    case UnaryOp::atan: return rounded(std::atan(a.value), a.error, 5);
  }
  return {};
}

BoundedNumber apply(ComputedType type, const BoundedNumber& a) {
  if (type == ComputedType::real) return a;
  if (type == ComputedType::boolean)
    return truth(a.value != 0, std::abs(a.value) > a.error || a.error == 0);
  const bool certain = std::trunc(a.value - a.error) == std::trunc(a.value + a.error);
  return {std::trunc(a.value), certain ? 0.0 : 1.0};
}

}  // namespace dovetail
