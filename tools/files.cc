// SPDX-License-Identifier: Apache-2.0
#include "tools/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace dovetail {

Result<std::string> read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return fail(fmt::format("{} is a folder, expected a file", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) return fail(fmt::format("cannot read {}", path));
  return std::move(text).str();
}

Result<void> write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) return fail(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return fail(fmt::format("cannot write {}", path));
  return {};
}

Result<void> replace_file(const std::string& path, std::string_view text) {
  const std::string part = path + ".part";
  TRY(write_file(part, text));
  std::error_code failed;
  std::filesystem::rename(part, path, failed);
  if (!failed) return {};
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  return fail(fmt::format("cannot write {}: {}", path, failed.message()));
}

}  // namespace dovetail
