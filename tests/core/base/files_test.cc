// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
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
