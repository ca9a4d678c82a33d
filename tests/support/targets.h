// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ir/target.h"

namespace dovetail::testing {

// An OpenCL device with images of four channels and 8 compute units; there need not be one here.
Target opencl_with_images();

}  // namespace dovetail::testing
