// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values of options with which one of our programs starts another: `--parent 4711`, `--cores 0,1`.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

Result<int64_t> parse_count(const std::string& option, std::string_view text);  // 0 or more
Result<std::vector<int>> parse_cores(const std::string& option, std::string_view text);

}  // namespace dovetail
