// SPDX-License-Identifier: Apache-2.0
#pragma once

// Caches: where the operands were when a campaign timed its candidates.
//
//   tune …          hot:  the runs before the timed one left in the caches what fits there
//   tune --cold …   cold: driven out before every timed run
//
//   const Caches caches = TRY(caches_of(logs));   // an error when some are hot and some are cold
//
// A hot time is the faster one, whatever the candidate: the best of hot and cold records together
// would be the best of the hot ones. So whatever compares times asks here first.

#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/record/log/log.h"

namespace dovetail {

enum class Caches { hot, cold };
std::string_view print(Caches caches);

Caches caches_of(const LogHeader& campaign);

// The kind of every campaign of the logs; hot when there is none. The error names one of each.
Result<Caches> caches_of(std::span<const Log> logs);

}  // namespace dovetail
