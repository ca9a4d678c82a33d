// SPDX-License-Identifier: Apache-2.0
#include "core/base/printable.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace dovetail {
namespace {

struct CodePoints {
  uint32_t first, last;
};

// In addition to the controls below U+0020. Joiners (U+200C, U+200D) are part of some scripts, and
// stay.
constexpr CodePoints kHarmful[] = {
    {0x7F, 0x9F},        // DEL and the second set of controls
    {0xAD, 0xAD},        // soft hyphen: invisible
    {0x61C, 0x61C},      // direction of writing
    {0x180E, 0x180E},    // invisible
    {0x200B, 0x200B},    // likewise
    {0x200E, 0x200F},    // direction of writing
    {0x2028, 0x202E},    // line and paragraph separators; embeddings and overrides of direction
    {0x2060, 0x206F},    // invisible; isolates of direction
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFF9, 0xFFFB},    // annotations
    {0xFFFE, 0xFFFF},    // noncharacters, and forbidden in XML
    {0xE0000, 0xE007F},  // tags: invisible
};

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

uint32_t code_point_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  uint32_t code = lead & (0xFFU >> (character.size() + 1));
  for (const char byte : character.substr(1))
    code = code << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
  return code;
}

bool is_harmful(uint32_t code) {
  if (code < 0x20) return true;
  return std::ranges::any_of(
      kHarmful, [&](const CodePoints& range) { return code >= range.first && code <= range.last; });
}

void append_hex(uint32_t number, int digits, std::string& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (int i = digits - 1; i >= 0; --i) text += kDigits[number >> (4 * i) & 0xFU];
}

std::string byte_escapes(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += "\\x";
    append_hex(static_cast<unsigned char>(byte), 2, text);
  }
  return text;
}

// JSON writes code points beyond 16 bits as surrogate pairs.
std::string json_escapes(uint32_t code) {
  std::string text;
  const uint32_t beyond = code - 0x10000;
  const uint32_t halves[] = {0xD800 + (beyond >> 10U), 0xDC00 + (beyond & 0x3FFU)};
  for (const uint32_t half : halves) {
    text += "\\u";
    append_hex(code < 0x10000 ? code : half, 4, text);
    if (code < 0x10000) break;
  }
  return text;
}

// Calls `escape` with the bytes of each harmful character, and with each byte that is not UTF-8.
template <typename Escape>
std::string escaped(std::string_view text, bool keep_lines, const Escape& escape) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const size_t bytes = utf8_character_bytes(text);
    const std::string_view character = text.substr(0, std::max<size_t>(bytes, 1));
    const bool is_layout = keep_lines && (character == "\n" || character == "\t");
    const bool stays = is_layout || (bytes > 0 && !is_harmful(code_point_of(character)));
    shown += stays ? std::string(character) : escape(character, bytes > 0);
    text.remove_prefix(character.size());
  }
  return shown;
}

}  // namespace

size_t utf8_character_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return 1;
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return 0;
  for (size_t i = 1; i < bytes; ++i)
    if (!is_continuation(text[i])) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool too_long = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool not_unicode = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return too_long || not_unicode ? 0 : bytes;
}

std::string printable(std::string_view text) {
  return escaped(text, false, [](std::string_view bytes, bool) { return byte_escapes(bytes); });
}

std::string printable_lines(std::string_view text) {
  return escaped(text, true, [](std::string_view bytes, bool) { return byte_escapes(bytes); });
}

std::string printable_json(std::string_view json) {
  return escaped(json, true, [](std::string_view bytes, bool is_character) {
    return json_escapes(is_character ? code_point_of(bytes) : 0xFFFD);
  });
}

}  // namespace dovetail
