// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files that belong to the running program: other programs and libraries, searched for in the
// folder of its own executable and not through PATH, so that a build always uses its own.

#include <filesystem>
#include <optional>
#include <string>

namespace dovetail {

std::filesystem::path program_folder();  // folder of the running executable

// Searches that folder and then its parent (for tests); nullopt when the file is in neither.
std::optional<std::filesystem::path> find_beside_program(const std::string& name);

}  // namespace dovetail
