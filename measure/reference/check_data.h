// SPDX-License-Identifier: Apache-2.0
#pragma once

// CheckData: what a region's candidates compute on, and what must come out.
//
//   const auto data = CheckData::make(region, DataKind::small_integers, seed);   // once a task
//   data->inputs.at("X")       in logical order
//   data->expected.at("Y")     the very numbers, or numbers with what they may be off
//
// An operator is computed by plain loops over its fields (measure/reference/reference.h), a written
// region by evaluating it as it stands (measure/reference/region_reference.h): neither knows
// anything of how programs are made. Small integers make an operator's sums exact; where something
// rounds all the same (f16, exp, tanh), and for written regions, numbers are real.

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/region/region.h"
#include "measure/reference/operands.h"
#include "measure/reference/reference.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

// The elements of one tensor, in logical order: exact, or with a tolerance.
using Expected = std::variant<std::vector<float>, Reference>;
using ExpectedOutputs = std::map<std::string, Expected, std::less<>>;

// The same for one seed on every machine. Real operands of an operator keep its sums around 1.
RegionInputs make_inputs(const Region& region, DataKind kind, uint64_t seed);

// What any inputs give, with a tolerance.
ExpectedOutputs expected_outputs(const Region& region, const RegionInputs& inputs);

// The inputs of an operator as its reference and its peers take them.
Operands operands_of(RegionInputs inputs);

// The data that a region is checked on where `wanted` is asked for: small integers where they give
// exact results, else real numbers.
DataKind data_kind_of(const Region& region, DataKind wanted);

struct CheckData {
  Region region;
  RegionInputs inputs;
  ExpectedOutputs expected;

  // The inputs are those of data_kind_of(region, kind).
  static std::shared_ptr<const CheckData> make(const Region& region, DataKind kind, uint64_t seed);
};

}  // namespace dovetail
