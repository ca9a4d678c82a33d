// SPDX-License-Identifier: Apache-2.0
#include "core/ir/interpreter/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/ir/interpreter/interpreter_code.h"
#include "core/ir/interpreter/phases.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {
namespace interpreter {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A NaN operand gives NaN, unlike std::fmax: relu must not hide a read of what nobody wrote.
double exact(BinaryOp op, double a, double b, bool whole) {
  switch (op) {
    case BinaryOp::add: return a + b;
    case BinaryOp::sub: return a - b;
    case BinaryOp::mul: return a * b;
    case BinaryOp::div: return whole ? std::trunc(a / b) : a / b;
    case BinaryOp::min: return std::isnan(a) || a < b ? a : b;
    case BinaryOp::max: return std::isnan(a) || a > b ? a : b;
    case BinaryOp::pow: return std::pow(static_cast<float>(a), static_cast<float>(b));
    case BinaryOp::less: return a < b ? 1 : 0;
    case BinaryOp::less_equal: return a <= b ? 1 : 0;
    case BinaryOp::equal: return a == b ? 1 : 0;
  }
  return kNaN;
}

// Rounding a double's sum, product or quotient of f32 numbers to f32 gives what f32 arithmetic
// gives: a double has more than twice the digits.
double apply(BinaryOp op, double a, double b, ComputedType type) {
  return rounded(type, exact(op, a, b, type == ComputedType::integer));
}

float apply(UnaryOp op, float a) {
  switch (op) {
    case UnaryOp::exp: return std::exp(a);
    case UnaryOp::tanh: return std::tanh(a);
    case UnaryOp::erf: return std::erf(a);
    case UnaryOp::log: return std::log(a);
    case UnaryOp::sqrt: return std::sqrt(a);
    case UnaryOp::rsqrt: return 1 / std::sqrt(a);
    case UnaryOp::floor: return std::floor(a);
    case UnaryOp::abs: return std::abs(a);
    case UnaryOp::sin: return std::sin(a);
    case UnaryOp::cos: return std::cos(a);
    case UnaryOp::atan: return std::atan(a);
  }
  return std::numeric_limits<float>::quiet_NaN();
}

double apply(UnaryOp op, double a, ComputedType type) {
  if (type == ComputedType::integer && op == UnaryOp::abs) return std::abs(a);
  return apply(op, static_cast<float>(a));
}

// A NaN stays one, so that a read of what no kernel wrote shows.
double as_stored(ElementType type, double a) {
  if (computed_type(type) == ComputedType::real) return rounded(static_cast<float>(a), type);
  return std::isnan(a) ? a : static_cast<double>(integer_of(a, type));
}

// Keeps, in an integer buffer, the infinity that a max or min starts from: it is beyond all
// integers.
double stored(ElementType type, double a) {
  const bool begins = computed_type(type) == ComputedType::integer && std::isinf(a);
  return begins ? a : as_stored(type, a);
}

class Machine {
 public:
  explicit Machine(const Code& code) : code_(code), variables_(code.variables.size(), 0) {}

  // The first breach, or nothing.
  std::optional<std::string> run() {
    run(code_.steps);
    return breach_;
  }

 private:
  void run(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      run(step);
      if (breach_) return;
    }
  }

  void run(const Step& step) {
    switch (step.kind) {
      case StepKind::loop:
        if (step.gathers) return run_chosen(step);
        for (int64_t i = 0; i < step.extent && !breach_; ++i) {
          variables_[static_cast<size_t>(step.slot)] = i;
          if (holds(step.bounds)) run(step.body);
        }
        return;
      case StepKind::registers: std::ranges::fill(step.registers->defined, uint8_t{0}); return;
      case StepKind::barrier: return;
      case StepKind::store: return store(step);
      case StepKind::multiply_add_loop: return multiply_add(step);
    }
  }

  void run_chosen(const Step& step) {
    const double named = value(step.value);
    if (breach_) return;
    const auto last = static_cast<double>(step.extent - 1);
    variables_[static_cast<size_t>(step.slot)] =
        std::isnan(named) ? 0 : static_cast<int64_t>(std::clamp(named, 0.0, last));
    run(step.body);
  }

  void store(const Step& step) {
    double result = value(step.value);
    if (breach_) return;
    const int64_t at = element(step.target);
    if (breach_) return;
    if (step.reducer != Reducer::none)
      result = apply(operation_of(step.reducer), read(step.target, at), result,
                     computed_type(step.target.type));
    result = stored(step.target.type, result);
    step.target.elements[at] = result;
    if (step.target.defined != nullptr) step.target.defined[at] = 1;
  }

  void multiply_add(const Step& step) {
    variables_[static_cast<size_t>(step.slot)] = 0;
    const int64_t* variables = variables_.data();
    const ValueCode& factors = code_.values[static_cast<size_t>(step.value)];
    const Place& first = code_.values[static_cast<size_t>(factors.first)].place;
    const Place& second = code_.values[static_cast<size_t>(factors.second)].place;
    const int64_t at = evaluate(step.target.flat, variables);
    if (step.target.defined != nullptr) {
      for (int64_t i = 0; i < step.extent && !breach_; ++i) {
        variables_[static_cast<size_t>(step.slot)] = i;
        read(step.target, at + i * step.target_stride);
      }
      if (breach_) return;
    }
    double* target = step.target.elements + at;
    variables_[static_cast<size_t>(step.slot)] = 0;
    const double* a = first.elements + evaluate(first.flat, variables);
    const double* b = second.elements + evaluate(second.flat, variables);
    for (int64_t i = 0; i < step.extent; ++i) {
      double& sum = target[i * step.target_stride];
      const double product = a[i * step.first_stride] * b[i * step.second_stride];
      sum = static_cast<float>(sum + static_cast<double>(static_cast<float>(product)));
    }
  }

  // Offset of the element that an access means; a breach when it is outside.
  int64_t element(const Place& place) {
    if (place.proven) return evaluate(place.flat, variables_.data());
    int64_t flat = 0;
    for (size_t d = 0; d < place.indices.size(); ++d) {
      const int64_t at = evaluate(place.indices[d], variables_.data());
      if (at < 0 || at >= place.extents[d]) {
        breach(place, fmt::format("index {} of axis {} is {}, expected 0..{}",
                                  print(place.source[d]), d, at, place.extents[d] - 1));
        return 0;
      }
      flat = flat * place.extents[d] + at;
    }
    return flat;
  }

  double read(const Place& place, int64_t at) {
    if (place.defined != nullptr && place.defined[at] == 0) {
      breach(place,
             fmt::format("element {} of tile {} is read before it is stored to", at, place.name));
      return kNaN;
    }
    return place.elements[at];
  }

  double value(int number) {
    const ValueCode& code = code_.values[static_cast<size_t>(number)];
    switch (code.kind) {
      case ValueKind::constant: return code.constant;
      case ValueKind::load: {
        const int64_t at = element(code.place);
        return breach_ ? kNaN : read(code.place, at);
      }
      case ValueKind::binary: {
        const double left = value(code.first);
        return apply(static_cast<BinaryOp>(code.op), left, value(code.second), code.type);
      }
      case ValueKind::unary:
        return apply(static_cast<UnaryOp>(code.op), value(code.first), code.type);
      case ValueKind::select: return value(holds(code.bounds) ? code.first : code.second);
      case ValueKind::index: return static_cast<double>(evaluate(code.index, variables_.data()));
      case ValueKind::choose: {
        const double condition = value(code.first), then = value(code.second);
        const double otherwise = value(code.third);
        return condition != 0 ? then : otherwise;
      }
      case ValueKind::cast: return as_stored(code.cast, value(code.first));
    }
    return kNaN;
  }

  bool holds(const std::vector<BoundCode>& bounds) const {
    for (const BoundCode& bound : bounds) {
      const int64_t at = evaluate(bound.index, variables_.data());
      if (at < bound.lower || at >= bound.upper) return false;
    }
    return true;
  }

  // The first one counts: later ones may follow from it.
  void breach(const Place& place, const std::string& what) {
    if (breach_) return;
    std::string indices;
    for (const IndexExpr& e : place.source) indices += (indices.empty() ? "" : ", ") + print(e);
    std::string values;
    for (const auto& [name, slot] : place.variables) {
      values += fmt::format("{}{}={}", values.empty() ? "; " : ", ", name,
                            variables_[static_cast<size_t>(slot)]);
    }
    breach_ =
        fmt::format("kernel {}: {}[{}]: {}{}", code_.kernel, place.name, indices, what, values);
  }

  const Code& code_;
  std::vector<int64_t> variables_;
  std::optional<std::string> breach_;
};

}  // namespace
}  // namespace interpreter

namespace {

constexpr int64_t kMaxTemporaryElements = int64_t{1} << 31;

// Temporaries are made here; the caller brings the others.
Result<void> prepare(const Buffer& buffer, BufferNumbers& numbers) {
  const int64_t elements = storage_elements(buffer.layout);
  if (buffer.role == BufferRole::temporary || buffer.role == BufferRole::prepared) {
    if (elements > kMaxTemporaryElements)
      return fail(fmt::format("temporary {} has {} elements, expected at most 2^31", buffer.name,
                              elements));
    numbers[buffer.name].assign(static_cast<size_t>(elements), interpreter::kNaN);
    return {};
  }
  const auto found = numbers.find(buffer.name);
  if (found == numbers.end()) return fail(fmt::format("buffer {} is not given", buffer.name));
  if (found->second.size() != static_cast<size_t>(elements))
    return fail(fmt::format("buffer {} has {} elements, expected {}", buffer.name,
                            found->second.size(), elements));
  return {};
}

}  // namespace

Result<void> interpret_kernel(const Program& program, const Kernel& kernel,
                              BufferNumbers& numbers) {
  const Kernel phases = in_phases(kernel);
  const interpreter::Code code = TRY(interpreter::compile(program, phases, numbers));
  if (auto breach = interpreter::Machine(code).run()) return fail(std::move(*breach));
  return {};
}

Result<void> interpret(const Program& program, BufferNumbers& numbers) {
  for (const Buffer& buffer : program.buffers) TRY(prepare(buffer, numbers));
  for (const Kernel& kernel : program.kernels) TRY(interpret_kernel(program, kernel, numbers));
  return {};
}

}  // namespace dovetail
