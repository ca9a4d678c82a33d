// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/bounded_number.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/check.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUlp = 0x1p-23;
constexpr double kLeastNormal = 0x1p-126;

bool is_anything(const BoundedNumber& a) { return std::isinf(a.error); }

// Applies overflow; the error is infinite if the operands' error decides whether it overflows.
BoundedNumber held(double value, double error, ElementType type) {
  if (std::isnan(error)) error = kInfinity;
  if (std::isinf(error)) return {value, error};
  // Non-finite because an operand is, whatever the other's error.
  if (!std::isfinite(value)) return {value, 0};
  const double result = overflowed(value, type);
  const double other = std::abs(value) + (std::isinf(result) ? -error : error);
  return {result, std::isinf(overflowed(other, type)) == std::isinf(result)
                      ? (std::isinf(result) ? 0 : error)
                      : kInfinity};
}

BoundedNumber rounded(double value, double error, double ulps = 0.5) {
  BoundedNumber result = held(value, error, ElementType::f32);
  if (std::isfinite(result.value))
    result.error += ulps * kUlp * std::max(std::abs(value), kLeastNormal);
  return result;
}

// An infinite or undefined result of operands that are certain, or nearly: it is certain, too.
BoundedNumber special(double value) { return {value, 0}; }
BoundedNumber anything(double value) { return {value, kInfinity}; }

BoundedInteger truth(bool holds, bool certain) {
  return {holds ? 1 : 0, certain ? 0.0 : kInfinity};
}

BoundedNumber product(const BoundedNumber& a, const BoundedNumber& b) {
  const double value = a.value * b.value;
  if (!std::isfinite(a.value) || !std::isfinite(b.value)) {
    const auto may_be_zero = [](const BoundedNumber& x) {
      return x.error > 0 && std::abs(x.value) <= x.error;
    };
    return may_be_zero(a) || may_be_zero(b) ? anything(value) : special(value);
  }
  return rounded(value,
                 std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error);
}

BoundedNumber quotient(const BoundedNumber& a, const BoundedNumber& b) {
  const double value = a.value / b.value;
  const double least = std::abs(b.value) - b.error;
  if (least <= 0 && b.error > 0) return anything(value);
  if (b.value == 0 && a.error > 0 && std::abs(a.value) <= a.error) return anything(value);
  if (!std::isfinite(value) || std::isinf(b.value)) return special(value);
  return rounded(value, (a.error + std::abs(value) * b.error) / least);
}

// A NaN from a function in f32 is not guaranteed.
BoundedNumber power(const BoundedNumber& a, const BoundedNumber& b) {
  const double value = std::pow(a.value, b.value);
  if (std::isnan(value)) return anything(value);
  if (!std::isfinite(value) || !std::isfinite(a.value) || !std::isfinite(b.value))
    return a.error == 0 && b.error == 0 ? special(value) : anything(value);
  const double slope = a.value == 0 ? 0 : std::abs(b.value * value / a.value);
  const double growth = a.value > 0 ? std::abs(value * std::log(a.value)) : 0;
  return rounded(value, slope * a.error + growth * b.error, 1);
}

// A sine or cosine of `a`; large arguments have no guarantee.
BoundedNumber wave(double value, const BoundedNumber& a) {
  constexpr double kMostTurned = 0x1p20;
  if (!(std::abs(a.value) <= kMostTurned)) return anything(value);
  return rounded(value, a.error, 4);
}

// log, sqrt and rsqrt: `error` holds for arguments well above zero.
BoundedNumber of_positive(const BoundedNumber& a, double value, double error, double ulps) {
  if (a.value + a.error < 0) return special(std::nan(""));
  if (a.error > 0 && a.value - a.error <= 0) return anything(value);
  if (!std::isfinite(value) || std::isinf(a.value)) return special(value);
  return rounded(value, error, ulps);
}

BoundedNumber square_root(const BoundedNumber& a) {
  const double value = std::sqrt(a.value);
  if (std::isinf(value) || a.value + a.error < 0) return special(value);
  if (std::isnan(value)) return anything(value);  // the exact argument may be zero or more
  return rounded(value, a.error == 0 ? 0 : a.error / std::max(value, std::sqrt(a.error)));
}

}  // namespace

BoundedNumber apply(BinaryOp op, const BoundedNumber& a, const BoundedNumber& b) {
  const bool is_open = is_anything(a) || is_anything(b);
  const auto with_nan = [&](BoundedNumber result) {
    return is_open ? anything(result.value) : result;
  };
  switch (op) {
    case BinaryOp::add: return with_nan(rounded(a.value + b.value, a.error + b.error));
    case BinaryOp::sub: return with_nan(rounded(a.value - b.value, a.error + b.error));
    case BinaryOp::mul: return with_nan(product(a, b));
    case BinaryOp::div: return with_nan(quotient(a, b));
    case BinaryOp::min:
    case BinaryOp::max: {
      if (std::isnan(a.value) || std::isnan(b.value)) return with_nan(special(std::nan("")));
      const double value =
          op == BinaryOp::min ? std::min(a.value, b.value) : std::max(a.value, b.value);
      return {value, std::max(a.error, b.error)};
    }
    case BinaryOp::pow: return with_nan(power(a, b));
    case BinaryOp::less:
    case BinaryOp::less_equal:
    case BinaryOp::equal: break;
  }
  CHECK(false, "a comparison gives a truth");
}

BoundedInteger compare(BinaryOp op, const BoundedNumber& a, const BoundedNumber& b) {
  const double near = a.error + b.error;
  const bool holds = op == BinaryOp::less         ? a.value < b.value
                     : op == BinaryOp::less_equal ? a.value <= b.value
                                                  : a.value == b.value;
  return truth(holds, near == 0 || std::abs(a.value - b.value) > near);
}

BoundedNumber apply(UnaryOp op, const BoundedNumber& a) {
  if (std::isnan(a.value) || is_anything(a)) return {std::nan(""), a.error};
  switch (op) {
    case UnaryOp::exp: {
      const double value = std::exp(a.value);
      BoundedNumber result = rounded(value, value * std::expm1(a.error), 2);
      if (std::isinf(result.value)) return result;
      result.error += kLeastNormal;  // code may flush to zero
      return result;
    }
    case UnaryOp::tanh: return rounded(std::tanh(a.value), a.error, 4);
    case UnaryOp::erf: return rounded(std::erf(a.value), 1.13 * a.error, 2);
    case UnaryOp::log: return of_positive(a, std::log(a.value), a.error / (a.value - a.error), 2);
    case UnaryOp::sqrt: return square_root(a);
    case UnaryOp::rsqrt: {
      const double value = 1 / std::sqrt(a.value);
      return of_positive(a, value, value * a.error / (a.value - a.error), 1);
    }
    case UnaryOp::floor: {
      const double value = std::floor(a.value);
      const bool certain = std::floor(a.value - a.error) == std::floor(a.value + a.error);
      return {value, certain ? 0.0 : std::ceil(a.error)};
    }
    case UnaryOp::abs: return {std::abs(a.value), a.error};
    case UnaryOp::sin: return wave(std::sin(a.value), a);
    case UnaryOp::cos: return wave(std::cos(a.value), a);
    case UnaryOp::atan: return rounded(std::atan(a.value), a.error, 5);
  }
  return {};
}

namespace {

int64_t modulo_2_64(BinaryOp op, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  const uint64_t result = op == BinaryOp::add ? x + y : op == BinaryOp::sub ? x - y : x * y;
  return static_cast<int64_t>(result);
}

int64_t whole_quotient(int64_t a, int64_t b) {
  if (b == 0) return 0;
  return b == -1 ? modulo_2_64(BinaryOp::sub, 0, a) : a / b;
}

double magnitude(const BoundedInteger& a) { return std::abs(static_cast<double>(a.value)); }

// The value for comparisons, where infinite ones are infinities.
double among_all(const BoundedInteger& a) {
  return a.is_infinite ? std::copysign(kInfinity, static_cast<double>(a.value))
                       : static_cast<double>(a.value);
}

// Follows real numbers; where these have no result, any result is accepted.
BoundedInteger apply_infinite(BinaryOp op, const BoundedInteger& a, const BoundedInteger& b) {
  if (op == BinaryOp::min || op == BinaryOp::max)
    return (among_all(a) < among_all(b)) == (op == BinaryOp::min) ? a : b;
  const bool decides = (a.error > 0 || b.error > 0) && (op == BinaryOp::mul || op == BinaryOp::div);
  if (decides) return {0, kInfinity};
  if (op == BinaryOp::div && b.value == 0) return {0, 0};
  const double left = among_all(a), right = among_all(b);
  const double result = op == BinaryOp::add   ? left + right
                        : op == BinaryOp::sub ? left - right
                        : op == BinaryOp::mul ? left * right
                                              : left / right;
  if (std::isnan(result)) return {0, kInfinity};
  if (std::isinf(result)) return BoundedInteger::infinity(result < 0);
  return {0, 0};
}

// The least or greatest value of a narrower type; i64 keeps infinities.
BoundedInteger saturated(const BoundedInteger& infinite, ElementType type) {
  if (type == ElementType::i64) return infinite;
  const Reducer begun = infinite.value < 0 ? Reducer::max : Reducer::min;
  return {static_cast<int64_t>(neutral(begun, type)), 0};
}

}  // namespace

BoundedInteger BoundedInteger::infinity(bool negative) {
  using Limits = std::numeric_limits<int64_t>;
  return {negative ? Limits::min() : Limits::max(), 0, true};
}

BoundedInteger apply(BinaryOp op, const BoundedInteger& a, const BoundedInteger& b) {
  if (a.is_infinite || b.is_infinite) return apply_infinite(op, a, b);
  const double near = a.error + b.error;
  switch (op) {
    case BinaryOp::add:
    case BinaryOp::sub: return {modulo_2_64(op, a.value, b.value), near};
    case BinaryOp::mul:
      return {modulo_2_64(op, a.value, b.value),
              near == 0 ? 0 : magnitude(a) * b.error + magnitude(b) * a.error + a.error * b.error};
    case BinaryOp::div: return {whole_quotient(a.value, b.value), near == 0 ? 0 : kInfinity};
    case BinaryOp::min: return {std::min(a.value, b.value), std::max(a.error, b.error)};
    case BinaryOp::max: return {std::max(a.value, b.value), std::max(a.error, b.error)};
    default: break;
  }
  CHECK(false, "no operation of integers that gives one");
}

BoundedInteger compare(BinaryOp op, const BoundedInteger& a, const BoundedInteger& b) {
  if (a.is_infinite || b.is_infinite)
    return compare(op, BoundedNumber{among_all(a), 0}, BoundedNumber{among_all(b), 0});
  const double near = a.error + b.error;
  const bool holds = op == BinaryOp::less         ? a.value < b.value
                     : op == BinaryOp::less_equal ? a.value <= b.value
                                                  : a.value == b.value;
  const double distance = std::abs(static_cast<double>(a.value) - static_cast<double>(b.value));
  return truth(holds, near == 0 || distance > near);
}

BoundedInteger apply(UnaryOp op, const BoundedInteger& a) {
  CHECK(op == UnaryOp::abs || op == UnaryOp::floor, "a function of integers");
  if (a.is_infinite && op == UnaryOp::abs) return BoundedInteger::infinity(false);
  const bool turns = op == UnaryOp::abs && a.value < 0;
  return {turns ? modulo_2_64(BinaryOp::sub, 0, a.value) : a.value, a.error};
}

BoundedNumber stored(const BoundedNumber& a, ElementType type) {
  if (is_tf32(type) && a.error == 0)
    return {dovetail::rounded(static_cast<float>(a.value), type), 0};
  if (!is_half(type) && !is_tf32(type)) return a;
  const double least = type == ElementType::f16 ? 0x1p-25 : 0;  // half of the least subnormal
  BoundedNumber result = held(a.value, a.error, type);
  if (std::isfinite(result.value))
    result.error += std::max(roundoff_of(type) * std::abs(a.value), least);
  return result;
}

BoundedInteger stored(const BoundedInteger& a, ElementType type) {
  if (type == ElementType::boolean) {
    const bool certain = a.error == 0 || magnitude(a) > a.error;
    return truth(a.value != 0, certain);
  }
  if (a.is_infinite) return saturated(a, type);
  const int64_t value = wrapped(a.value, type);
  if (a.error == 0) return {value, 0};
  const auto fits = [&](double number) {
    return static_cast<double>(dovetail::integer_of(number, ElementType::i64)) == number &&
           wrapped(static_cast<int64_t>(number), type) == static_cast<int64_t>(number);
  };
  const auto exact = static_cast<double>(a.value);
  const bool stays = std::isfinite(a.error) && magnitude(a) + a.error < 0x1p62 &&
                     fits(std::floor(exact - a.error)) && fits(std::ceil(exact + a.error));
  return {value, stays ? a.error : kInfinity};
}

BoundedNumber real_of(const BoundedInteger& a) {
  if (a.is_infinite) return {among_all(a), 0};
  return rounded(static_cast<double>(a.value), a.error,
                 magnitude(a) > 0x1p24 ? 0.5 : 0);  // f32 holds the others
}

BoundedInteger integer_of(const BoundedNumber& a, ElementType type) {
  const int64_t value = dovetail::integer_of(a.value, type);
  if (type == ElementType::boolean)
    return truth(value != 0, a.error == 0 || std::abs(a.value) > a.error);
  if (a.error == 0) return {value, 0};
  const double low = std::trunc(a.value - a.error), high = std::trunc(a.value + a.error);
  if (!std::isfinite(low) || !std::isfinite(high)) return {value, kInfinity};
  const auto as_it_is = [&](double number) {
    return static_cast<double>(dovetail::integer_of(number, type)) == number;
  };
  if (low == high) return {value, 0};
  return {value, as_it_is(low) && as_it_is(high) ? std::ceil(a.error) : kInfinity};
}

void SumOfTerms::add(const BoundedNumber& term) {
  total_ += term.value;
  error_ += term.error;
  ++terms_;
  if (!std::isfinite(term.value)) return;
  (term.value > 0 ? above_ : below_) += std::abs(term.value);
}

BoundedNumber SumOfTerms::total() const {
  if (std::isinf(error_) || std::isnan(error_)) return anything(total_);
  const double error = error_ + bound_.error(terms_) * (above_ + below_);
  if (!std::isfinite(total_)) return special(total_);
  // If terms of both signs exceed f32 in sum, their order decides whether a part overflows.
  const bool above = std::isinf(overflowed(above_, ElementType::f32));
  const bool below = std::isinf(overflowed(below_, ElementType::f32));
  const BoundedNumber result = held(total_, error, ElementType::f32);
  if ((above || below) && (!std::isinf(result.value) || (above && below))) return anything(total_);
  return result;
}

std::optional<BoundedNumber> bounded_sum(const SumParts& parts, const SumBound& bound) {
  constexpr double kFarBelowOverflow = 0x1p126;
  const double rounding = 0.5 * kUlp * (parts.magnitude + parts.terms * kLeastNormal);
  const double error = parts.factor_error + rounding + bound.error(parts.terms) * parts.magnitude;
  if (!(parts.magnitude + error < kFarBelowOverflow)) return {};
  return BoundedNumber{parts.total, error};
}

}  // namespace dovetail
