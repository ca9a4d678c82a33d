// SPDX-License-Identifier: Apache-2.0
#pragma once

// Several measurements of one candidate as one: the samples of all, the largest errors, the first
// failure.
//
//   pooled({first, second, third}).seconds     the median of all their samples

#include <vector>

#include "core/record/line/measure_result.h"

namespace dovetail {

MeasureResult pooled(std::vector<MeasureResult> passes);  // one at least

}  // namespace dovetail
