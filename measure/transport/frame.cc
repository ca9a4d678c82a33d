// SPDX-License-Identifier: Apache-2.0
#include "measure/transport/frame.h"

#include "core/base/fail.h"

namespace dovetail {

void append(const std::vector<std::string>& texts, std::vector<std::byte>& payload) {
  for (const std::string& text : texts) {
    const uint64_t length = text.size();
    append(std::span(&length, 1), payload);
    append(text, payload);
  }
}

Result<void> read_payload(std::span<const std::byte> payload, std::vector<std::string>& texts) {
  texts.clear();
  for (auto rest = payload; !rest.empty();) {
    uint64_t length = 0;
    if (rest.size() < sizeof length)
      return fail("a payload ends in {} bytes, expected the length of a text", rest.size());
    std::memcpy(&length, rest.data(), sizeof length);
    rest = rest.subspan(sizeof length);
    if (length > rest.size())
      return fail("a text of {} bytes exceeds the {} bytes that follow", length, rest.size());
    texts.emplace_back(reinterpret_cast<const char*>(rest.data()), length);
    rest = rest.subspan(length);
  }
  return {};
}

}  // namespace dovetail
