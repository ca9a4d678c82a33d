// SPDX-License-Identifier: Apache-2.0
#pragma once

// as_recorded: the target that a log's campaign ran on, so that a log gives the same network on
// every machine.
//
//   const Target target = as_recorded(TRY(resolve_target("cpu")), log);
//   TRY(require_runnable(target));        an error when nothing can run on it here

#include <optional>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/record/log/log.h"

namespace dovetail {

// Returns `asked` with the vector lanes and cache sizes that the log's last campaign on the same
// CPU and thread count recorded, so that a log gives the same network on every machine. `cpu`
// matches by this host's device name, `cpu:arch=NAME` by LLVM's CPU name. Unchanged if the log has
// no such campaign, or if its code for `cpu` would not run here.
Target as_recorded(const Target& asked, const std::optional<Log>& log);

// Fail if code for the target does not run on this host.
Result<void> check_runs_here(const Target& target);
Result<void> require_runnable(const Target& target);

}  // namespace dovetail
