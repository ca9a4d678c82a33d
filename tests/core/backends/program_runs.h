// SPDX-License-Identifier: Apache-2.0
//
// Programs on a device, whatever its backend is: emitted, built, loaded, and run between guard
// zones.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/program/program.h"
#include "core/runtime/device.h"
#include "tests/support/interpreter.h"

namespace dovetail::testing {

// One device of each backend that this machine has, opened once a process, by the target's name.
const std::vector<std::string>& device_names();
// An error where there is none of that name.
Result<Device*> device_named(std::string_view target);

// `inputs`: elements of inputs and, as NaN, of outputs. Fails if a guard zone changes.
Result<Storage> run_on_device(Device& device, const Program& program, const Storage& inputs);

// Small integers (|x| <= 4) for all but outputs (NaN) and temporaries, zero where a layout pads.
Storage integer_storage(const Program& program, uint64_t seed);

}  // namespace dovetail::testing
