// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a record's trace says as text: a log of thousands is joined and counted without parsing any.
//
//   "algorithm: winograd(tile=2)\nlayout X: …"      recorded_algorithm: winograd
//   "layout X: …\nloops c2d: …"                     recorded_algorithm: empty, the direct one

#include <string>
#include <string_view>

namespace dovetail {

// Without its parameters; empty for a direct one, which alone rounds as the definition's sum does.
std::string_view recorded_algorithm(std::string_view trace);

// The algorithm with its parameters, and which stages and tensors have lines. Traces that differ in
// what their constants take differ in it.
std::string way_of(std::string_view trace);

}  // namespace dovetail
