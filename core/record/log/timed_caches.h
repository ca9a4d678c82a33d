// SPDX-License-Identifier: Apache-2.0
#pragma once

// caches_of: the one state of the caches that all records of some logs were timed in.
//
//   const Caches caches = TRY(caches_of(logs));   // an error when some are hot and some are cold
//   logs[0] = of_caches(std::move(logs[0]), Caches::cold);      // unless one is chosen
//
// A hot time is the faster one, whatever the candidate: the best of hot and cold records together
// would be the best of the hot ones. So whatever compares times asks here first.

#include <span>

#include "core/base/result.h"
#include "core/record/line/caches.h"
#include "core/record/log/log.h"

namespace dovetail {

// In which a campaign was to be timed, by its options.
Caches caches_of(const LogHeader& campaign);

// Hot when there is no record. The error names one of each.
Result<Caches> caches_of(std::span<const Log> logs);

// With the records of that state alone.
Log of_caches(Log log, Caches caches);

}  // namespace dovetail
