// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/weights_file.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "core/base/check.h"
#include "core/base/round_up.h"
#include "deploy/package/xxhash64.h"

namespace dovetail {
namespace {

constexpr int64_t kPageBytes = 4096;

void append_little_endian(std::string& text, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i);
}

}  // namespace

WeightsLayout weights_layout(std::span<const int64_t> variant_bytes, int64_t alignment) {
  WeightsLayout layout{.sections = {}, .bytes = kWeightsHeaderBytes};
  for (const int64_t bytes : variant_bytes) {
    const bool is_first = layout.sections.empty();
    layout.sections.push_back(
        round_up(layout.bytes, is_first ? alignment : std::max(alignment, kPageBytes)));
    layout.bytes = layout.sections.back() + bytes;
  }
  return layout;
}

std::string weights_body(const PackageVariants& variants, const InterfaceArena& weights) {
  std::string body(static_cast<size_t>(weights.bytes), '\0');
  for (size_t v = 0; v < variants.size(); ++v) {
    const std::vector<std::byte>& constants = variants[v].executable->constants.at(weights.arena);
    const auto begin = static_cast<size_t>(weights.sections.at(v));
    CHECK(begin + constants.size() <= body.size(), "constants beyond their arena");
    std::ranges::transform(constants, body.begin() + static_cast<std::ptrdiff_t>(begin),
                           [](std::byte byte) { return static_cast<char>(byte); });
  }
  return body;
}

uint64_t weights_hash(const std::string& body) {
  return xxhash64(std::string_view(body).substr(kWeightsHeaderBytes));
}

std::string weights_header(size_t body_bytes, uint64_t hash, size_t file, const Sha256& id) {
  std::string header = "DOVEWTS1";
  append_little_endian(header, kWeightsVersion, 4);
  append_little_endian(header, file, 4);
  for (const uint8_t byte : id) header += static_cast<char>(byte);
  append_little_endian(header, body_bytes, 8);
  append_little_endian(header, hash, 8);
  CHECK(header.size() == kWeightsHeaderBytes);
  return header;
}

std::string with_weights_header(std::string body, const std::string& header) {
  return body.replace(0, header.size(), header);
}

}  // namespace dovetail
