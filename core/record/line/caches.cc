// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/caches.h"

#include <fmt/format.h>

#include <optional>

namespace dovetail {

std::string_view print(Caches caches) { return caches == Caches::cold ? "cold" : "hot"; }

Caches caches_of(const LogHeader& campaign) {
  return campaign.options.contains("cold") ? Caches::cold : Caches::hot;
}

Result<Caches> caches_of(std::span<const Log> logs) {
  struct First {
    const Log* log;
    const LogHeader* campaign;
  };
  std::optional<First> first;
  for (const Log& log : logs) {
    for (const LogHeader& campaign : log.headers) {
      if (!first) first = {&log, &campaign};
      const Caches before = caches_of(*first->campaign), here = caches_of(campaign);
      if (here == before) continue;
      return fail(
          fmt::format("log {}: campaign {} is timed with {} caches, and campaign {} of {} with {} "
                      "ones; their times do not compare: expected logs of one kind",
                      log.path, campaign.campaign, print(here), first->campaign->campaign,
                      first->log->path, print(before)));
    }
  }
  return first ? caches_of(*first->campaign) : Caches::hot;
}

}  // namespace dovetail
