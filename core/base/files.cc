// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

namespace dovetail {
namespace {

constexpr int64_t kMostBytes = int64_t{1} << 34;  // read into memory; a sparse file may claim more

bool is_there_and_no_plain_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

std::string_view word_of(std::filesystem::file_type type) {
  using std::filesystem::file_type;
  switch (type) {
    case file_type::directory: return "a folder";
    case file_type::fifo: return "a pipe";
    case file_type::socket: return "a socket";
    case file_type::block:
    case file_type::character: return "a device";
    default: return "";
  }
}

Unexpected is_no_plain_file(const std::string& path, std::string_view found,
                            std::string_view expected) {
  return fail(path + " is " + std::string(found) + ", expected " + std::string(expected));
}

}  // namespace

std::string_view what_else_than_plain(const std::string& path) {
  std::error_code ignored;
  return word_of(std::filesystem::status(path, ignored).type());
}

Result<Descriptor> open_plain_file(const std::string& path, std::string_view expected) {
  // Checked before opening, because merely opening some devices has side effects.
  if (const std::string_view found = what_else_than_plain(path); !found.empty())
    return is_no_plain_file(path, found, expected);
  // O_NONBLOCK: if a pipe has replaced the file meanwhile, open must not wait for a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.valid()) return fail("cannot read " + path + ": " + std::strerror(errno));
  struct stat status{};
  if (fstat(file.get(), &status) != 0)
    return fail("cannot read " + path + ": " + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return is_no_plain_file(path, "a pipe or device", expected);
  return file;
}

Result<std::ifstream> open_plain_stream(const std::string& path, std::string_view expected) {
  TRY(open_plain_file(path, expected));
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fail("cannot read " + path + ": " + std::strerror(errno));
  return stream;
}

Result<std::string> read_file(const std::string& path, std::string_view expected) {
  const Descriptor file = TRY(open_plain_file(path, expected));
  std::string text;
  struct stat status{};
  if (fstat(file.get(), &status) != 0) status.st_size = 0;
  if (status.st_size > kMostBytes)
    return fail(path + " has " + std::to_string(status.st_size) + " bytes, expected at most " +
                std::to_string(kMostBytes));
  // One extra byte, so that the last read sees the end of the file without growing the buffer.
  text.resize(static_cast<size_t>(status.st_size) + 1);
  size_t filled = 0;
  while (true) {
    if (filled == text.size()) text.resize(2 * text.size() + 4096);  // files in /proc have size 0
    const ssize_t count = ::read(file.get(), text.data() + filled, text.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail("cannot read " + path + ": " + std::strerror(errno));
    if (count == 0) break;
    filled += static_cast<size_t>(count);
  }
  text.resize(filled);
  return text;
}

Result<void> write_file(const std::string& path, std::string_view text) {
  const auto cannot = [&path](int cause) {
    const bool is_unread = cause == ENXIO;  // a pipe without a reader, opened with O_NONBLOCK
    return fail("cannot write " + path + ": " +
                (is_unread ? "nobody reads it" : std::strerror(cause)));
  };
  constexpr int kHow = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Descriptor file(::open(path.c_str(), kHow, 0666));
  if (!file.valid()) return cannot(errno);
  const int flags = fcntl(file.get(), F_GETFL);
  if (flags >= 0) fcntl(file.get(), F_SETFL, flags & ~O_NONBLOCK);  // a slow reader is waited for
  while (!text.empty()) {
    const ssize_t count = ::write(file.get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot(errno);
    text.remove_prefix(static_cast<size_t>(count));
  }
  return {};
}

Result<void> replace_file(const std::string& path, std::string_view text) {
  if (is_there_and_no_plain_file(path)) return write_file(path, text);
  const std::string part = path + ".part";
  std::error_code ignored;
  if (Result<void> written = write_file(part, text); !written) {
    // A partial file is useless; a folder of that name was not created here, so it stays.
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
    return is_no_plain_file(path, "a folder", "a file");
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
