// SPDX-License-Identifier: Apache-2.0
#include "measure/scratch_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace dovetail {

Result<ScratchFolder> ScratchFolder::create() {
  std::error_code error;
  const auto parent = std::filesystem::temp_directory_path(error);
  if (error) return fail("no folder for temporary files: " + error.message());
  std::string path = (parent / "dovetail-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) {
    return fail(fmt::format("cannot create {}: {}", path, strerror(errno)));
  }
  return ScratchFolder(std::move(path));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace dovetail
