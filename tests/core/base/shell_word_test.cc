// SPDX-License-Identifier: Apache-2.0
#include "core/base/shell_word.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(ShellWord, QuotesOnlyWhatTheShellWouldReadOtherwise) {
  EXPECT_EQ(shell_word("c2d:ci=16,co=32"), "c2d:ci=16,co=32");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
}

}  // namespace
}  // namespace dovetail
