// SPDX-License-Identifier: Apache-2.0
#include "core/record/export/t4_outcome.h"

#include "core/base/check.h"
#include "core/record/line/fields.h"

namespace dovetail {
namespace {

std::string_view invalidity(Status status) {
  switch (status) {
    case Status::ok:
      return "correct";
    case Status::build_error:
    case Status::device_limit:
      return "compile";
    case Status::timeout:
      return "timeout";
    case Status::wrong_output:
    case Status::impossible:
      return "correctness";
    case Status::run_error:
    case Status::out_of_bounds:
    case Status::worker_lost:
      return "runtime";
  }
  CHECK(false, "a Status that is none of its values");
}

}  // namespace

void write_outcome(JsonWriter& writer, const T4Outcome& outcome) {
  JsonWriter times;
  times.real("compilation", outcome.compilation);
  times.real("benchmark", outcome.benchmark);
  times.real("framework", 0);
  times.real("search_algorithm", outcome.search_algorithm);
  times.real("validation", outcome.validation);
  times.raw("runtimes", json_of(outcome.runtimes));
  writer.raw("times", std::move(times).finish());
  const std::string_view reason = invalidity(outcome.status);
  const bool is_ok = outcome.status == Status::ok;
  writer.text("invalidity", reason);
  writer.integer("correctness", is_ok ? 1 : 0);
  std::vector<std::string> measurements;
  for (const auto& [name, value] : outcome.measurements) {
    JsonWriter measurement;
    measurement.text("name", name);
    const std::string failure =
        reason == "compile" ? R"("CompilationFailedConfig")" : R"("RuntimeFailedConfig")";
    measurement.raw("value", is_ok || name != "time" ? json_real(value) : failure);
    measurement.text("unit", outcome.unit);
    measurements.push_back(std::move(measurement).finish());
  }
  writer.raws("measurements", measurements);
}

}  // namespace dovetail
