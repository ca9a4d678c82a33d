// SPDX-License-Identifier: Apache-2.0
#pragma once

// Makes untrusted text safe to display: characters that move the cursor, change the direction of
// writing or are invisible, and bytes that are not UTF-8, become escapes of their bytes.
//
//   printable("conv\x1b[2J")     conv\x1b[2J       a terminal would clear itself
//   printable("a\nb\u202e")      a\x0ab\xe2\x80\xae
//   printable("Größe 卷积")       Größe 卷积
//   printable_lines("a\nb\x1b")  two lines, the second is b\x1b
//   printable_json(R"("b")")     DEL in a JSON text becomes \u007f: it stays JSON
//
// A model's author may choose any names, and they appear in messages, tables, pages and progress
// bars. They are stored unchanged (inputs are found by them) and escaped on output, in the few
// places that every text passes through. The escapes are those of quoted names in Dovetail's own
// formats (core/ir/graph/name_text.h).

#include <string>
#include <string_view>

namespace dovetail {

// Returns one line: line feeds and tabs are escaped, too.
std::string printable(std::string_view text);

// Keeps line feeds and tabs, for whole tables and listings.
std::string printable_lines(std::string_view text);

// Escapes the same characters of a JSON text as \uXXXX; they occur only inside its strings.
std::string printable_json(std::string_view json);

// Bytes of the valid UTF-8 character that a non-empty text begins with; 0 when there is none.
size_t utf8_character_bytes(std::string_view text);

}  // namespace dovetail
