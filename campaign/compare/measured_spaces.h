// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds the files of measured spaces that `bruteforce` writes, and reads them on all cores.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "search/compare/simulate/simulated_space.h"

namespace dovetail {

// FOLDER/NAME/space.json.gz, by NAME; fails if there is none.
Result<std::vector<std::filesystem::path>> find_spaces(const std::string& folder);

// Used to rebuild the spaces of files that do not record how they were made.
struct SpaceDefaults {
  std::string target = "cpu";
  int64_t points = 50'000;
};

using SimulatedSpaces = std::vector<std::unique_ptr<SimulatedSpace>>;
// The error names the file.
Result<SimulatedSpaces> read_spaces(const std::vector<std::filesystem::path>& files,
                                    const SpaceDefaults& defaults);

}  // namespace dovetail
