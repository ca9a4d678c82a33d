// SPDX-License-Identifier: Apache-2.0
//
// What a program declares, each by itself: names, extents, layouts of buffers. Of use to verify()
// only; the messages name what is declared.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

Result<void> check_name(std::string_view kind, const std::string& name);  // `kind`: "loop", "tile"
Result<void> check_extents(const std::string& what, const std::vector<int64_t>& extents);
Result<void> check_layout(const Buffer& buffer);

}  // namespace dovetail
