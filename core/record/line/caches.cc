// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/caches.h"

#include <algorithm>

#include "core/base/fail.h"

namespace dovetail {

std::string_view print(Caches caches) { return caches == Caches::cold ? "cold" : "hot"; }

Caches caches_of(const LogHeader& campaign) {
  return campaign.options.contains("cold") ? Caches::cold : Caches::hot;
}

Result<Caches> caches_of(std::span<const Log> logs) {
  const auto first_log =
      std::ranges::find_if_not(logs, [](const Log& log) { return log.headers.empty(); });
  if (first_log == logs.end()) return Caches::hot;
  const LogHeader& first = first_log->headers.front();
  for (const Log& log : logs) {
    for (const LogHeader& campaign : log.headers) {
      if (caches_of(campaign) == caches_of(first)) continue;
      return fail(
          "log {}: campaign {} is timed with {} caches, and campaign {} of {} with {} "
          "ones; their times do not compare: expected logs of one kind",
          log.path, campaign.campaign, print(caches_of(campaign)), first.campaign, first_log->path,
          print(caches_of(first)));
    }
  }
  return caches_of(first);
}

}  // namespace dovetail
