// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts of a record's trace taken from its text: a log of thousands is joined and counted without
// parsing traces.
//
//   "algorithm: winograd(tile=2)\nlayout X: …"      recorded_algorithm: winograd
//   "layout X: …\nloops c2d: …"                     recorded_algorithm: empty, the direct one

#include <string>
#include <string_view>

namespace dovetail {

// The algorithm's name without parameters; empty for the direct algorithm, the only one that rounds
// as the definition's sum does.
std::string_view recorded_algorithm(std::string_view trace);

// The algorithm with its parameters, and the stages and tensors that have lines. Traces with
// different memory for constants differ in it.
std::string way_of(std::string_view trace);

}  // namespace dovetail
