// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/record.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "core/record/line/log_line.h"
#include "tests/core/record/record_samples.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::sample_failure;
using testing::sample_sentinel;
using testing::sample_trial;

Result<Record> read_back(const Record& record) {
  return parse_record(TRY(open_line(print(record))));
}

TEST(Record, PrintsItsFieldsInTheDocumentedOrder) {
  const std::string line = print(sample_trial(2));
  EXPECT_TRUE(
      line.starts_with(R"({"trial":2,"campaign":1,"task":"gmm:m=512,n=512,k=512","target":"cpu",)"
                       R"("trace":"layout B: split)"))
      << line;
  EXPECT_NE(
      line.find(R"("status":"ok","seconds":5e-04,"samples":[0.00055,5e-04,0.00045],)"
                R"("error":{"max_abs":0.0,"max_rel":0.0},)"
                R"("times":{"build":0.009,"run":0.03,"check":0.002,"search":0.0,"model":0.0},)"
                R"("workspace_bytes":4096,"strategy":"random","seed":0,"rejected":4,)"
                R"("elapsed":0.5,"crc":")"),
      std::string::npos)
      << line;
}

TEST(Record, OfATrialParsesWhatItPrints) {
  EXPECT_EQ(*read_back(sample_trial(1)), sample_trial(1));
}

TEST(Record, SaysWhereOperandsWere) {
  Record record = sample_trial(1);
  for (const Caches caches : {Caches::cold, Caches::network_l3, Caches::network_memory}) {
    record.caches = caches;
    EXPECT_NE(
        print(record).find(fmt::format(R"("default":true,"caches":"{}","status":)", print(caches))),
        std::string::npos);
    EXPECT_EQ(*read_back(record), record);
  }
  EXPECT_EQ(print(sample_trial(1)).find("caches"), std::string::npos) << "that is hot";
}

TEST(Record, OfAStateThatThisVersionDoesNotKnowIsRefused) {
  Record record = sample_trial(1);
  record.caches = Caches::cold;
  std::string object = *open_line(print(record));
  object.replace(object.find(R"(:"cold")"), 7, R"(:"warm")");
  EXPECT_ERROR(
      parse_record(object),
      "field caches: found 'warm', expected one of: hot, cold, network:l3, network:memory");
}

TEST(Record, OfSchema1SaidColdAlone) {
  Record cold = sample_trial(1);
  cold.caches = Caches::cold;
  cold.unknown["note"] = R"({"cold":true})";
  std::string object = *open_line(print(cold));
  object.replace(object.find(R"("caches":"cold")"), 15, R"("cold":true)");
  EXPECT_EQ(*parse_record(object, 1), cold);
}

TEST(Record, OfAFailureHasItsReasonAndNoTime) {
  const std::string line = print(sample_failure(3));
  EXPECT_NE(
      line.find(R"("status":"timeout","reason":"the run took longer than 2.0 s","seconds":null,)"),
      std::string::npos)
      << line;
  EXPECT_EQ(*read_back(sample_failure(3)), sample_failure(3));
}

TEST(Record, OfASentinelRefersToATrialAndIsNone) {
  const std::string line = print(sample_sentinel(1));
  EXPECT_TRUE(line.starts_with(R"({"kind":"sentinel","of_trial":1,)")) << line;
  EXPECT_EQ(line.find("\"trial\""), std::string::npos);
  EXPECT_EQ(line.find("\"trace\""), std::string::npos);
  EXPECT_EQ(*read_back(sample_sentinel(1)), sample_sentinel(1));
}

TEST(Record, KeepsNumbersThatJsonLacks) {
  Record record = sample_trial(1);
  record.result.max_abs_error = std::numeric_limits<double>::infinity();
  record.result.max_rel_error = std::numeric_limits<double>::quiet_NaN();
  const auto back = read_back(record);
  ASSERT_TRUE(back.has_value());
  EXPECT_TRUE(std::isinf(back->result.max_abs_error));
  EXPECT_TRUE(std::isnan(back->result.max_rel_error));
}

TEST(Record, KeepsFieldsItDoesNotKnow) {
  const std::string line = print(sample_trial(1));
  std::string object = *open_line(line);
  object.insert(object.size() - 1, R"(,"energy_joules":1.5,"host":{"rack":[1,null,"b"]})");
  object.insert(object.find("\"build\""), R"("lease":0.25,)");
  object.insert(object.find("\"max_abs\""), R"("ulps":3,)");
  const auto record = parse_record(object);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->unknown,
            (UnknownFields{{"energy_joules", "1.5"}, {"host", R"({"rack":[1,null,"b"]})"}}));
  EXPECT_EQ(record->unknown_times, (UnknownFields{{"lease", "0.25"}}));
  EXPECT_EQ(record->unknown_error, (UnknownFields{{"ulps", "3"}}));
  EXPECT_EQ(*read_back(*record), *record);
}

TEST(Record, PrintsBytesThatAreNotTextWithoutFailing) {
  Record record = sample_failure(1);
  record.result.reason = "ptxas said \xff\xfe \"no\"\n";
  const auto back = read_back(record);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->result.reason, "ptxas said \uFFFD\uFFFD \"no\"\n");
}

// Replaces `from` in a valid record's object by `to`.
Result<Record> parse_changed(std::string_view from, std::string_view to) {
  std::string object = *open_line(print(sample_trial(2)));
  const size_t at = object.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return parse_record(object.replace(at, from.size(), to));
}

TEST(Record, RefusesWrongFieldsNamingThem) {
  EXPECT_ERROR(parse_changed(R"("trial":2)", R"("trial":0)"),
               "field trial: found 0, expected an integer of 1 or more");
  EXPECT_ERROR(parse_changed(R"("trial":2)", R"("trial":"2")"), "field trial: found \"2\"");
  EXPECT_ERROR(parse_changed(R"("trial":2)", R"("trial":2.5)"), "field trial: found 2.5");
  EXPECT_ERROR(parse_changed(R"("trial":2)", R"("trial":18446744073709551615)"), "field trial");
  EXPECT_ERROR(parse_changed(R"("trial":2,)", ""), "field trial: missing");
  EXPECT_ERROR(parse_changed(R"("status":"ok")", R"("status":"fine")"),
               "status \"fine\" is unknown");
  EXPECT_ERROR(parse_changed(R"("seconds":5e-04)", R"("seconds":-1)"), "field seconds");
  EXPECT_ERROR(parse_changed(R"("seconds":5e-04)", R"("seconds":"inf")"), "field seconds");
  EXPECT_ERROR(parse_changed(R"("seconds":5e-04)", R"("seconds":null)"), "field seconds");
  EXPECT_ERROR(parse_changed(R"("samples":[0.00055,)", R"("samples":[true,)"), "field samples");
  EXPECT_ERROR(parse_changed(R"("max_abs":0.0)", R"("max_abs":[])"),
               "field error.max_abs: found []");
  EXPECT_ERROR(parse_changed(R"("build":0.009)", R"("build":1e999)"), "JSON");
  EXPECT_ERROR(parse_changed(R"("seed":0)", R"("seed":-1)"), "field seed");
  EXPECT_ERROR(parse_changed(R"("times":{)", R"("times":7,"x":{)"), "field times: found 7");
  EXPECT_ERROR(parse_changed(R"("trial":2)", R"("kind":"trial","trial":2)"), "field kind");
  EXPECT_ERROR(parse_changed(R"("trial":2)", R"("kind":"party","of_trial":2)"), "kind \"party\"");
}

TEST(Record, RefusesDeeplyNestedJsonInsteadOfOverflowingTheStack) {
  const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
  EXPECT_ERROR(parse_record(R"({"trial":)" + deep + "}"), "nested over 100 levels deep");
}

std::string any_text() { return *rc::gen::string<std::string>(); }
// The code points of valid UTF-8 that JSON must escape or may not.
std::string any_utf8() {
  const std::vector<std::string> letters = {
      "a", "\"", "\\", "\n",          "\t", std::string(1, '\0'),
      "é", "€",  "🕊", ",\"crc\":\"", "/",  "\x7f"};
  std::string text;
  for (const auto& letter :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(letters))) {
    text += letter;
  }
  return text;
}
double any_seconds() { return std::abs(*rc::gen::arbitrary<double>()); }

Record any_record() {
  Record record;
  record.kind =
      *rc::gen::element(RecordKind::trial, RecordKind::sentinel, RecordKind::confirmation);
  record.trial = *rc::gen::inRange<int64_t>(1, std::numeric_limits<int64_t>::max());
  record.campaign = *rc::gen::inRange<int64_t>(1, 1000);
  record.task = any_utf8();
  record.target = any_utf8();
  if (record.kind == RecordKind::trial) record.trace = any_utf8();
  record.is_default = *rc::gen::arbitrary<bool>();
  if (record.kind == RecordKind::confirmation)
    record.sitting = *rc::gen::inRange<int64_t>(0, std::numeric_limits<int64_t>::max());
  record.result.status = *rc::gen::elementOf(std::vector(kStatuses.begin(), kStatuses.end()));
  record.result.reason = any_utf8();
  record.result.samples.assign(*rc::gen::inRange<size_t>(1, 5), any_seconds() + 1e-9);
  record.result.seconds = record.result.samples.front();
  if (record.result.status != Status::ok && *rc::gen::arbitrary<bool>()) {
    record.result.samples.clear();
    record.result.seconds = 0;
  }
  record.result.max_abs_error = *rc::gen::arbitrary<double>();
  record.result.times.search_seconds = any_seconds();
  record.strategy = any_utf8();
  record.seed = *rc::gen::arbitrary<uint64_t>();
  record.rejected = *rc::gen::inRange<int64_t>(0, 1000);
  if (*rc::gen::arbitrary<bool>()) record.unknown["extra " + any_utf8()] = R"({"b":[1,2.5,null]})";
  if (*rc::gen::arbitrary<bool>()) record.unknown_times["lease"] = "0.5";
  return record;
}

RC_GTEST_PROP(RecordLaw, ParsesWhatItPrints, ()) {
  const Record record = any_record();
  const std::string line = print(record);
  RC_ASSERT(line.find('\n') == std::string::npos);
  const auto back = read_back(record);
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == record);
  RC_ASSERT(print(*back) == line);
}

RC_GTEST_PROP(RecordLaw, ReadsAnyBytesWithoutCrashing, ()) {
  const std::string bytes = any_text();
  (void)open_line(bytes);
  (void)parse_record(bytes);
  (void)parse_record("{" + bytes + "}");
}

}  // namespace
}  // namespace dovetail
