// SPDX-License-Identifier: Apache-2.0
#include "core/record/gzip.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/core/record/record_samples.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::TemporaryFolder;
using testing::write_file;

RC_GTEST_PROP(Gzip, GivesBackWhatItTook, (const std::string& text)) {
  RC_ASSERT(*gunzip(gzip(text)) == text);
  RC_ASSERT(gzip(text) == gzip(text));
}

TEST(Gzip, RefusesWhatIsNone) {
  EXPECT_ERROR(gunzip("text"), "no gzip data, or damaged");
  EXPECT_ERROR(gunzip(""), "gzip data that is cut off");
  EXPECT_ERROR(gunzip(gzip("text") + "more"), "something follows the gzip data");
  std::string damaged = gzip("a text that is long enough to be damaged in its middle");
  damaged[20] = static_cast<char>(damaged[20] ^ 0x55);
  EXPECT_ERROR(gunzip(damaged), "no gzip data, or damaged");
}

TEST(TextFiles, AreReadCompressedOrNotWhateverTheirNames) {
  const TemporaryFolder folder;
  for (const std::string name : {"a.jsonl", "a.jsonl.gz"}) {
    for (const bool compressed : {false, true}) {
      write_file(folder.path(name), compressed ? gzip("one\ntwo") : "one\ntwo");
      EXPECT_EQ(is_compressed(folder.path(name)), compressed);
      EXPECT_EQ(*read_text(folder.path(name)), "one\ntwo");
      const auto text = open_text(folder.path(name));
      ASSERT_TRUE(text.has_value());
      std::string line;
      EXPECT_TRUE(std::getline(**text, line) && line == "one");
      EXPECT_TRUE(std::getline(**text, line) && line == "two" && (*text)->eof());
    }
  }
}

TEST(TextFiles, ThatAreDamagedOrAbsentAreNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.gz");
  EXPECT_ERROR(open_text(path), "cannot read " + path + ": No such file");
  write_file(path, gzip("a text that will be cut off").substr(0, 15));
  EXPECT_ERROR(open_text(path), path + ": gzip data that is cut off");
  EXPECT_ERROR(read_text(path), path + ": gzip data that is cut off");
}

TEST(TextFiles, AreWrittenCompressedWhereTheirNameSaysSo) {
  const TemporaryFolder folder;
  ASSERT_TRUE(replace_text(folder.path("a.txt"), "text").has_value());
  ASSERT_TRUE(replace_text(folder.path("a.txt.gz"), "text").has_value());
  EXPECT_EQ(testing::read_file(folder.path("a.txt")), "text");
  EXPECT_EQ(testing::read_file(folder.path("a.txt.gz")), gzip("text"));
}

}  // namespace
}  // namespace dovetail
