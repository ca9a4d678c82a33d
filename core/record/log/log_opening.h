// SPDX-License-Identifier: Apache-2.0
#pragma once

// plan_opening: decides how a campaign begins on a log, with nothing locked and nothing written.
//
//   const LogOpening opening = TRY(plan_opening("tune.jsonl", LogMode::resume, header));
//   opening.log            what the file has; none: it is new, empty, or holds one unreadable line
//   opening.continued      the campaign that goes on; none: a new one begins
//
// Apart from the writer (log_writer.h has the table), so that a dry run is refused where a campaign
// would be, and knows which trials it need not make again.

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/record/log/log.h"

namespace dovetail {

enum class LogMode { fresh, resume, append };

struct LogOpening {
  std::optional<Log> log;
  std::optional<LogHeader> continued;
};

// Fails where the file cannot be added to, where it holds a campaign that mode fresh does not
// expect, and where mode resume finds none of these options: the error lists the differences.
Result<LogOpening> plan_opening(const std::string& path, LogMode mode, const LogHeader& header);

// Campaigns append to plain, writable files of text only.
Result<void> check_appendable(const std::string& path);
// A line has the schema of the header above it, so all campaigns of a file must share one.
Result<void> check_schema(const Log& log);

}  // namespace dovetail
