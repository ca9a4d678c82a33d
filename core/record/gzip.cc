// SPDX-License-Identifier: Apache-2.0
#include "core/record/gzip.h"

#include <zlib.h>
#include <array>
#include <fstream>
#include <limits>
#include <sstream>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/files.h"

namespace dovetail {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's encoding of: the largest window, gzip format
constexpr std::string_view kMagic = "\x1f\x8b";  // the first bytes of every gzip file
constexpr size_t kMaxTextBytes = size_t{1} << 30;

uInt input_size(std::string_view bytes) {
  CHECK(bytes.size() <= std::numeric_limits<uInt>::max(), "more than 4 GiB at once");
  return static_cast<uInt>(bytes.size());
}

Bytef* input_bytes(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads them
}

}  // namespace

std::string gzip(std::string_view text, GzipEffort effort) {
  z_stream stream{};
  const int level = effort == GzipEffort::most ? Z_BEST_COMPRESSION : Z_BEST_SPEED;
  int code = deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY);
  CHECK(code == Z_OK, "zlib cannot start");
  std::string bytes(deflateBound(&stream, text.size()), '\0');
  stream.next_in = input_bytes(text);
  stream.avail_in = input_size(text);
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = input_size(bytes);
  code = deflate(&stream, Z_FINISH);
  CHECK(code == Z_STREAM_END, "zlib's own bound was too small");
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

Result<std::string> gunzip(std::string_view bytes) {
  if (bytes.size() > kMaxTextBytes) return fail("over 1 GiB of compressed data");
  z_stream stream{};
  CHECK(inflateInit2(&stream, kGzipWindow) == Z_OK, "zlib cannot start");
  stream.next_in = input_bytes(bytes);
  stream.avail_in = input_size(bytes);
  std::string text;
  std::array<char, 1 << 16> part{};
  int code = Z_OK;
  while (code == Z_OK && text.size() <= kMaxTextBytes) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    code = inflate(&stream, Z_NO_FLUSH);
    text.append(part.data(), part.size() - stream.avail_out);
  }
  const bool whole = stream.avail_in == 0;
  inflateEnd(&stream);
  if (text.size() > kMaxTextBytes) return fail("over 1 GiB of text");
  if (code == Z_BUF_ERROR) return fail("gzip data that is cut off");
  if (code != Z_STREAM_END) return fail("no gzip data, or damaged");
  if (!whole) return fail("something follows the gzip data");
  return text;
}

bool is_compressed(const std::string& path) {
  Result<std::ifstream> file = open_plain_stream(path);
  if (!file) return false;
  std::string begin(kMagic.size(), '\0');
  file->read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == kMagic;
}

Result<std::string> read_text(const std::string& path, std::string_view expected) {
  std::string bytes = TRY(read_file(path, expected));
  if (!bytes.starts_with(kMagic)) return bytes;
  Result<std::string> text = gunzip(bytes);
  if (!text) return fail("{}: {}", path, text.error().message);
  return text;
}

Result<std::unique_ptr<std::istream>> open_text(const std::string& path) {
  if (is_compressed(path)) return std::make_unique<std::istringstream>(TRY(read_text(path)));
  return std::make_unique<std::ifstream>(TRY(open_plain_stream(path)));
}

Result<void> replace_text(const std::string& path, std::string_view text) {
  if (path.ends_with(".gz")) return replace_file(path, gzip(text));
  return replace_file(path, text);
}

}  // namespace dovetail
