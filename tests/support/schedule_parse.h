// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail::testing {

// A schedule from its printed form, whose grammar core/ir/schedule/schedule_text.cc states: the
// golden texts of schedules lose nothing.
Result<Schedule> parse_schedule(std::string_view text);

}  // namespace dovetail::testing
