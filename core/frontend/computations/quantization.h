// SPDX-License-Identifier: Apache-2.0
#pragma once

// Real numbers as bytes: rounded to nearest, ties to even, and saturated.

#include <string>

#include "core/ir/value/element_type.h"

namespace dovetail {

std::string rounded_text(const std::string& x);
std::string saturated_text(const std::string& value, ElementType type);
bool is_byte(ElementType type);

}  // namespace dovetail
