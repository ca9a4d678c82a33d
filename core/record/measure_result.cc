// SPDX-License-Identifier: Apache-2.0
#include "core/record/measure_result.h"

#include <fmt/core.h>

#include "core/base/check.h"

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
  std::string expected;
  for (Status status : kStatuses) {
    expected += expected.empty() ? "" : ", ";
    expected += print(status);
  }
  return fail(fmt::format("status \"{}\" is unknown; expected one of {}", text, expected));
}

}  // namespace dovetail
