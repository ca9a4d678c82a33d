// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/timed_caches.h"

#include <algorithm>

#include "core/base/fail.h"

namespace dovetail {

Caches caches_of(const LogHeader& campaign) {
  const auto found = campaign.options.find("cache");
  if (found == campaign.options.end()) return Caches::hot;
  const auto* text = std::get_if<std::string>(&found->second);
  const auto caches = text == nullptr ? std::nullopt : std::optional(parse_caches(*text));
  return caches && *caches ? **caches : Caches::hot;
}

Result<Caches> caches_of(std::span<const Log> logs) {
  const auto first_log =
      std::ranges::find_if_not(logs, [](const Log& log) { return log.records.empty(); });
  if (first_log == logs.end()) return Caches::hot;
  const Record& first = first_log->records.front();
  for (const Log& log : logs) {
    for (const Record& record : log.records) {
      if (record.caches == first.caches) continue;
      return fail(
          "log {}: campaign {} has times of {} caches, and campaign {} of {} of {} ones, which do "
          "not compare: expected times of one kind, or --cache to choose one",
          log.path, record.campaign, print(record.caches), first.campaign, first_log->path,
          print(first.caches));
    }
  }
  return first.caches;
}

Log of_caches(Log log, Caches caches) {
  std::erase_if(log.records, [&](const Record& record) { return record.caches != caches; });
  return log;
}

}  // namespace dovetail
