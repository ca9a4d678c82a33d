// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files of measured spaces that `bruteforce` writes: to be found, and read on all cores.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "search/compare/simulate/simulated_space.h"

namespace dovetail {

// FOLDER/NAME/space.json.gz, by NAME; at least one.
Result<std::vector<std::filesystem::path>> find_spaces(const std::string& folder);

// Files that do not say how they were made are made again with these.
struct SpaceDefaults {
  std::string target = "cpu";
  int64_t points = 50'000;
};

using SimulatedSpaces = std::vector<std::unique_ptr<SimulatedSpace>>;
// The error names the file.
Result<SimulatedSpaces> read_spaces(const std::vector<std::filesystem::path>& files,
                                    const SpaceDefaults& defaults);

}  // namespace dovetail
