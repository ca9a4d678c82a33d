// SPDX-License-Identifier: Apache-2.0
#include "core/record/export/t4_words.h"

#include "core/base/check.h"

namespace dovetail {

std::string_view t4_invalidity(Status status) {
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

std::string_view t4_missing_time(Status status) {
  return t4_invalidity(status) == "compile" ? "CompilationFailedConfig" : "RuntimeFailedConfig";
}

}  // namespace dovetail
