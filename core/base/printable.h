// SPDX-License-Identifier: Apache-2.0
#pragma once

// Texts that others wrote, as they may be shown: what moves a cursor, turns the direction of
// writing, hides, or is no UTF-8, is shown as the escapes of its bytes.
//
//   printable("conv\x1b[2J")     conv\x1b[2J       a terminal would clear itself
//   printable("a\nb\u202e")      a\x0ab\xe2\x80\xae
//   printable("Größe 卷积")       Größe 卷积
//   printable_lines("a\nb\x1b")  two lines, the second is b\x1b
//   printable_json(R"("b")")     DEL in a JSON text becomes \u007f: it stays JSON
//
// Names of a model are whatever its author wrote, and they come into messages, tables, pages and
// progress bars. They are kept as they are (inputs are found by them) and made harmless where they
// leave the program, in the few places that every text passes. The spelling is that of quoted names
// in our own formats (core/ir/graph/name_text.h).

#include <string>
#include <string_view>

namespace dovetail {

// On one line: line feeds and tabs are escaped, too.
std::string printable(std::string_view text);

// Line feeds and tabs stay: for whole tables and listings.
std::string printable_lines(std::string_view text);

// A JSON text with the same characters as escapes of JSON; they stand in its strings only.
std::string printable_json(std::string_view json);

// Bytes of the sound UTF-8 character at the begin of a text that is not empty; 0: there is none.
size_t utf8_character_bytes(std::string_view text);

}  // namespace dovetail
