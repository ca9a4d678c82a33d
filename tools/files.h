// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whole files, with errors that name the file.

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

Result<std::string> read_file(const std::string& path);
Result<void> write_file(const std::string& path, std::string_view text);
// The same by way of PATH.part: a kill leaves the file as it was, or whole.
Result<void> replace_file(const std::string& path, std::string_view text);

}  // namespace dovetail
