// SPDX-License-Identifier: Apache-2.0
#include "measure/output_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/ir/program/buffer_values.h"

namespace dovetail {
namespace {

constexpr double kDirectTolerance = 1e-6;
constexpr double kHalfTolerance = 2e-3;
constexpr double kSmallWinogradTolerance = 1e-5;  // F(2,3)
constexpr double kLargeWinogradTolerance = 1e-4;  // F(4,3)
constexpr double kEpilogueTolerance = 4e-6;

std::optional<Operand> operand_of(const std::string& tensor) {
  if (tensor == "X") return Operand::input;
  if (tensor == "W") return Operand::weight;
  if (tensor == "bias") return Operand::bias;
  if (tensor == "add") return Operand::addend;
  return std::nullopt;
}

Result<std::span<const float>> values_of(const CheckData& data, const std::string& buffer,
                                         const std::string& tensor) {
  if (const std::optional<Operand> operand = operand_of(tensor)) return data.operands.of(*operand);
  return fail(fmt::format("buffer {} holds tensor {}, which is no operand of {}", buffer, tensor,
                          print(data.op)));
}

Result<void> fill_buffer(const CheckData& data, const Buffer& buffer, const BufferPlace& place,
                         std::span<std::byte> arena) {
  const LogicalValues values = TRY(logical_values(
      buffer, [&](const std::string& tensor) { return values_of(data, buffer.name, tensor); }));
  if (static_cast<int64_t>(values.all.size()) != logical_elements(buffer.layout)) {
    return fail(fmt::format("buffer {} has {} logical elements, tensor {} of {} has {}",
                            buffer.name, logical_elements(buffer.layout), buffer.tensor,
                            print(data.op), values.all.size()));
  }
  store_values(buffer, values.all, arena.subspan(place.offset, place.bytes));
  return {};
}

Result<void> check_output_size(const CheckData& data, const Buffer& buffer) {
  const int64_t expected = num_elements(logical_shape(data.op, Operand::output));
  if (logical_elements(buffer.layout) == expected) return {};
  return fail(fmt::format("output buffer {} has {} logical elements, the output of {} has {}",
                          buffer.name, logical_elements(buffer.layout), print(data.op), expected));
}

// "Y[0, 3, 5, 7]" for a row-major position.
std::string element_name(const Buffer& buffer, size_t position) {
  std::vector<int64_t> index(buffer.layout.logical.size());
  auto rest = static_cast<int64_t>(position);
  for (size_t axis = index.size(); axis-- > 0;) {
    index[axis] = rest % buffer.layout.logical[axis].extent;
    rest /= buffer.layout.logical[axis].extent;
  }
  return fmt::format("{}[{}]", buffer.name, fmt::join(index, ", "));
}

std::string print_value(double value) {
  return std::isnan(value) ? "NaN" : fmt::format("{}", value);  // fmt prints the sign of a NaN
}

// Collects what differs.
class Mismatches {
 public:
  void add(size_t position, double found, double expected) {
    if (count_++ == 0) {
      position_ = position;
      found_ = found;
      expected_ = expected;
    }
  }
  std::string describe(const Buffer& buffer, size_t elements) const {
    return fmt::format("{} is {}, expected {}; {} of {} elements are wrong",
                       element_name(buffer, position_), print_value(found_), expected_, count_,
                       elements);
  }
  bool any() const { return count_ > 0; }

 private:
  size_t count_ = 0;
  size_t position_ = 0;
  double found_ = 0;
  double expected_ = 0;
};

void note_error(double error, double scale, OutputCheck& check) {
  if (!(error >= 0)) error = std::numeric_limits<double>::infinity();  // NaN
  check.max_abs_error = std::max(check.max_abs_error, error);
  if (error > 0) check.max_rel_error = std::max(check.max_rel_error, error / scale);
}

Mismatches compare_exactly(const std::vector<float>& output, const std::vector<float>& expected,
                           OutputCheck& check) {
  Mismatches mismatches;
  for (size_t i = 0; i < output.size(); ++i) {
    if (output[i] == expected[i]) continue;
    mismatches.add(i, output[i], expected[i]);
    note_error(std::fabs(double{output[i]} - expected[i]), 1, check);
  }
  return mismatches;
}

Mismatches compare_closely(double tolerance, const std::vector<float>& output,
                           const Reference& reference, OutputCheck& check) {
  Mismatches mismatches;
  for (size_t i = 0; i < output.size(); ++i) {
    const double error = std::fabs(output[i] - reference.values[i]);
    note_error(error, reference.scale[i], check);
    if (!(error <= allowed_error(reference, i, tolerance))) {
      mismatches.add(i, output[i], reference.values[i]);
    }
  }
  return mismatches;
}

}  // namespace

std::shared_ptr<const CheckData> CheckData::make(const Operator& op, DataKind kind, uint64_t seed) {
  const bool exact = kind == DataKind::small_integers && is_exact_on_integers(op);
  auto data = std::make_shared<CheckData>();
  data->op = op;
  data->operands = make_operands(op, exact ? DataKind::small_integers : DataKind::real, seed);
  if (exact) {
    data->expected = exact_reference(op, data->operands);
  } else {
    data->expected = compute_reference(op, data->operands);
  }
  return data;
}

Result<void> fill_operands(const CheckData& data, const Program& program, const ArenaPlan& plan,
                           std::span<std::byte> arena) {
  poison(program, plan, arena);
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const Buffer& buffer = program.buffers[b];
    if (buffer.role == BufferRole::output) TRY(check_output_size(data, buffer));
    if (!is_input(buffer.role)) continue;
    TRY(fill_buffer(data, buffer, plan.places[b], arena));
  }
  return {};
}

double sum_tolerance(const Operator& op, const std::optional<algorithm::Winograd>& algorithm) {
  double tolerance = op.dtype == ElementType::f16 ? kHalfTolerance : kDirectTolerance;
  if (!algorithm) return tolerance;
  return std::max(tolerance,
                  algorithm->tile == 2 ? kSmallWinogradTolerance : kLargeWinogradTolerance);
}

double allowed_error(const Reference& reference, size_t element, double sum_tolerance) {
  const double epilogue =
      reference.epilogue_scale.empty() ? 0 : kEpilogueTolerance * reference.epilogue_scale[element];
  return sum_tolerance * reference.scale[element] + epilogue;
}

OutputCheck check_output(const CheckData& data, const Program& program, const ArenaPlan& plan,
                         std::span<const std::byte> arena,
                         const std::optional<algorithm::Winograd>& algorithm) {
  OutputCheck check;
  if (const auto breach = find_breach(program, plan, arena)) {
    return {.status = Status::out_of_bounds, .reason = *breach};
  }
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const Buffer& buffer = program.buffers[b];
    if (buffer.role != BufferRole::output) continue;
    const BufferPlace& place = plan.places[b];
    const std::vector<float> output = load_values(buffer, arena.subspan(place.offset, place.bytes));
    const auto* exact = std::get_if<std::vector<float>>(&data.expected);
    const Mismatches mismatches = exact != nullptr
                                      ? compare_exactly(output, *exact, check)
                                      : compare_closely(sum_tolerance(data.op, algorithm), output,
                                                        std::get<Reference>(data.expected), check);
    if (!mismatches.any()) continue;
    check.status = Status::wrong_output;
    check.reason = mismatches.describe(buffer, output.size());
  }
  return check;
}

}  // namespace dovetail
