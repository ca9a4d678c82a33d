// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/write_package.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "core/base/files.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace dovetail::testing {
namespace {

namespace fs = std::filesystem;

PackageFiles small_package(const std::string& header = "int x;\n") {
  return {{"include/x.h", header},
          {"share/x/metadata.json", "{\"schema\": 1, \"tool\": \"dovetail 0.1.0\"}"}};
}

TEST(WritePackage, MakesAFolderOrFillsAnEmptyOne) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_package(small_package(), folder.path("a/b")).has_value());
  EXPECT_EQ(*read_file(folder.path("a/b/include/x.h")), "int x;\n");
  fs::create_directory(folder.path("empty"));
  ASSERT_TRUE(write_package(small_package(), folder.path("empty/")).has_value());
  EXPECT_TRUE(fs::exists(folder.path("empty/include/x.h")));
  for (const std::string& name : folder.files()) EXPECT_EQ(name.find(".part"), std::string::npos);
}

TEST(WritePackage, ReplacesOnlyAPackageAndOnlyByForce) {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  ASSERT_TRUE(write_package(small_package(), out).has_value());
  EXPECT_ERROR(write_package(small_package(), out), "is not empty; expected an empty folder");
  EXPECT_ERROR(check_package_folder(out, false), "is not empty");
  folder.write("out/stray", "");
  ASSERT_TRUE(write_package(small_package("int y;\n"), out, true).has_value());
  EXPECT_EQ(*read_file(folder.path("out/include/x.h")), "int y;\n");
  EXPECT_FALSE(fs::exists(folder.path("out/stray")));
  EXPECT_FALSE(fs::exists(folder.path("out.old")));
  fs::create_directory(folder.path("mine"));
  folder.write("mine/thesis", "ten years");
  EXPECT_ERROR(write_package(small_package(), folder.path("mine"), true), "no package of dovetail");
  EXPECT_EQ(*read_file(folder.path("mine/thesis")), "ten years");
  EXPECT_ERROR(write_package(small_package(), folder.path("mine/thesis"), true), "is no folder");
  EXPECT_ERROR(write_package(small_package(), ""), "cannot write to the folder");
}

// Nothing but its tool is read, so that an older Dovetail replaces what a newer one wrote.
TEST(WritePackage, ReplacesAPackageOfAnotherSchema) {
  const TemporaryFolder folder;
  PackageFiles other = small_package();
  for (auto& [path, bytes] : other)
    if (path.ends_with("metadata.json")) bytes = R"({"schema": 2, "tool": "dovetail 9.0.0"})";
  const std::string out = folder.path("out");
  ASSERT_TRUE(write_package(other, out).has_value());
  EXPECT_TRUE(write_package(small_package(), out, true).has_value());
  for (const char* damaged : {"", "{", "[]", R"({"schema": 2})", R"({"tool": 3, "schema": 1})"}) {
    folder.write("out/share/x/metadata.json", damaged);
    EXPECT_ERROR(write_package(small_package(), out, true), "no package of dovetail") << damaged;
  }
}

TEST(WritePackage, TakesAwayWhatAKilledBuildLeft) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_package(small_package(), folder.path("out.part")).has_value());
  ASSERT_TRUE(write_package(small_package(), folder.path("out")).has_value());
  EXPECT_FALSE(fs::exists(folder.path("out.part")));
  fs::create_directory(folder.path("two.part"));
  folder.write("two.part/mine", "");
  EXPECT_ERROR(write_package(small_package(), folder.path("two")), "no package of dovetail");
  EXPECT_TRUE(fs::exists(folder.path("two.part/mine")));
}

TEST(WritePackage, LeavesNothingWhereItFails) {
  const TemporaryFolder folder;
  folder.write("file", "");
  EXPECT_ERROR(write_package(small_package(), folder.path("file/out")), "cannot write");
  PackageFiles files = small_package();
  files["include/" + std::string(300, 'n')] = "";  // no file system has such names
  EXPECT_ERROR(write_package(files, folder.path("out")), "cannot write");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"file"});
}

TEST(WritePackage, GivesModesThatNoUmaskChanges) {
  const TemporaryFolder folder;
  const mode_t before = umask(0077);
  const Result<void> written = write_package(small_package(), folder.path("out"));
  umask(before);
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(fs::status(folder.path("out")).permissions(), fs::perms(0755));
  EXPECT_EQ(fs::status(folder.path("out/share/x")).permissions(), fs::perms(0755));
  EXPECT_EQ(fs::status(folder.path("out/include/x.h")).permissions(), fs::perms(0644));
}

}  // namespace
}  // namespace dovetail::testing
