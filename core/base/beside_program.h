// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files that belong to the running program: other programs and libraries, found where it lies
// itself and not through PATH, so that a build always meets its own.

#include <filesystem>
#include <optional>
#include <string>

namespace dovetail {

std::filesystem::path program_folder();  // of the running executable

// In that folder, or the one above (of tests); nothing when it is in neither.
std::optional<std::filesystem::path> find_beside_program(const std::string& name);

}  // namespace dovetail
