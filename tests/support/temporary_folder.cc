// SPDX-License-Identifier: Apache-2.0
#include "tests/support/temporary_folder.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "core/base/check.h"

namespace dovetail::testing {

TemporaryFolder::TemporaryFolder() {
  // In memory where possible: tests open thousands of logs, and each is brought to the disk.
  const std::filesystem::path memory = "/dev/shm";
  const bool has_memory = access(memory.c_str(), W_OK) == 0;
  const auto parent = has_memory ? memory : std::filesystem::temp_directory_path();
  std::string pattern = (parent / "dovetail-test-XXXXXX").string();
  CHECK(mkdtemp(pattern.data()) != nullptr, "no temporary folder");
  folder_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void TemporaryFolder::write(std::string_view name, std::string_view text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::vector<std::string> TemporaryFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    names.push_back(entry.path().lexically_relative(folder_).string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace dovetail::testing
