// SPDX-License-Identifier: Apache-2.0
#pragma once

// The verbs, in the order of `dovetail --help`.

#include <span>

#include "tools/command_line/verb.h"

namespace dovetail {

std::span<const Verb> verbs();

}  // namespace dovetail
