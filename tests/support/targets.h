// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/ir/target.h"

namespace dovetail::testing {

// The device that a profile in docs/examples describes.
Target target_of_profile(const std::string& file);

// An OpenCL device with images of four channels and 8 compute units; there need not be one here.
Target opencl_with_images();

}  // namespace dovetail::testing
