// SPDX-License-Identifier: Apache-2.0
#pragma once

// resolve_target: the text after --target, as a Target with the facts of the device it means.
//
//   resolve_target("cpu:threads=2")               this host
//   resolve_target("opencl:profile=adreno.txt")   a device that is elsewhere: for looking only
//   require_runnable(target)                      an error when nothing can run on it here

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/record/log/log.h"

namespace dovetail {

Result<Target> resolve_target(std::string_view text);

// The same CPU as the last campaign on it saw it, with the same threads: `cpu` where the device's
// name is that of this host, `cpu:arch=NAME` where LLVM names it so. What lowering reads (lanes,
// caches) then comes from the log, which means the same network wherever it is read. The target as
// it is where the log has none such, or code for it would not run where it was to.
Target as_recorded(const Target& asked, const std::optional<Log>& log);

// The error: code for the target does not run on this host.
Result<void> check_runs_here(const Target& target);
Result<void> require_runnable(const Target& target);

}  // namespace dovetail
