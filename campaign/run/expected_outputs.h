// SPDX-License-Identifier: Apache-2.0
#pragma once

// ExpectedOutputs: what a region's outputs must be for given inputs, and how far a run is from it.
//
//   const ExpectedOutputs expected = expected_outputs(region, trace, inputs);
//   const OutputErrors errors = compare("Y", shape, found, expected.at("Y"));
//   errors.reason       empty, or "Y[0, 3] is 12, expected 14 to within 1e-05; 17 of 200 are wrong"
//
// An operator is judged by the reference and the tolerance that campaigns judge candidates by
// (measure/output_check.h), or by what long sums of one sign may be off, as a user's numbers may
// all be positive (measure/reference/summation_error.h); a written region by its evaluator
// (measure/reference/region_reference.h). Both compute in double and know nothing of how the
// program was made.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

struct ExpectedOutput {
  std::vector<double> values;
  std::vector<double> errors;  // that each may have
  std::vector<double> scale;   // of an operator: sum |x * w| of each. Of a region one: its largest
};
using ExpectedOutputs = std::map<std::string, ExpectedOutput, std::less<>>;

// `trace`: its algorithm decides how exact an operator's sums are.
ExpectedOutputs expected_outputs(const Region& region, const Trace& trace,
                                 const RegionInputs& inputs);

struct OutputErrors {
  double max_abs_error = 0;
  double max_rel_error = 0;  // |y - expected| / scale
  std::string reason = {};   // empty: all elements are within the bound
};

OutputErrors compare(const std::string& name, const std::vector<int64_t>& shape,
                     std::span<const float> found, const ExpectedOutput& expected);

}  // namespace dovetail
