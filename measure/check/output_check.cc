// SPDX-License-Identifier: Apache-2.0
#include "measure/check/output_check.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/ir/program/buffer_values.h"

namespace dovetail {
namespace {

constexpr double kDirectTolerance = 1e-6;
constexpr double kRoundoffs = 4;  // for a type narrower than f32, beside the largest value
constexpr double kSmallWinogradTolerance = 1e-5;  // F(2,3)
constexpr double kLargeWinogradTolerance = 1e-4;  // F(4,3)
constexpr double kTruncatedTolerance = 2e-5;      // tensor cores truncate sums where f32 rounds
constexpr double kInnerProductTolerance = 1e-4;   // covers weights far smaller than activations

Result<void> fill_buffer(const NamedArrays& inputs, const Buffer& buffer,
                         std::span<std::byte> bytes) {
  const auto given = [&](const std::string& tensor) -> Result<NDArray> {
    const auto found = inputs.find(tensor);
    if (found == inputs.end()) return fail("tensor {} is not given", tensor);
    return found->second;
  };
  const NDArray values = TRY(logical_values(buffer, given));
  const int64_t expected = logical_elements(buffer.layout);
  if (std::ssize(values) != expected)
    return fail("tensor {} has {} elements, expected {}", buffer.tensor, values.size(), expected);
  store_values(buffer, values, bytes);
  return {};
}

// "Y[0, 3, 5, 7]" for a row-major position.
std::string element_name(const std::string& tensor, std::span<const int64_t> shape,
                         size_t position) {
  std::vector<int64_t> index(shape.size());
  auto rest = static_cast<int64_t>(position);
  for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
    index[axis] = rest % shape[axis];
  return fmt::format("{}[{}]", tensor, fmt::join(index, ", "));
}

// An element as messages print it: an integer exactly, and a NaN without the sign that fmt prints.
std::string print_element(const ArrayView& values, size_t i) {
  if (computed_type(values.type()) != ComputedType::real)
    return fmt::format("{}", values.integer(i));
  const double value = values.real(i);
  return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

void note_error(double found, double expected, double scale, OutputCheck& check) {
  if (found == expected || std::isnan(expected)) return;  // infinities, too
  double error = std::abs(found - expected);
  if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
  check.max_abs_error = std::max(check.max_abs_error, error);
  check.max_rel_error = std::max(check.max_rel_error, scale > 0 ? error / scale : error);
}

struct AllowedError {
  double scale = 1;
  double error = 0;  // 0: must be equal
};

AllowedError allowed_of(const Expected& expected, size_t i, const Tolerance& tolerance) {
  const auto* reference = std::get_if<Reference>(&expected);
  if (reference == nullptr) return {};
  const bool one_scale = reference->scale.size() == 1;
  return {reference->scale[one_scale ? 0 : i], allowed_error(*reference, i, tolerance)};
}

// The element's own bound, or the tail's bound for less exact sums than that one assumes.
double allowed_behind_tail(const Reference& reference, size_t element, const Tolerance& tolerance) {
  double own = reference.errors[element];
  if (tolerance.sums > reference.tail_sums || tolerance.algorithm > 0) {
    const double entering = reference.wide_sums[element];
    const double more = entering > 0 ? tolerance.algorithm / entering : 0;
    own = std::max(own, reference.wide_errors[element] * (1 + more));
  }
  return own;
}

bool is_integer(const ArrayView& values) {
  return computed_type(values.type()) != ComputedType::real;
}

// The common case on small integers: right whatever is allowed, without a look at each element.
// Precondition: as many elements.
bool has_same_bytes(const ArrayView& found, const ArrayView& expected) {
  if (found.type() != expected.type() || found.empty()) return false;
  return std::memcmp(found.bytes().data(), expected.bytes().data(), found.bytes().size()) == 0;
}

void merge(OutputCheck own, OutputCheck& all) {
  all.max_abs_error = std::max(all.max_abs_error, own.max_abs_error);
  all.max_rel_error = std::max(all.max_rel_error, own.max_rel_error);
  all.range_error = std::max(all.range_error, own.range_error);
  if (own.status == Status::ok || all.status != Status::ok) return;
  all.status = own.status;
  all.reason = std::move(own.reason);
}

}  // namespace

Result<void> fill_inputs(const NamedArrays& inputs, const Program& program, const ArenaPlan& plan,
                         std::span<std::byte> arena) {
  poison(program, plan, arena);
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const BufferPlace& place = plan.places[b];
    if (is_input(program.buffers[b].role))
      TRY(fill_buffer(inputs, program.buffers[b], arena.subspan(place.offset, place.bytes)));
  }
  return {};
}

Tolerance tolerance_of(const Region& region, const std::optional<Algorithm>& algorithm) {
  Tolerance tolerance{kDirectTolerance};
  if (region.op && is_half(region.op->dtype))
    tolerance.sums = kRoundoffs * roundoff_of(region.op->dtype);
  if (region.op && is_tf32(region.op->math)) tolerance.sums = kTruncatedTolerance;
  if (!algorithm || std::holds_alternative<algorithm::SplitFactors>(*algorithm)) return tolerance;
  double inexact = kInnerProductTolerance;
  if (const auto* winograd = std::get_if<algorithm::Winograd>(&*algorithm))
    inexact = winograd->tile == 2 ? kSmallWinogradTolerance : kLargeWinogradTolerance;
  tolerance.sums = std::max(tolerance.sums, inexact);
  return tolerance;
}

double allowed_error(const Reference& reference, size_t element, const Tolerance& tolerance) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!reference.wide_errors.empty()) return allowed_behind_tail(reference, element, tolerance);
  if (!reference.errors.empty()) return reference.errors[element] + tolerance.algorithm;
  // An expected infinity must be found, even if a sum of finite products overflows; but where too
  // large products of both signs cancel, the result depends on the order of additions.
  if (!std::isfinite(reference.values.real(element))) return 0;
  if (!std::isfinite(reference.scale[element])) return kInfinity;
  const double epilogue = reference.epilogue_scale.empty()
                              ? 0
                              : tolerance.epilogues * reference.epilogue_scale[element];
  return tolerance.sums * reference.scale[element] + epilogue + tolerance.algorithm;
}

OutputComparison::OutputComparison(std::string tensor, std::span<const int64_t> shape,
                                   const ArrayView& found, Tolerance tolerance)
    : tensor_(std::move(tensor)),
      shape_(shape.begin(), shape.end()),
      found_(found),
      tolerance_(tolerance) {}

void OutputComparison::add(size_t first, const Expected& expected) {
  const NDArray& values = values_of(expected);
  CHECK(first + values.size() <= found_.size(), "a part of what was found");
  if (has_same_bytes(found_.subspan(first, values.size()), values)) {
    range_.add(values);
    return;
  }
  const bool whole = is_integer(values) && is_integer(found_);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto [scale, error] = allowed_of(expected, i, tolerance_);
    const bool is_same = whole && found_.integer(first + i) == values.integer(i);
    const double found = found_.real(first + i), value = values.real(i);
    range_.add(value);
    if (!is_same) note_error(found, value, scale, check_);
    // Beyond 2^53, different integers may be equal as doubles.
    const bool is_near = whole && error == 0 ? is_same : agrees(found, value, error);
    if (is_near) continue;
    if (wrong_++ > 0) continue;
    first_wrong_ = fmt::format("{} is {}, expected {}{}", element_name(tensor_, shape_, first + i),
                               print_element(found_, first + i), print_element(values, i),
                               error > 0 ? fmt::format(" to within {:.3g}", error) : "");
  }
}

OutputCheck OutputComparison::result() const {
  OutputCheck result = check_;
  result.range_error = range_.relative(check_.max_abs_error);
  if (wrong_ == 0) return result;
  result.status = Status::wrong_output;
  result.reason =
      fmt::format("{}; {} of {} elements are wrong", first_wrong_, wrong_, found_.size());
  return result;
}

OutputCheck compare_output(const std::string& tensor, std::span<const int64_t> shape,
                           const ArrayView& found, const Expected& expected,
                           const Tolerance& tolerance) {
  const size_t elements = values_of(expected).size();
  if (found.size() != elements) {
    return {
        .status = Status::wrong_output,
        .reason = fmt::format("{} has {} elements, expected {}", tensor, found.size(), elements)};
  }
  OutputComparison comparison(tensor, shape, found, tolerance);
  comparison.add(0, expected);
  return comparison.result();
}

OutputCheck check_output(const CheckData& data, const Program& program, const ArenaPlan& plan,
                         std::span<const std::byte> arena,
                         const std::optional<Algorithm>& algorithm) {
  if (const auto breach = find_breach(program, plan, arena))
    return {.status = Status::out_of_bounds, .reason = *breach};
  Tolerance tolerance = tolerance_of(data.region, algorithm);
  if (data.numbers)
    tolerance.algorithm = explained_error(data.region, algorithm, data.numbers->sizes);
  OutputCheck check;
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const Buffer& buffer = program.buffers[b];
    if (buffer.role != BufferRole::output) continue;
    const auto expected = data.expected.find(buffer.tensor);
    CHECK(expected != data.expected.end(), "an output that the region does not have");
    const BufferPlace& place = plan.places[b];
    merge(compare_output(buffer.name, extents_of(buffer.layout.logical),
                         load_values(buffer, arena.subspan(place.offset, place.bytes)),
                         expected->second, tolerance),
          check);
  }
  return check;
}

}  // namespace dovetail
