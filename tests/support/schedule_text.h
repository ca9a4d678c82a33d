// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

// As core/ir/schedule/schedule.h shows it, with layouts; the grammar is in schedule_print.cc.
std::string print(const Schedule& schedule);

namespace testing {

// These words stand in the order of the enumerations that they name.
inline constexpr std::array<std::string_view, 3> kTensorRoles = {"activation", "constant",
                                                                 "output"};
inline constexpr std::array<std::string_view, 4> kStageRoles = {"computation", "copy", "transform",
                                                                "partial"};

// A schedule from its printed form: the golden texts of schedules lose nothing.
Result<Schedule> parse_schedule(std::string_view text);

}  // namespace testing
}  // namespace dovetail
