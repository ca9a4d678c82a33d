// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks whether a candidate computed what its operator means.
//
//   const auto data = CheckData::make(op, DataKind::small_integers, seed);   // once a task
//   fill_operands(*data, program, plan, arena);      // packed by each buffer's layout
//   ... the worker runs the program ...
//   const OutputCheck check = check_output(*data, program, plan, arena);
//   check.status                                     // ok, wrong_output or out_of_bounds
//
// On small integers every sum is exact, so a right output is equal to the reference, whatever the
// order of additions. Where something rounds (real data, f16, an epilogue with exp, tanh or erf):
//
//   |y - ref| <= c * scale + e * epilogue_scale      c = 1e-6 (f16: 2e-3), e = 4e-6
//                                                    c = 1e-5 Winograd F(2,3), 1e-4 F(4,3)
//
// with scale = sum |x * w| + |bias| + |addend|, and epilogue_scale = 1 + |what enters the
// epilogue|, because the polynomials in the kernels are right to some 1e-6 of that.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/operator.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/trace.h"
#include "core/record/line/measure_result.h"
#include "measure/arena_plan.h"
#include "measure/reference/operands.h"
#include "measure/reference/reference.h"

namespace dovetail {

// Operands of a task and what must come out.
struct CheckData {
  Operator op;
  Operands operands;
  std::variant<std::vector<float>, Reference> expected;  // exact, or with a tolerance

  // small_integers for an operator that rounds becomes real.
  static std::shared_ptr<const CheckData> make(const Operator& op, DataKind kind, uint64_t seed);
};

// Poisons the arena, then packs the operands into it. The error names a buffer that no operand
// fills.
Result<void> fill_operands(const CheckData& data, const Program& program, const ArenaPlan& plan,
                           std::span<std::byte> arena);

struct OutputCheck {
  Status status = Status::ok;
  std::string reason = {};  // "Y[0, 3, 5, 7] is 12, expected 14; 17 of 200704 elements are wrong"
  double max_abs_error = 0;
  double max_rel_error = 0;  // |y - ref| / scale
};

// c above.
double sum_tolerance(const Operator& op, const std::optional<algorithm::Winograd>& algorithm);

// What |y - ref| of one element may be on real data: the formula above.
double allowed_error(const Reference& reference, size_t element, double sum_tolerance);

// A program of an inexact algorithm is to be given real data.
OutputCheck check_output(const CheckData& data, const Program& program, const ArenaPlan& plan,
                         std::span<const std::byte> arena,
                         const std::optional<algorithm::Winograd>& algorithm = {});

}  // namespace dovetail
