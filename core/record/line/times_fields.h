// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fields of MeasureTimes, as records and results have them:
//
//   "build":0.009,"run":0.03,"check":0.002,"search":4e-04,"model":0.0

#include <tuple>

#include "core/record/line/fields.h"
#include "core/record/line/measure_result.h"

namespace dovetail {

auto fields_of(Of<MeasureTimes> auto& times) {
  return std::tuple(Field{"build", times.build_seconds, Seconds{}},
                    Field{"run", times.run_seconds, Seconds{}},
                    Field{"check", times.check_seconds, Seconds{}},
                    Field{"search", times.search_seconds, Seconds{}},
                    Field{"model", times.model_seconds, Seconds{}});
}

}  // namespace dovetail
