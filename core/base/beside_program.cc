// SPDX-License-Identifier: Apache-2.0
#include "core/base/beside_program.h"

namespace dovetail {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

std::optional<fs::path> find_beside_program(const std::string& name) {
  const fs::path folder = program_folder();
  for (const fs::path& place : {folder, folder.parent_path()}) {
    std::error_code error;
    if (fs::exists(place / name, error)) return place / name;
  }
  return std::nullopt;
}

}  // namespace dovetail
