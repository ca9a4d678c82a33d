// SPDX-License-Identifier: Apache-2.0
#include "report/pages/markup.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/printable.h"

namespace dovetail {
namespace {

// Empty if the byte needs no escape.
std::string_view entity_of(char byte) {
  constexpr std::pair<char, std::string_view> kEntities[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  for (const auto& [character, entity] : kEntities)
    if (byte == character) return entity;
  return {};
}

// Characters of the text, each as its bytes.
std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    const size_t bytes = std::max<size_t>(utf8_character_bytes(text), 1);
    characters.push_back(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return characters;
}

// Widths relative to the font's size, as in DejaVu Sans and similar fonts.
double character_width(std::string_view character) {
  constexpr std::string_view kNarrow = "ijltr.,:;'|!()[] f";
  constexpr std::string_view kWide = "mwMW%@=+<>~";
  if (character.size() > 1) return 0.7;
  if (kNarrow.find(character.front()) != std::string_view::npos) return 0.38;
  if (kWide.find(character.front()) != std::string_view::npos) return 0.9;
  return character.front() >= 'A' && character.front() <= 'Z' ? 0.72 : 0.645;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (const char byte : printable_lines(text)) {
    const std::string_view entity = entity_of(byte);
    if (entity.empty())
      escaped += byte;
    else
      escaped += entity;
  }
  return escaped;
}

double text_width(std::string_view text, double font_size) {
  double width = 0;
  for (const std::string_view character : characters_of(text)) width += character_width(character);
  return width * font_size;
}

std::string fit_text(std::string_view text, double width, double font_size) {
  std::string shown = printable(text);
  if (text_width(shown, font_size) <= width) return shown;
  const std::vector<std::string_view> characters = characters_of(shown);
  // Takes characters from both ends, the beginning first: it has the operator and first sizes.
  std::string head;
  std::string tail;
  double left = width / font_size - character_width("…");
  for (size_t i = 0; i < characters.size(); ++i) {
    const bool at_head = i % 2 == 0;
    const std::string_view next =
        at_head ? characters[i / 2] : characters[characters.size() - 1 - i / 2];
    left -= character_width(next);
    if (left < 0) break;
    if (at_head)
      head += next;
    else
      tail.insert(0, next);
  }
  return head + "…" + tail;
}

std::string slug(std::string_view text) {
  std::string name;
  for (const char byte : text) {
    const bool upper = byte >= 'A' && byte <= 'Z';
    if (upper || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z'))
      name += upper ? static_cast<char>(byte - 'A' + 'a') : byte;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "x" : name;
}

}  // namespace dovetail
