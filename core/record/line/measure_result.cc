// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/measure_result.h"

#include <fmt/core.h>

#include "core/base/check.h"
#include "core/base/text.h"

namespace dovetail {

std::string_view print(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::build_error:
      return "build_error";
    case Status::run_error:
      return "run_error";
    case Status::timeout:
      return "timeout";
    case Status::wrong_output:
      return "wrong_output";
    case Status::out_of_bounds:
      return "out_of_bounds";
    case Status::device_limit:
      return "device_limit";
    case Status::impossible:
      return "impossible";
    case Status::worker_lost:
      return "worker_lost";
  }
  CHECK(false, "a Status that is none of its values");
}

Result<Status> parse_status(std::string_view text) {
  for (Status status : kStatuses) {
    if (print(status) == text) return status;
  }
  const auto name_of = [](Status status) { return print(status); };
  return fail(fmt::format("status \"{}\" is unknown; expected one of {}", text,
                          one_of(kStatuses, name_of)));
}

MeasureTimes& MeasureTimes::operator+=(const MeasureTimes& other) {
  build_seconds += other.build_seconds;
  run_seconds += other.run_seconds;
  check_seconds += other.check_seconds;
  search_seconds += other.search_seconds;
  model_seconds += other.model_seconds;
  return *this;
}

double total(const MeasureTimes& times) {
  return times.build_seconds + times.run_seconds + times.check_seconds + times.search_seconds +
         times.model_seconds;
}

}  // namespace dovetail
