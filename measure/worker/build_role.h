// SPDX-License-Identifier: Apache-2.0
#pragma once

// The build role: a printed program in, what the device runs out.

#include "measure/messages.h"

namespace dovetail {

BuildReply build(const BuildRequest& request);

}  // namespace dovetail
