// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace dovetail {
namespace {

bool is_there_and_no_plain_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::string_view expected) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return fail(path + " is a folder, expected " + std::string(expected));
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("cannot read " + path + ": " + std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) return fail("cannot read " + path);
  return std::move(text).str();
}

Result<void> write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (file) file.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (file) file.close();
  if (!file) return fail("cannot write " + path + ": " + std::strerror(errno));
  return {};
}

Result<void> replace_file(const std::string& path, std::string_view text) {
  if (is_there_and_no_plain_file(path)) return write_file(path, text);
  const std::string part = path + ".part";
  std::error_code ignored;
  if (Result<void> written = write_file(part, text); !written) {
    // Half a file helps nobody; a folder of that name is not ours.
    if (std::filesystem::is_regular_file(part, ignored)) std::filesystem::remove(part, ignored);
    return written;
  }
  std::error_code failed;
  std::filesystem::rename(part, path, failed);
  if (!failed) return {};
  std::filesystem::remove(part, ignored);
  return fail("cannot write " + path + ": " + failed.message());
}

Result<void> check_replaceable(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return fail(path + " is a folder, expected a file");
  if (is_there_and_no_plain_file(path)) {
    if (::access(path.c_str(), W_OK) == 0) return {};
    return fail("cannot write " + path + ": " + std::strerror(errno));
  }
  const std::string part = path + ".part";
  TRY(write_file(part, ""));
  std::filesystem::remove(part, error);
  return {};
}

}  // namespace dovetail
