// SPDX-License-Identifier: Apache-2.0
#pragma once

// caches_of: the single cache state in which all records of some logs were timed.
//
//   const Caches caches = TRY(caches_of(logs));   // an error when some are hot and some are cold
//   logs[0] = of_caches(std::move(logs[0]), Caches::cold);      // unless one is chosen
//
// Hot times are faster whatever the candidate: the best of hot and cold records together would be
// the best of the hot ones. So code that compares times calls this first.

#include <span>

#include "core/base/result.h"
#include "core/record/line/caches.h"
#include "core/record/log/log.h"

namespace dovetail {

// The state in a campaign's options.
Caches caches_of(const LogHeader& campaign);

// Hot when there is no record. The error names one record of each state.
Result<Caches> caches_of(std::span<const Log> logs);

// The log with the records of one state only.
Log of_caches(Log log, Caches caches);

}  // namespace dovetail
