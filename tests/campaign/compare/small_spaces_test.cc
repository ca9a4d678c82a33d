// SPDX-License-Identifier: Apache-2.0
#include "campaign/compare/small_spaces.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

std::vector<std::string> notes_on(const std::vector<BudgetOnSpace>& budgets) {
  std::vector<std::string> notes;
  Listener listener;
  listener.note = [&](const std::string& text) { notes.push_back(text); };
  note_small_spaces(budgets, listener);
  return notes;
}

TEST(SmallSpaces, AreNotedInOneLineFromHalfOfTheirPointsOn) {
  EXPECT_EQ(notes_on({{"gmm", 30, 60}, {"c2d", 30, 61}, {"fc", 1, 1}}),
            std::vector<std::string>{
                "warning: gmm: 30 trials of 60 points; fc: 1 trial of 1 points: half of a space or "
                "more, where strategies can hardly differ"});
}

TEST(SmallSpaces, AreNotNotedWhereNoneIs) {
  EXPECT_TRUE(notes_on({{"c2d", 30, 61}, {"not measured", 30, 0}}).empty());
}

}  // namespace
}  // namespace dovetail
