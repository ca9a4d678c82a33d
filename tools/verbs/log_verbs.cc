// SPDX-License-Identifier: Apache-2.0
#include "tools/verbs/log_verbs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ir/operator/operator.h"

namespace dovetail {

Result<std::vector<Log>> read_logs(const LogVerbOptions& options, std::ostream& err) {
  std::vector<Log> logs;
  for (const std::string& path : options.logs) {
    logs.push_back(TRY(read_log(path)));
    err << first_warnings(logs.back());
  }
  return logs;
}

int refuse(const Error& error, std::ostream& err) {
  err << "dovetail: " << error.message << "\n";
  return static_cast<int>(ExitCode::bad_input);
}

std::optional<double> gflops_of(const std::string& task, const std::optional<double>& seconds) {
  const auto op = parse_operator(task);
  if (!op || !seconds) return std::nullopt;
  return nominal_flops(*op) / *seconds / 1e9;
}

}  // namespace dovetail
