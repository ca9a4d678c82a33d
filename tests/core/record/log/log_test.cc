// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/log.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/record/gzip.h"
#include "core/record/line/log_line.h"
#include "tests/core/record/record_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::read_file;
using testing::sample_failure;
using testing::sample_header;
using testing::sample_sentinel;
using testing::sample_trial;
using testing::TemporaryFolder;
using testing::write_file;

std::string sample_log() {
  return print(sample_header()) + "\n" + print(sample_trial(1)) + "\n" + print(sample_failure(2)) +
         "\n" + print(sample_sentinel(1)) + "\n" + print(sample_trial(3)) + "\n";
}

class LogFile : public ::testing::Test {
 protected:
  Result<Log> read(std::string_view bytes) {
    write_file(path_, bytes);
    return read_log(path_);
  }
  TemporaryFolder folder_;
  std::string path_ = folder_.path("tune.jsonl");
};

TEST_F(LogFile, IsItsHeadersAndRecordsInOrder) {
  const auto log = read(sample_log());
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(log->headers, std::vector{sample_header()});
  EXPECT_EQ(log->records,
            (std::vector{sample_trial(1), sample_failure(2), sample_sentinel(1), sample_trial(3)}));
  EXPECT_TRUE(log->warnings.empty());
  EXPECT_EQ(log->num_lines, 5);
}

// Files of version 1 stay as they are for ever; a later schema gets files of its own, which say how
// it writes the same.
TEST_F(LogFile, OfSchema1IsStillReadAndWrittenAsSchema2) {
  const auto golden_of = [](const std::string& name) {
    return testing::source_file("tests/golden/core/record/" + name + ".jsonl");
  };
  const std::string golden = golden_of("schema_2");
  EXPECT_EQ(read(golden)->records, read(golden_of("schema_1"))->records);
  const auto log = read(golden_of("schema_1"));
  ASSERT_TRUE(log.has_value()) << log.error().message;
  EXPECT_TRUE(log->warnings.empty());
  ASSERT_EQ(log->headers.size(), 2u);
  ASSERT_EQ(log->records.size(), 6u);
  std::string written = print(log->headers[0]) + "\n";
  for (size_t i = 0; i < log->records.size(); ++i) {
    if (i == 4) written += print(log->headers[1]) + "\n";
    written += print(log->records[i]) + "\n";
  }
  EXPECT_EQ(written, golden);
  EXPECT_EQ(log->records[0].trial, 1);
  EXPECT_TRUE(log->records[0].is_default);
  EXPECT_EQ(log->records[1].result.status, Status::wrong_output);
  EXPECT_EQ(log->records[2].kind, RecordKind::sentinel);
  EXPECT_EQ(log->records[3].kind, RecordKind::confirmation);
  EXPECT_EQ(log->records[5].unknown.at("energy_joules"), "1.5");
}

TEST_F(LogFile, InTheDocumentationIsOneAsThisVersionWritesIt) {
  const std::string page = read_file((testing::source_dir() / "docs/log-format.md").string());
  const std::string fence = "```jsonl tune.jsonl\n";
  const size_t start = page.find(fence) + fence.size();
  const std::string example = page.substr(start, page.find("```", start) - start);
  const auto log = read(example);
  ASSERT_TRUE(log.has_value()) << log.error().message;
  EXPECT_TRUE(log->warnings.empty());
  ASSERT_EQ(log->records.size(), 3u);
  EXPECT_EQ(log->rounds.size(), 1u);
  EXPECT_EQ(print(*log), example);
}

TEST_F(LogFile, IsReadCompressedAsItIsNot) {
  const std::string text = sample_log();
  const auto plain = read(text), compressed = read(gzip(text));
  ASSERT_TRUE(compressed.has_value()) << compressed.error().message;
  EXPECT_EQ(print(*compressed), print(*plain));
  EXPECT_EQ(read_record(*parse_record_name(path_ + "#1.3"))->trial, 3);
  EXPECT_ERROR(read(gzip(text).substr(0, 100)), "log " + path_ + ": gzip data that is cut off");
}

TEST_F(LogFile, WithATornLastLineIsReadUpToIt) {
  const std::string whole = sample_log();
  const auto log = read(whole.substr(0, whole.size() - 20));
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(log->records.size(), 3u);
  ASSERT_EQ(log->warnings.size(), 1u);
  EXPECT_TRUE(log->warnings[0].torn);
  EXPECT_EQ(print(log->warnings[0], "x.jsonl"), "x.jsonl line 5: unfinished last line; skipped");
}

TEST_F(LogFile, LosesOnlyTheLineThatIsDamaged) {
  std::string bytes = sample_log();
  const size_t second = bytes.find("\"trial\":1,");
  bytes[second + 8] = '7';
  const auto log = read(bytes);
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(log->records.size(), 3u);
  ASSERT_EQ(log->warnings.size(), 1u);
  EXPECT_EQ(log->warnings[0].line, 2);
  EXPECT_FALSE(log->warnings[0].torn);
  EXPECT_NE(log->warnings[0].text.find("checksum is"), std::string::npos);
}

TEST_F(LogFile, SkipsLinesThatAreNoRecordsWithTheirNumbers) {
  const std::string header = print(sample_header()) + "\n";
  const auto log = read(header + "hello\n\n" + seal_line(R"({"trial":1})") + "\n" +
                        seal_line(R"({"colour":"red"})") + "\n" + print(sample_trial(1)) + "\n" +
                        std::string(64, '\0') + "\n[1,2]\n");
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(log->records, std::vector{sample_trial(1)});
  std::vector<int64_t> lines;
  for (const LogWarning& warning : log->warnings) lines.push_back(warning.line);
  EXPECT_EQ(lines, (std::vector<int64_t>{2, 3, 4, 5, 7, 8}));
}

TEST_F(LogFile, CountsATrialOnce) {
  Record other_task = sample_trial(1);
  other_task.task = "gmm:m=8,n=8,k=8";
  const auto log = read(sample_log() + print(sample_trial(3)) + "\n" + print(other_task) + "\n");
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(log->records.size(), 5u);
  ASSERT_EQ(log->warnings.size(), 1u);
  EXPECT_EQ(log->warnings[0].text,
            "trial 3 of gmm:m=512,n=512,k=512 in campaign 1 is here a second time; skipped");
}

TEST_F(LogFile, SkipsACampaignWhoseHeaderIsLostAndKeepsItsNumberTaken) {
  Record orphan = sample_trial(1);
  orphan.campaign = 5;
  Record second = sample_trial(2);
  second.campaign = 5;
  const auto log = read(sample_log() + print(orphan) + "\n" + print(second) + "\n");
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(log->records.size(), 4u);
  ASSERT_EQ(log->warnings.size(), 1u);
  EXPECT_EQ(log->warnings[0].text, "campaign 5 has no header; its records are skipped");
  EXPECT_EQ(log->last_campaign, 5);
}

TEST_F(LogFile, WithoutAHeaderIsNoLog) {
  EXPECT_ERROR(read(""), "is not a log: the file is empty, expected a header line");
  EXPECT_ERROR(read("hello\n"), "is not a log: line 1 (hello): not a JSON object");
  EXPECT_ERROR(read(print(sample_trial(1)) + "\n"), "is not a log: line 1 is a record");
  EXPECT_ERROR(read(sample_log().substr(1)), "is not a log: line 1");
  EXPECT_ERROR(read(std::string("\x7f"
                                "ELF\0\1\2",
                                7)),
               "is not a log: line 1 (?ELF?");
}

TEST_F(LogFile, OfANewerSchemaIsRefusedAndNotSkipped) {
  EXPECT_ERROR(read(sample_log() + seal_line(R"({"schema":3})") + "\n"),
               "tune.jsonl line 6: schema 3 is newer than this program's 2");
}

TEST_F(LogFile, ThatCannotBeReadSaysWhy) {
  EXPECT_ERROR(read_log(folder_.path("missing.jsonl")), "missing.jsonl does not exist");
  EXPECT_ERROR(read_log(folder_.path("")), "is a folder, expected a file");
  EXPECT_ERROR(read_log("/dev/zero"), "is a device or pipe, expected a plain file");
  const std::string pipe = folder_.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_ERROR(read_log(pipe), "is a device or pipe, expected a plain file");
}

TEST_F(LogFile, FindsARecordByItsName) {
  const auto log = read(sample_log());
  const auto record = find_record(*log, *parse_record_name("x#1.3"));
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(*record, sample_trial(3));
  EXPECT_EQ(print(name_of(*log, *record)), path_ + "#1.3");
  EXPECT_ERROR(find_record(*log, *parse_record_name("x#1.4")),
               "x#1.4: no such trial in campaign 1 of " + path_ + ", which has 3 trials");
  EXPECT_ERROR(find_record(*log, *parse_record_name("x#2.1")), "x#2.1: no campaign 2");
}

TEST_F(LogFile, GivesARecordByItsNameAsAFullReadDoes) {
  ASSERT_TRUE(read(sample_log() + "{\"trial\":4,\"campaign\":1").has_value());
  for (int64_t trial = 1; trial <= 4; ++trial) {
    const RecordName name{path_, 1, trial, ""};
    EXPECT_EQ(read_record(name), find_record(*read_log(path_), name)) << print(name);
  }
  EXPECT_ERROR(read_record({folder_.path("none.jsonl"), 1, 1, ""}), "does not exist");
  EXPECT_ERROR(read_record({path_, 7, 1, ""}), "no campaign 7");
}

TEST_F(LogFile, NamesTheTaskWhereACampaignHasSeveral) {
  Record other = sample_trial(1);
  other.task = "gmm:m=8,n=8,k=8";
  const auto log = read(sample_log() + print(other) + "\n");
  EXPECT_EQ(print(name_of(*log, other)), path_ + "#1.1@gmm:m=8,n=8,k=8");
  EXPECT_EQ(*find_record(*log, name_of(*log, other)), other);
  EXPECT_ERROR(
      find_record(*log, *parse_record_name("x#1.1")),
      "x#1.1 names 2 records, one per task; expected one, as in x#1.1@gmm:m=512,n=512,k=512");
  EXPECT_ERROR(find_record(*log, *parse_record_name("x#1.9")),
               ", whose tasks have at most 3 trials each");
}

// Two networks of one campaign have a layer `dense`; `head` is of one alone.
TEST_F(LogFile, FindsARecordByTheNameThatTablesPrint) {
  Record other = sample_trial(1);
  other.task = "gmm:m=8,n=8,k=8";
  LogHeader header = sample_header();
  header.layers = {{.name = "dense", .spec = sample_trial(1).task},
                   {.name = "dense", .spec = other.task, .model = "b.onnx"},
                   {.name = "head", .spec = other.task, .model = "b.onnx"}};
  const auto log = read(print(header) + "\n" + print(sample_trial(1)) + "\n" +
                        print(sample_trial(3)) + "\n" + print(other) + "\n");
  EXPECT_EQ(*find_record(*log, *parse_record_name("x#1.1@head")), other);
  EXPECT_EQ(read_record({path_, 1, 1, "head"}), other);
  EXPECT_EQ(*find_record(*log, *parse_record_name("x#1.3@dense")), sample_trial(3));
  EXPECT_ERROR(
      find_record(*log, *parse_record_name("x#1.1@dense")),
      "x#1.1@dense names 2 records, one per task; expected one, as in x#1.1@gmm:m=512,n=512,k=512");
  EXPECT_ERROR(find_record(*log, *parse_record_name("x#1.2@head")), ", which has 1 trial");
  EXPECT_ERROR(find_record(*log, *parse_record_name("x#1.3@dense2")),
               "no task 'dense2' in campaign 1 of " + path_ +
                   "; expected one of: dense, head, or its operator; did you mean dense?");
}

// A distilled log keeps some of the trials, with their numbers.
TEST_F(LogFile, SaysWhichTrialIsTheLastOfAThinnedLog) {
  const auto log = read(print(sample_header()) + "\n" + print(sample_trial(1)) + "\n" +
                        print(sample_trial(3)) + "\n");
  EXPECT_ERROR(find_record(*log, *parse_record_name("x#1.2")),
               ", which has 2 trials, the last with number 3");
}

}  // namespace
}  // namespace dovetail
