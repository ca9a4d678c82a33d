// SPDX-License-Identifier: Apache-2.0
#include "measure/host/scratch_folder.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "core/base/fail.h"

namespace dovetail {

namespace {

constexpr std::string_view kPrefix = "dovetail-scratch-";

// The process in a folder's name: dovetail-scratch-4711-Ab3xYz. 0: not a scratch folder.
pid_t owner_of(const std::string& name) {
  if (!name.starts_with(kPrefix)) return 0;
  pid_t owner = 0;
  const char* number = name.data() + kPrefix.size();
  const auto [end, error] = std::from_chars(number, name.data() + name.size(), owner);
  return error == std::errc{} && *end == '-' ? owner : 0;
}

// A killed program leaves its folder behind; the next one removes it.
void remove_abandoned(const std::filesystem::path& parent) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(parent, ignored)) {
    const pid_t owner = owner_of(entry.path().filename().string());
    if (owner <= 0 || ::kill(owner, 0) == 0 || errno != ESRCH) continue;
    std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::create() {
  std::error_code error;
  const auto parent = std::filesystem::temp_directory_path(error);
  if (error) {
    const char* asked = std::getenv("TMPDIR");
    return fail("no folder for temporary files: {}: {}",
                asked != nullptr ? fmt::format("TMPDIR is {}", asked) : "/tmp", error.message());
  }
  remove_abandoned(parent);
  std::string path = (parent / fmt::format("{}{}-XXXXXX", kPrefix, ::getpid())).string();
  if (::mkdtemp(path.data()) == nullptr) return fail("cannot create {}: {}", path, strerror(errno));
  return ScratchFolder(std::move(path));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace dovetail
