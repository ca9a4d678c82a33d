// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds the files of measured spaces that `bruteforce` writes, and reads them on all cores.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "search/compare/simulate/simulated_space.h"

namespace dovetail {

// A file; or the space.json.gz of a folder; or FOLDER/NAME/space.json.gz, sorted by NAME. Fails if
// there is none.
Result<std::vector<std::filesystem::path>> find_spaces(const std::string& path);

// The folder of a space.json.gz: gmm for spaces/gmm/space.json.gz and for spaces/gmm.json.gz.
std::string name_of_space(const std::filesystem::path& file);

// Used to rebuild the spaces of files that do not record how they were made.
struct SpaceDefaults {
  std::string target = "cpu";
  int64_t points = 50'000;
};

using SimulatedSpaces = std::vector<std::unique_ptr<SimulatedSpace>>;
// None if interrupted. The error names the file.
Result<std::optional<SimulatedSpaces>> read_spaces(const std::vector<std::filesystem::path>& files,
                                                   const SpaceDefaults& defaults,
                                                   const Listener& listener);

}  // namespace dovetail
