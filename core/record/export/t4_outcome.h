// SPDX-License-Identifier: Apache-2.0
#pragma once

// What T4 says of a configuration's measurement, in the fields and words that both of our T4 files
// share (core/record/export/export.h, core/record/export/measured_space.h):
//
//   "times":{"compilation":9.0,...},"invalidity":"correct","correctness":1,"measurements":[...]
//
// `invalidity` is the schema's word for why there is no time. In the place of the time Kernel Tuner
// then writes a text: "CompilationFailedConfig" of what did not build, "RuntimeFailedConfig" else.

#include <string>
#include <utility>
#include <vector>

#include "core/record/line/json_fields.h"
#include "core/record/line/measure_result.h"

namespace dovetail {

struct T4Outcome {
  Status status = Status::ok;
  double compilation = 0, benchmark = 0, search_algorithm = 0, validation = 0;
  std::vector<double> runtimes = {};
  std::vector<std::pair<std::string, double>> measurements = {};  // "time" counts if it is ok
  std::string unit = {};                                          // of the measurements
};

void write_outcome(JsonWriter& writer, const T4Outcome& outcome);

}  // namespace dovetail
