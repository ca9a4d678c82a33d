// SPDX-License-Identifier: Apache-2.0
// Standard streams that are full or closed, and too few file descriptors.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "core/base/files.h"
#include "tests/support/golden.h"
#include "tests/tools/report/report_verb.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::TemporaryFolder;

std::string log_of(int64_t num_trials) {
  std::string text = print(testing::header_of(1)) + "\n";
  for (int64_t trial = 1; trial <= num_trials; ++trial)
    text += print(testing::trial_of("gmm:m=8,n=8,k=8", trial, 1e-6)) + "\n";
  return text;
}

// The exit code of a line of the shell, in which $dovetail is the program.
int code_of(const std::string& line, const TemporaryFolder& folder) {
  const std::string program = (testing::binary_dir() / "dovetail").string();
  const std::string command =
      "cd '" + folder.folder().string() + "' && dovetail='" + program + "' && " + line;
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(StandardStreams, OnAFullDiskAreAnErrorWithItsReasonWhateverIsPrinted) {
  const TemporaryFolder folder;
  folder.write("small.jsonl", log_of(1));
  folder.write("large.jsonl", log_of(1000));  // more than any buffer holds
  for (const char* arguments :
       {"log best small.jsonl", "log merge small.jsonl", "log merge large.jsonl",
        "log export large.jsonl", "log verify small.jsonl", "--help", "tune --help", "--version"}) {
    const std::string line = fmt::format("\"$dovetail\" {} > /dev/full 2> err.txt", arguments);
    EXPECT_EQ(code_of(line, folder), 1) << arguments;
    EXPECT_EQ(*read_file(folder.path("err.txt")),
              "dovetail: cannot write to stdout: No space left on device\n")
        << arguments;
  }
}

TEST(StandardStreams, ThatAreClosedLeaveTheLogAlone) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const TemporaryFolder folder;
  const std::string tune = "\"$dovetail\" tune gmm:m=8,n=8,k=8 --trials 3 --log a.jsonl";
  EXPECT_EQ(code_of(tune + " <&- >&- 2>&-", folder), 0);
  EXPECT_EQ(code_of("\"$dovetail\" log verify a.jsonl > out.txt", folder), 0);
  EXPECT_NE(read_file(folder.path("out.txt"))->find("sound"), std::string::npos);
}

int code_of_tuning_under(const std::string& limit, const TemporaryFolder& folder) {
  return code_of(limit +
                     " && \"$dovetail\" tune gmm:m=8,n=8,k=8 --trials 3 "
                     "--log a.jsonl > out.txt 2> err.txt",
                 folder);
}

TEST(StandardStreams, AreNotTooFewWhereTheLimitCanBeRaised) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const TemporaryFolder folder;
  EXPECT_EQ(code_of_tuning_under("ulimit -Sn 24", folder), 0) << *read_file(folder.path("err.txt"));
}

TEST(StandardStreams, AreNamedWhereTheyAreTooFew) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const TemporaryFolder folder;
  EXPECT_EQ(code_of_tuning_under("ulimit -n 40", folder), 4);
  const std::string error = *read_file(folder.path("err.txt"));
  EXPECT_NE(error.find("40 descriptors may be open here (ulimit -n), expected 100 or more"),
            std::string::npos)
      << error;
  EXPECT_EQ(error.find("no valid candidate"), std::string::npos) << error;
}

TEST(StandardStreams, BeyondTheLimitOfAFileSizeAreAnErrorWithItsReason) {
  const TemporaryFolder folder;
  folder.write("large.jsonl", log_of(1000));
  EXPECT_EQ(
      code_of("ulimit -f 8 && \"$dovetail\" log merge large.jsonl -o out.jsonl 2> err.txt", folder),
      1);
  EXPECT_NE(read_file(folder.path("err.txt"))->find("File too large"), std::string::npos);
}

TEST(StandardStreams, GiveASuite) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const TemporaryFolder folder;
  const std::string show = " | \"$dovetail\" show @- > out.txt 2> err.txt";
  EXPECT_EQ(code_of("printf 'fc = gmm:m=8,n=8,k=8\\nhead = gmm:m=4,n=4,k=4\\n'" + show, folder), 0);
  const std::string table = *read_file(folder.path("out.txt"));
  EXPECT_NE(table.find("head"), std::string::npos) << table;
  EXPECT_EQ(code_of("printf 'gmm:m=8'" + show, folder), 1);
  EXPECT_TRUE(read_file(folder.path("err.txt"))->starts_with("dovetail: stdin:1: expected name"));
}

// `script` runs a program on a terminal of its own.
TEST(StandardStreams, AreColouredOnATerminalAlone) {
  const TemporaryFolder folder;
  const std::string on_terminal = "script -qec '\"$dovetail\" tun' /dev/null > out.txt < /dev/null";
  EXPECT_EQ(code_of("export dovetail TERM=xterm NO_COLOR=; " + on_terminal, folder), 1);
  EXPECT_NE(read_file(folder.path("out.txt"))->find("\033[31mdovetail:\033[0m unknown verb"),
            std::string::npos);
  for (const char* plain : {"TERM=xterm NO_COLOR=1; ", "TERM=dumb NO_COLOR=; "}) {
    EXPECT_EQ(code_of(std::string("export dovetail ") + plain + on_terminal, folder), 1);
    const std::string said = *read_file(folder.path("out.txt"));
    EXPECT_EQ(said.find('\033'), std::string::npos) << said;
    EXPECT_NE(said.find("dovetail: unknown verb"), std::string::npos) << said;
  }
  EXPECT_EQ(code_of("TERM=xterm \"$dovetail\" tun 2> out.txt", folder), 1);
  EXPECT_EQ(read_file(folder.path("out.txt"))->find('\033'), std::string::npos);
}

// Root has as many threads as it likes, so the program runs as nobody.
TEST(Threads, ThatAreNotToBeHadAreOneLine) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer looks for leaks in a thread of its own";
#endif
  if (geteuid() != 0) GTEST_SKIP() << "needs root, to run the program as another user";
  const TemporaryFolder folder;
  const std::string as_nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  EXPECT_EQ(code_of("chmod 755 . && cp \"$dovetail\" here && " + as_nobody +
                        "bash -c 'ulimit -u 2 && exec ./here doctor' 2> err.txt > /dev/null",
                    folder),
            4);
  const std::string said = *read_file(folder.path("err.txt"));
  EXPECT_EQ(testing::count_lines(said), 1u) << said;
  EXPECT_TRUE(said.starts_with("dovetail: no thread can be started: ")) << said;
}

}  // namespace
}  // namespace dovetail
