// SPDX-License-Identifier: Apache-2.0
#pragma once

// open_reference_device: the interpreter (core/ir/interpreter) as a device: code is programs as
// text, and memory is bytes that the host cannot address, as a GPU's.
//
//   const std::unique_ptr<Device> device = open_reference_device(target);
//
// Memory begins as NaN, so that an element that no kernel stored is never right by chance.

#include <memory>

#include "core/runtime/device.h"

namespace dovetail {

std::unique_ptr<Device> open_reference_device(const Target& target);

}  // namespace dovetail
