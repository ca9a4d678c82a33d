// SPDX-License-Identifier: Apache-2.0
#include "core/record/export/measured_space.h"

#include <fmt/format.h>

#include <zlib.h>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/check.h"
#include "core/base/files.h"

namespace dovetail {

namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's way to say: the largest window, in gzip's format
constexpr size_t kMaxTextBytes = size_t{1} << 30;

uInt input_size(std::string_view bytes) {
  CHECK(bytes.size() <= std::numeric_limits<uInt>::max(), "more than 4 GiB at once");
  return static_cast<uInt>(bytes.size());
}

Bytef* input_bytes(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads them
}

}  // namespace

std::string gzip(std::string_view text) {
  z_stream stream{};
  int code =
      deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY);
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
namespace {

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  return std::stod(fmt::format("{:.{}g}", value, digits));
}

}  // namespace

const PointResult* MeasuredSpace::find(uint64_t trace_hash) const {
  const auto found = by_trace.find(trace_hash);
  return found == by_trace.end() ? nullptr : &points[found->second];
}

Result<void> MeasuredSpace::index() {
  by_trace.clear();
  for (size_t k = 0; k < points.size(); ++k) {
    const auto [earlier, is_new] = by_trace.emplace(points[k].trace_hash, k);
    if (!is_new) {
      return fail(fmt::format("points {} and {} have one trace, {:016x}", earlier->second + 1,
                              k + 1, points[k].trace_hash));
    }
  }
  return {};
}

PointResult measured_point(std::vector<int64_t> values, uint64_t trace_hash,
                           const MeasureResult& result) {
  constexpr int kTimeDigits = 5, kCostDigits = 3;
  return {.values = std::move(values),
          .trace_hash = trace_hash,
          .status = result.status,
          .seconds = result.status == Status::ok ? rounded(result.seconds, kTimeDigits) : 0,
          .first_seconds = 0,
          .build_seconds = rounded(result.times.build_seconds, kCostDigits),
          .check_seconds = rounded(result.times.check_seconds, kCostDigits),
          .run_seconds = rounded(result.times.run_seconds, kCostDigits)};
}

Result<void> write_measured_space(const std::string& path, const MeasuredSpace& space) {
  return replace_file(path, gzip(print_t4(space)));
}

Result<MeasuredSpace> read_measured_space(const std::string& path) {
  std::string bytes = TRY(read_file(path, "a measured space"));
  if (bytes.starts_with("\x1f\x8b")) {
    Result<std::string> text = gunzip(bytes);
    if (!text) return fail(fmt::format("{}: {}", path, text.error().message));
    bytes = std::move(*text);
  }
  Result<MeasuredSpace> space = parse_t4(bytes);
  if (!space) return fail(fmt::format("{}: {}", path, space.error().message));
  return space;
}

}  // namespace dovetail
