// SPDX-License-Identifier: Apache-2.0
#include "campaign/saved_lines.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/text.h"

namespace dovetail {

Result<void> open_saved_lines(const std::string& path, std::string_view what,
                              const std::function<bool(std::string_view)>& take) {
  if (const std::string_view found = what_else_than_plain(path); !found.empty())
    return fail("{} is {}, expected a plain file", path, found);
  if (!std::ofstream(path, std::ios::binary | std::ios::app))  // checked before an hour of work
    return fail("{} cannot be written: {}", path, std::strerror(errno));
  std::string text = TRY(read_file(path));
  const size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole == 0 && !text.empty() && !text.starts_with("{\"asked\":"))
    return fail("{} line 1: not {}", path, what);
  text.resize(whole);
  std::error_code failed;
  std::filesystem::resize_file(path, whole, failed);
  if (failed) return fail("{}: {}", path, failed.message());
  size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (!line.empty() && !take(line)) return fail("{} line {}: not {}", path, number, what);
  }
  return {};
}

Result<void> add_saved_line(const std::string& path, std::string_view line) {
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << line << '\n';
  file.close();
  if (!file) return fail("{} cannot be written", path);
  return {};
}

}  // namespace dovetail
