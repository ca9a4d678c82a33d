// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include <gtest/gtest.h>

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
