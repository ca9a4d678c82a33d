// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/caches.h"

#include <fmt/format.h>

namespace dovetail {

std::string_view print(Caches caches) { return caches == Caches::cold ? "cold" : "hot"; }

Caches caches_of(const LogHeader& campaign) {
  return campaign.options.contains("cold") ? Caches::cold : Caches::hot;
}

Result<Caches> caches_of(std::span<const Log> logs) {
  const Log* first_log = nullptr;
  const LogHeader* first = nullptr;
  for (const Log& log : logs) {
    for (const LogHeader& campaign : log.headers) {
      if (first == nullptr) {
        first_log = &log;
        first = &campaign;
      }
      const Caches before = caches_of(*first), here = caches_of(campaign);
      if (here == before) continue;
      return fail(
          fmt::format("log {}: campaign {} is timed with {} caches, and campaign {} of {} with {} "
                      "ones; their times do not compare: expected logs of one kind",
                      log.path, campaign.campaign, print(here), first->campaign, first_log->path,
                      print(before)));
    }
  }
  return first != nullptr ? caches_of(*first) : Caches::hot;
}

}  // namespace dovetail
