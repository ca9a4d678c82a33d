// SPDX-License-Identifier: Apache-2.0
#include "core/base/spawn_settings.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <string>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

constexpr int kAnswer = 5;  // the descriptor that the script answers on

// The answer is what a shell script writes to its descriptor 5, up to 256 bytes.
std::string answer_of(const std::string& script, const std::vector<std::string>& environment = {}) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  SpawnSettings settings;
  settings.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  settings.hand_over(writer.get(), kAnswer);
  const Result<pid_t> pid = settings.start({"/bin/sh", "-c", script}, environment);
  EXPECT_TRUE(pid) << pid.error().message;
  EXPECT_EQ(::waitpid(*pid, nullptr, 0), *pid);
  std::string answer(256, '\0');
  const ssize_t count = ::read(reader.get(), answer.data(), answer.size());
  answer.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return answer;
}

TEST(SpawnSettings, HandsOverADescriptorUnderItsNumber) {
  EXPECT_EQ(answer_of("echo here >&5"), "here\n");
}

TEST(SpawnSettings, HandsOverNothingAboveThat) {
  const Descriptor ours(::open("/dev/null", O_RDONLY));  // inherited, were it not for the settings
  ASSERT_GT(ours.get(), 2);
  const Descriptor high(::fcntl(ours.get(), F_DUPFD, 40));
  const std::string number = std::to_string(high.get());
  EXPECT_EQ(answer_of("[ -e /proc/$$/fd/" + number + " ] || echo closed >&5"), "closed\n");
}

TEST(SpawnSettings, ReplacesVariablesOfTheEnvironmentAndKeepsTheOthers) {
  ::setenv("DOVETAIL_TEST_KEPT", "kept", 1);
  ::setenv("DOVETAIL_TEST_REPLACED", "old", 1);
  EXPECT_EQ(answer_of("echo $DOVETAIL_TEST_KEPT $DOVETAIL_TEST_REPLACED >&5",
                      {"DOVETAIL_TEST_REPLACED=new"}),
            "kept new\n");
}

TEST(SpawnSettings, GiveTheProgramAProcessGroupOfItsOwn) {
  EXPECT_EQ(answer_of("read -r pid name state parent group rest < /proc/$$/stat; "
                      "[ $pid = $group ] && echo its own >&5"),
            "its own\n");
}

TEST(SpawnSettings, SayWhichProgramCannotBeStarted) {
  EXPECT_ERROR(SpawnSettings().start({"/nonexistent/program"}),
               "cannot start /nonexistent/program: No such file");
}

}  // namespace
}  // namespace dovetail
