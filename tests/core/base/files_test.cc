// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  std::string path(const char* name) const { return folder_.path(name); }
  std::string text(const char* name) const { return *read_file(path(name)); }
  std::vector<std::string> names() const { return folder_.files(); }

 private:
  const testing::TemporaryFolder folder_;
};

TEST_F(Files, ReadWhatWasWrittenByteForByte) {
  const std::string bytes("\0\r\n\xff", 4);
  ASSERT_TRUE(write_file(path("a"), bytes));
  EXPECT_EQ(text("a"), bytes);
  ASSERT_TRUE(replace_file(path("a"), "less"));
  EXPECT_EQ(text("a"), "less");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(Files, ErrorsNameTheFileAndWhatWasExpectedOfIt) {
  EXPECT_ERROR(read_file(path("none")), "cannot read " + path("none") + ": No such file");
  EXPECT_ERROR(read_file(path(".")), path(".") + " is a folder, expected a file");
  EXPECT_ERROR(read_file(path("."), "a trace"), path(".") + " is a folder, expected a trace");
  EXPECT_ERROR(write_file(path("none/a"), ""), "cannot write " + path("none/a") + ": No such file");
  EXPECT_ERROR(replace_file(path("none/a"), ""), "cannot write " + path("none/a"));
}

// None of these waits: a pipe without a writer would block whoever opens it, and /dev/zero has no
// end.
TEST_F(Files, AreReadOnlyWherePlain) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  fs::create_symlink(path("pipe"), path("link"));
  for (const char* name : {"pipe", "link"}) {
    EXPECT_ERROR(read_file(path(name), "a trace"), " is a pipe, expected a trace");
    EXPECT_ERROR(open_plain_file(path(name)), " is a pipe, expected a file");
    EXPECT_ERROR(open_plain_stream(path(name)), " is a pipe, expected a file");
    EXPECT_EQ(what_else_than_plain(path(name)), "a pipe");
  }
  EXPECT_ERROR(read_file("/dev/zero"), "/dev/zero is a device, expected a file");
  EXPECT_ERROR(read_file("/dev/stdin"), "/dev/stdin is ");
  ASSERT_TRUE(write_file(path("a"), "text"));
  fs::create_symlink(path("a"), path("to_a"));
  EXPECT_EQ(text("to_a"), "text");
  EXPECT_EQ(what_else_than_plain(path("to_a")), "");
  EXPECT_EQ(what_else_than_plain(path("none")), "");
}

TEST_F(Files, OfMoreThanAMemoryHoldsAreRefused) {
  ASSERT_TRUE(write_file(path("sparse"), ""));
  fs::resize_file(path("sparse"), uintmax_t{1} << 42);  // takes no disk
  EXPECT_ERROR(read_file(path("sparse")), "sparse has 4398046511104 bytes, expected at most");
}

TEST_F(Files, AreNotWrittenIntoAPipeThatNobodyReads) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_ERROR(write_file(path("pipe"), "text"), "nobody reads it");
  EXPECT_ERROR(replace_file(path("pipe"), "text"), "nobody reads it");
}

TEST_F(Files, ThatSayThatTheyAreEmptyAreReadToTheirEnd) {
  EXPECT_NE(read_file("/proc/self/status")->find("VmRSS"), std::string::npos);
}

TEST_F(Files, AreCheckedBeforeTheWorkThatMakesThem) {
  EXPECT_TRUE(check_replaceable(path("a")));
  ASSERT_TRUE(write_file(path("a"), "old"));
  EXPECT_TRUE(check_replaceable(path("a")));
  EXPECT_EQ(text("a"), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
  EXPECT_TRUE(check_replaceable("/dev/null"));
  EXPECT_ERROR(check_replaceable(path("none/a")), "cannot write " + path("none/a"));
  EXPECT_ERROR(check_replaceable(path(".")), path(".") + " is a folder, expected a file");
}

TEST_F(Files, OnAFullDiskLeaveNothingBehindAndSaySo) {
  EXPECT_ERROR(write_file("/dev/full", "text"), "cannot write /dev/full: No space left on device");
  fs::create_symlink("/dev/full", path("a.part"));
  EXPECT_ERROR(replace_file(path("a"), "text"), "a.part: No space left on device");
  fs::remove(path("a.part"));
  const std::string large(1 << 20, 'x');
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto written = replace_file(path("a"), large);
    _exit(!written && written.error().message.find("File too large") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(names(), std::vector<std::string>{});
}

TEST_F(Files, KeepTheOldTextWhereTheNewCannotBeWritten) {
  ASSERT_TRUE(write_file(path("a"), "old"));
  fs::create_directory(path("a.part"));
  EXPECT_FALSE(replace_file(path("a"), "new"));
  EXPECT_EQ(text("a"), "old");
}

TEST_F(Files, ThatAreDevicesOrLinksAreWrittenAndStayWhatTheyAre) {
  ASSERT_TRUE(write_file(path("a"), "old"));
  fs::create_symlink(path("a"), path("link"));
  ASSERT_TRUE(replace_file(path("link"), "new"));
  EXPECT_EQ(text("a"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  fs::create_symlink("/dev/null", path("null"));
  ASSERT_TRUE(replace_file(path("null"), "text"));
  EXPECT_TRUE(fs::is_character_file(path("null")));
}

}  // namespace
}  // namespace dovetail
