// SPDX-License-Identifier: Apache-2.0
#include "core/base/printable.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(Printable, KeepsTextsOfAllLanguages) {
  for (const char* text : {"", "conv1.weight", "Größe", "卷积/輸出", "שלום", "a\\b \"c\"", "😀"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_lines(text), text);
    EXPECT_EQ(printable_json(text), text);
  }
}

TEST(Printable, EscapesWhatSteersATerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb\x07"), "a\\x1b[2Jb\\x07");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\x0ab\\x09c\\x0dd");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\u009b2J"), "\\xc2\\x9b2J") << "a control of one character";
}

TEST(Printable, EscapesWhatTurnsOrHides) {
  EXPECT_EQ(printable("a\u202Egnp.exe"), "a\\xe2\\x80\\xaegnp.exe");
  for (const char* text : {"\u202A", "\u2066", "\u2069", "\u200E", "\u200F", "\u061C", "\u200B",
                           "\u2028", "\u2029", "\uFEFF", "\u2060", "\U000E0041"})
    EXPECT_TRUE(printable(text).starts_with("\\x")) << printable(text);
}

TEST(Printable, EscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "too long a form of /";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a character of UTF-16";
}

TEST(Printable, KeepsLinesWhereAsked) { EXPECT_EQ(printable_lines("a\n\tb\x1b"), "a\n\tb\\x1b"); }

TEST(Printable, LeavesJsonJson) {
  EXPECT_EQ(printable_json("{\n\"a\": \"\x7f\u202e\"}"), "{\n\"a\": \"\\u007f\\u202e\"}");
  EXPECT_EQ(printable_json("\"\U000E0041\""), "\"\\udb40\\udc41\"");
  EXPECT_EQ(printable_json("\"\xff\""), "\"\\ufffd\"");
}

}  // namespace
}  // namespace dovetail
