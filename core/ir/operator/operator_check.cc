// SPDX-License-Identifier: Apache-2.0
//
// Checks the validity of operators, and makes them canonical.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/fail.h"
#include "core/ir/operator/operator.h"

namespace dovetail {
namespace {

size_t rank_of(OperatorKind kind) {
  // c1d c2d c3d, grp dil dep, t2d t3d, gmm, custom: the order of the enumeration.
  constexpr std::array<size_t, 10> kAxes = {1, 2, 3, 2, 2, 2, 2, 3, 0, 0};
  return kAxes[static_cast<size_t>(kind)];
}

// A kind's name for messages while the operator is not canonical yet.
Result<void> check_number(const Operator& op, std::string_view key, int64_t value, int64_t least) {
  if (value >= least && value <= kMaxSpecNumber) return {};
  return fail("key {} of {} is {}; expected a whole number from {} to {}", key, name_of(op.kind),
              value, least, kMaxSpecNumber);
}

Result<void> check_axis_numbers(const Operator& op, const SpatialAxis& axis) {
  TRY(check_number(op, axis.name, axis.extent, 1));
  TRY(check_number(op, "k", axis.kernel, 1));
  TRY(check_number(op, "s", axis.stride, 1));
  TRY(check_number(op, "p", axis.pad_before, 0));
  TRY(check_number(op, "p", axis.pad_after, 0));
  TRY(check_number(op, "op", axis.output_padding, 0));
  TRY(check_number(op, "d", axis.dilation, 1));
  return {};
}

Result<void> check_direct_axis(const Operator& op, const SpatialAxis& axis) {
  if (axis.output_padding != 0)
    return fail("key op of {} is {}; expected 0, output padding is for t2d and t3d only",
                name_of(op.kind), axis.output_padding);
  const int64_t padded = axis.extent + axis.pad_before + axis.pad_after;
  if (output_extent(axis, false) >= 1) return {};
  return fail(
      "key k of {}: kernel {} with dilation {} spans {} elements of axis {}; expected "
      "at most {}, its "
      "extent {} with padding {}:{}",
      name_of(op.kind), axis.kernel, axis.dilation, window_extent(axis), axis.name, padded,
      axis.extent, axis.pad_before, axis.pad_after);
}

Result<void> check_transposed_axis(const Operator& op, const SpatialAxis& axis) {
  const int64_t limit = std::max(axis.stride, axis.dilation);
  if (axis.output_padding >= limit)
    return fail(
        "key op of {} is {} on axis {}; expected less than {}, the larger of stride {} and "
        "dilation {}",
        name_of(op.kind), axis.output_padding, axis.name, limit, axis.stride, axis.dilation);
  if (output_extent(axis, true) >= 1) return {};
  return fail(
      "key p of {} is {}:{} and crops axis {} to {} outputs; expected at least 1 of {} to remain",
      name_of(op.kind), axis.pad_before, axis.pad_after, axis.name, output_extent(axis, true),
      output_extent(axis, true) + axis.pad_before + axis.pad_after);
}

Result<void> check_channels(const Operator& op) {
  const bool depthwise = op.kind == OperatorKind::dep;
  if (depthwise) {
    TRY(check_number(op, "c", op.in_channels, 1));
    if (op.groups != op.in_channels)
      return fail("dep has {} groups and {} channels; expected as many groups as channels",
                  op.groups, op.in_channels);
    if (op.out_channels >= op.groups && op.out_channels % op.groups == 0)
      return check_number(op, "c times m", op.out_channels, 1);
    return fail("dep has {} output channels; expected a multiple of its {} channels",
                op.out_channels, op.groups);
  }
  TRY(check_number(op, "ci", op.in_channels, 1));
  TRY(check_number(op, "co", op.out_channels, 1));
  TRY(check_number(op, "g", op.groups, 1));
  if (op.in_channels % op.groups != 0)
    return fail("key g of {} is {}; expected a divisor of ci={}", name_of(op.kind), op.groups,
                op.in_channels);
  if (op.out_channels % op.groups != 0)
    return fail("key g of {} is {}; expected a divisor of co={}", name_of(op.kind), op.groups,
                op.out_channels);
  return {};
}

Result<void> check_convolution(const Operator& op) {
  constexpr std::string_view kAxisNames[] = {"depth", "h", "w"};
  const size_t rank = rank_of(op.kind);
  if (op.spatial.size() != rank)
    return fail("{} has {} spatial axes; expected {}", name_of(op.kind), op.spatial.size(), rank);
  TRY(check_number(op, "n", op.batch, 1));
  TRY(check_channels(op));
  for (size_t i = 0; i < rank; ++i) {
    const SpatialAxis& axis = op.spatial[i];
    const std::string_view expected = kAxisNames[3 - rank + i];
    if (axis.name != expected)
      return fail("spatial axis {} of {} is named \"{}\"; expected {}", i, name_of(op.kind),
                  axis.name, expected);
    TRY(check_axis_numbers(op, axis));
    TRY(is_transposed(op.kind) ? check_transposed_axis(op, axis) : check_direct_axis(op, axis));
  }
  return {};
}

Result<void> check_matrix_product(const Operator& op) {
  if (!op.spatial.empty()) return fail("gmm has {} spatial axes; expected none", op.spatial.size());
  TRY(check_number(op, "b", op.batch, 1));
  TRY(check_number(op, "m", op.m, 1));
  TRY(check_number(op, "n", op.n, 1));
  TRY(check_number(op, "k", op.k, 1));
  return {};
}

Result<void> check_size(const Operator& op, std::string_view what,
                        const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) {
    if (extent > kMaxTensorElements / count)
      return fail("the {} of {} has shape {}; expected at most 2^40 elements", what,
                  name_of(op.kind), fmt::join(shape, "x"));
    count *= extent;
  }
  return {};
}

Result<void> check_sizes(const Operator& op) {
  for (const Operand operand : {Operand::input, Operand::weight, Operand::output})
    TRY(check_size(op, name_of(operand), logical_shape(op, operand)));
  if (op.spatial.empty()) return {};
  // The padded input (transposed: the output before cropping), which a padding stage stores.
  const bool transposed = is_transposed(op.kind);
  std::vector<int64_t> padded = logical_shape(op, transposed ? Operand::output : Operand::input);
  for (size_t i = 0; i < op.spatial.size(); ++i)
    padded[2 + i] += op.spatial[i].pad_before + op.spatial[i].pad_after;
  return check_size(op, transposed ? "uncropped output" : "padded input", padded);
}

Result<void> check_epilogues(const Operator& op) {
  if (op.epilogues.size() > kMaxEpilogues)
    return fail("{} has {} epilogues; expected at most {}", name_of(op.kind), op.epilogues.size(),
                kMaxEpilogues);
  for (const EpilogueKind once : {EpilogueKind::bias, EpilogueKind::add}) {
    const auto count = std::ranges::count(op.epilogues, once, &Epilogue::kind);
    if (count > 1)
      return fail("epilogue {} is given {} times; expected at most once", print(Epilogue{once}),
                  count);
  }
  for (const Epilogue& epilogue : op.epilogues) {
    if (epilogue.kind != EpilogueKind::clip) continue;
    const bool finite = std::isfinite(epilogue.lo) && std::isfinite(epilogue.hi);
    if (!finite || epilogue.lo > epilogue.hi)
      return fail("epilogue {}: expected finite bounds, the first not above the second",
                  print(epilogue));
  }
  return {};
}

Result<void> check_math(const Operator& op) {
  if (op.math == ElementType::f32 || op.dtype == ElementType::f32) return {};
  return fail("key math is {} and dtype {}; expected dtype=f32 beside it", name_of(op.math),
              name_of(op.dtype));
}

OperatorKind canonical_kind(const Operator& op) {
  if (rank_of(op.kind) != 2 || is_transposed(op.kind)) return op.kind;
  if (op.groups > 1) return op.groups == op.in_channels ? OperatorKind::dep : OperatorKind::grp;
  const bool dilated =
      std::ranges::any_of(op.spatial, [](const SpatialAxis& axis) { return axis.dilation > 1; });
  return dilated ? OperatorKind::dil : OperatorKind::c2d;
}

Epilogue canonical_epilogue(const Epilogue& epilogue) {
  if (epilogue.kind != EpilogueKind::clip) return Epilogue{epilogue.kind};
  if (epilogue.lo == 0 && epilogue.hi == 6) return Epilogue{EpilogueKind::relu6};
  return Epilogue{EpilogueKind::clip, epilogue.lo + 0.0, epilogue.hi + 0.0};  // -0 becomes 0
}

// Turns the start of the tail into named epilogues where possible, and canonicalises the rest.
Result<Operator> with_canonical_tail(Operator op) {
  if (!op.tail) return op;
  TRY(check_tail(op, *op.tail));
  op.tail = canonical_tail(*op.tail).tail;
  op = with_named_epilogues(std::move(op));
  if (op.tail) op.tail = canonical_tail(*op.tail).tail;
  std::ranges::transform(op.epilogues, op.epilogues.begin(), canonical_epilogue);
  return op;
}

Result<Operator> canonical_sum(Operator op) {
  if (!op.sum) return fail("custom has no sum; expected one");
  TRY(check_written_sum(*op.sum));
  op.spatial.clear();
  TRY(check_sizes(op));
  TRY(check_math(op));
  TRY(check_epilogues(op));
  if (has_epilogue(op, EpilogueKind::bias) && bias_axis(*op.sum) < 0)
    return fail("epilogue bias has no axis; expected an output axis that W has and X has not");
  Operator result;
  result.kind = OperatorKind::custom;
  result.sum = std::move(op.sum);
  result.dtype = op.dtype;
  result.math = op.math;
  std::ranges::transform(op.epilogues, std::back_inserter(result.epilogues), canonical_epilogue);
  result.tail = std::move(op.tail);
  return with_canonical_tail(std::move(result));
}

}  // namespace

Result<Operator> canonical(Operator op) {
  if (op.kind == OperatorKind::custom) return canonical_sum(std::move(op));
  op.sum.reset();
  const bool matrix = is_matrix_product(op.kind);
  TRY(matrix ? check_matrix_product(op) : check_convolution(op));
  TRY(check_sizes(op));
  TRY(check_math(op));
  TRY(check_epilogues(op));
  op.kind = canonical_kind(op);
  const Operator defaults;
  if (matrix) {
    op.in_channels = defaults.in_channels;
    op.out_channels = defaults.out_channels;
    op.groups = defaults.groups;
  } else {
    op.m = op.n = op.k = 0;
    op.transpose_a = op.transpose_b = false;
    op.b_const = true;
  }
  std::ranges::transform(op.epilogues, op.epilogues.begin(), canonical_epilogue);
  return with_canonical_tail(std::move(op));
}

}  // namespace dovetail
