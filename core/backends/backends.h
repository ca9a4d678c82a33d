// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table of backends, and the device that a name means.
//
//   resolve_target("cpu:threads=2")               this host
//   resolve_target("opencl:profile=adreno.txt")   a device that is elsewhere: for looking only
//   resolve_target("reference")                   the interpreter: slow, exact, every scope
//   open_device(target, {.cores = {0}})

#include <memory>
#include <span>
#include <string_view>

#include "core/backends/backend.h"
#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

std::span<const Backend* const> backends();

// Fails for a name without a backend; the line lists those that there are.
Result<const Backend*> find_backend(const TargetName& name);
const Backend& backend_of(const Target& target);  // CHECKs that it was resolved by one

Result<Target> resolve_target(std::string_view text);
Result<std::unique_ptr<Device>> open_device(const Target& target, const DeviceOptions& options);

}  // namespace dovetail
