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
    warn(logs.back(), err);
  }
  return logs;
}

void warn(const Log& log, std::ostream& err) {
  constexpr size_t kMostShown = 5;
  for (size_t i = 0; i < std::min(log.warnings.size(), kMostShown); ++i) {
    err << "dovetail: " << print(log.warnings[i], log.path) << "\n";
  }
  if (log.warnings.size() > kMostShown) {
    err << fmt::format("dovetail: {}: {} more such lines; `log verify` lists them\n", log.path,
                       log.warnings.size() - kMostShown);
  }
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
