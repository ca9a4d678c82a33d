// SPDX-License-Identifier: Apache-2.0
#include "search/agent/saved_agent.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/base/files.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

SavedAgent small_agent() {
  return {.shape = {.states = 1, .state_size = 3, .actors = 2, .hidden = 4},
          .tasks = {"c1d:ci=1,co=2,w=8,k=3", "gmm:m=8,n=8,k=8"},
          .trials = 120,
          .weights = {0.5F, -2.0F, 0.0F, 3.0F}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(SavedAgent, PrintsAndParses) {
  const std::string text = print(small_agent());
  EXPECT_EQ(text.substr(0, text.find("crc ")),
            "dovetail agent 1\nstates 1\nstate_size 3\nactors 2\nhidden 4\n"
            "tasks c1d:ci=1,co=2,w=8,k=3 gmm:m=8,n=8,k=8\ntrials 120\n");
  EXPECT_EQ(text.substr(text.find("weights ")),
            std::string("weights 4\n") + std::string("\0\0\0\x3f", 4) +
                std::string("\0\0\0\xc0", 4) + std::string(4, '\0') +
                std::string("\0\0\x40\x40", 4));
  EXPECT_EQ(*parse_saved_agent(text), small_agent());
}

TEST(SavedAgent, CountsATaskOnceAndItsTrialsAlways) {
  SavedAgent agent = small_agent();
  agent.add_training("gmm:m=8,n=8,k=8", 5);
  agent.add_training("c2d:ci=1,co=1,h=8,w=8,k=1", 7);
  EXPECT_EQ(agent.tasks.size(), 3u);
  EXPECT_EQ(agent.trials, 132);
}

TEST(SavedAgent, SaysWhatIsWrongWithAFile) {
  const std::string text = print(small_agent());
  const auto expect = [](const std::string& of, const std::string& message) {
    EXPECT_ERROR(parse_saved_agent(of), message);
  };
  expect("", "no saved agent: expected a line 'dovetail agent …', found ''");
  expect("dovetail cost model xgboost\n", "found 'dovetail cost model xgboost'");
  expect(replaced(text, "agent 1", "agent 2"), "saved agent: its form is 2, expected 1");
  expect(replaced(text, "hidden 4", "hidden 0"), "hidden is 0, expected 1 to 2147483647");
  expect(replaced(text, "trials 120", "trials x"), "trials is 'x', expected a count");
  expect(text.substr(0, text.size() - 1), "15 bytes of weights, expected 4 for each of 4");
  expect(replaced(text, "weights 4\n", "weights 4611686018427387908\n"),
         "16 bytes of weights, expected 4 for each of 4611686018427387908");
  std::string flipped = text;
  flipped.back() ^= 1;
  expect(flipped, "damaged: the checksum of its weights is ");
  SavedAgent broken = small_agent();
  broken.weights[2] = std::numeric_limits<float>::quiet_NaN();
  expect(print(broken), "weight 3 is nan, expected a finite number");
}

TEST(SavedAgent, OfAnotherShapeIsRefusedByNameOfTheFileAndWhatDiffers) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("a.agent");
  ASSERT_TRUE(write_file(path, print(small_agent())));
  const AgentShape own = small_agent().shape;
  EXPECT_EQ(*read_saved_agent(path, own), small_agent());
  AgentShape other = own;
  other.hidden = 64;
  EXPECT_ERROR(read_saved_agent(path, other), path + ": saved agent: hidden is 4, expected 64");
  other = own;
  other.states = 2;
  EXPECT_ERROR(read_saved_agent(path, other),
               "its states have version 1, this program's 2; train it again");
  other = own;
  other.state_size = 72;
  EXPECT_ERROR(read_saved_agent(path, other), "state_size is 3, expected 72");
  EXPECT_ERROR(read_saved_agent(folder.path("none"), own), "none");
}

}  // namespace
}  // namespace dovetail
