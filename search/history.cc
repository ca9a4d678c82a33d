// SPDX-License-Identifier: Apache-2.0
#include "search/history.h"

#include <fmt/format.h>

#include <algorithm>

namespace dovetail {

Result<std::optional<Record>> History::recall(RecordKind kind, int64_t trial, const Trace& trace) {
  const auto found = std::find_if(earlier_.begin(), earlier_.end(), [&](const Record& record) {
    return record.kind == kind && record.trial == trial;
  });
  if (found == earlier_.end()) return std::optional<Record>();
  if (kind == RecordKind::trial && found->trace != print(trace)) {
    return fail(fmt::format(
        "trial {} of campaign {}, task {}, has another trace in the log than is proposed now: the "
        "log was written by another version; start a campaign of its own with --append",
        trial, found->campaign, found->task));
  }
  std::optional<Record> record = std::move(*found);
  earlier_.erase(found);
  return record;
}

Result<void> History::add(Record record) {
  TRY(append_(record));
  records_.push_back(std::move(record));
  return {};
}

bool History::has_unrecalled_trials() const {
  return std::any_of(earlier_.begin(), earlier_.end(),
                     [](const Record& record) { return record.kind == RecordKind::trial; });
}

}  // namespace dovetail
