// SPDX-License-Identifier: Apache-2.0
#pragma once

// A schedule as text and back, for golden texts that lose nothing. A user sees traces and programs;
// a schedule lies between them.
//
// schedule := 'schedule' ['of' anchor] tensor* stage*
// tensor   := 'tensor' name ':' dtype role ['outside' number] LAYOUT
// stage    := 'stage' name [role] ['once'], then indented lines, of one word each in this order:
//             operand name ':' dtype role '[' dims ']'        what the computation reads and writes
//             table name '[' integers ']' '=' '{' numbers '}'
//             axis name 'in' 0..extent ['sum'] ['=' INDEX]
//             ('read' name '[' INDEX, … ']' ['where' BOUND 'and' …] ['outside' number])*
//             (chosen name 'in' 0..extent 'at' VALUE)*
//             element VALUE
//             ['reduce' ('sum' | 'max' | 'min' | 'prod'), then result VALUE]
//             output name '[' INDEX, … ']'
//             loop name 'in' 0..extent ['sum'] ['chosen' position] [kind]
//             stores '[' INDEX, … ']'                    physical index of the element stored
//             registers 'at' (loop | 'root') ['streaming']
//             ('prefetch' tensor 'at' loop 'distance' integer)*
//             caches tensor 'at' loop scope ['double']
//             attached 'to' stage 'at' loop scope ['double'] ['flat' integer]
//             around name 'in' 0..extent ['sum'] [kind]
//             part INDEX 'in' 0..extent
//             [ring 'axis' integer 'step' integer 'ahead' integer]

#include <array>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

std::string print(const Schedule& schedule);

namespace testing {

// These words stand in the order of the enumerations that they name.
inline constexpr std::array<std::string_view, 3> kTensorRoles = {"activation", "constant",
                                                                 "output"};
inline constexpr std::array<std::string_view, 4> kStageRoles = {"computation", "copy", "transform",
                                                                "partial"};

Result<Schedule> parse_schedule(std::string_view text);

// The computations alone, a line each: `W.wino once: for …`.
std::string print_stages(const Schedule& schedule);

}  // namespace testing
}  // namespace dovetail
