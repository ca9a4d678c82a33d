// SPDX-License-Identifier: Apache-2.0
#include "measure/host/scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/check.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

ScratchFolder created() {
  auto folder = ScratchFolder::create();
  CHECK(folder.has_value(), folder ? "" : folder.error().message);
  return *std::move(folder);
}

TEST(ScratchFolder, IsRemovedWithAllThatIsInIt) {
  std::string path;
  {
    const ScratchFolder folder = created();
    path = folder.path();
    EXPECT_TRUE(fs::is_directory(path));
    fs::create_directory(path + "/inside");
    std::ofstream(path + "/inside/file") << "text";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolder, ThatCannotBeNamesTheVariableThatAskedForIt) {
  const char* before = ::getenv("TMPDIR");
  const std::string saved = before != nullptr ? before : "";
  ::setenv("TMPDIR", "/nonexistent", 1);
  const auto folder = ScratchFolder::create();
  before != nullptr ? ::setenv("TMPDIR", saved.c_str(), 1) : ::unsetenv("TMPDIR");
  EXPECT_ERROR(folder, "no folder for temporary files: TMPDIR is /nonexistent: No such file");
}

TEST(ScratchFolder, OfAnEndedProgramIsRemovedByTheNextOne) {
  const pid_t ended = ::fork();
  if (ended == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(ended, nullptr, 0), ended);
  const fs::path abandoned =
      fs::temp_directory_path() / ("dovetail-scratch-" + std::to_string(ended) + "-AbCdEf");
  const fs::path unrelated = fs::temp_directory_path() / "dovetail-scratch-notes-of-someone";
  fs::create_directory(abandoned);
  fs::create_directory(unrelated);
  const ScratchFolder first = created();
  const ScratchFolder second = created();
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(unrelated));
  EXPECT_TRUE(fs::exists(first.path()));  // its program runs
  fs::remove(unrelated);
}

}  // namespace
}  // namespace dovetail
