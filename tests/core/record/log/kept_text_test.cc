// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/kept_text.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(KeptText, GivesBackAllThatItWasGiven) {
  KeptText kept;
  EXPECT_EQ(kept.text(), "");
  std::string all;
  for (int line = 0; line < 100'000; ++line) {  // three blocks and a rest
    const std::string text = "{\"trial\":" + std::to_string(line) + ",\"status\":\"ok\"}\n";
    kept.append(text);
    all += text;
  }
  kept.append(std::string(5 << 20, 'y'));  // several at once
  all += std::string(5 << 20, 'y');
  kept.append("end\n");
  EXPECT_TRUE(kept.text() == all + "end\n");
  EXPECT_EQ(kept.tail(), std::string(KeptText::kTailBytes - 4, 'y') + "end\n");
}

}  // namespace
}  // namespace dovetail
