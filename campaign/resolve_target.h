// SPDX-License-Identifier: Apache-2.0
#pragma once

// resolve_target: the text after --target, as a Target with the facts of the device it means.
//
//   resolve_target("cpu:threads=2")               this host
//   resolve_target("opencl:profile=adreno.txt")   a device that is elsewhere: for looking only
//   require_runnable(target)                      an error when nothing can run on it here

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

Result<Target> resolve_target(std::string_view text);
Result<void> require_runnable(const Target& target);

}  // namespace dovetail
