// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/best_record.h"

#include <gtest/gtest.h>

#include "tests/core/record/record_samples.h"

namespace dovetail {
namespace {

using testing::sample_failure;
using testing::sample_header;
using testing::sample_trial;

Record trial_of(int64_t trial, double seconds, int64_t campaign = 1) {
  Record record = sample_trial(trial);
  record.campaign = campaign;
  record.result.seconds = seconds;
  record.result.samples = {seconds};
  return record;
}

Record confirmation_of(int64_t trial, double seconds, Status status = Status::ok) {
  Record record = trial_of(trial, seconds);
  record.kind = RecordKind::confirmation;
  record.trace = {};
  record.result.status = status;
  return record;
}

Log log_of(std::vector<Record> records) {
  Log log;
  log.path = "tune.jsonl";
  log.headers = {sample_header()};
  LogHeader second = sample_header();
  second.campaign = 2;
  second.device.name = "AMD Ryzen";
  log.headers.push_back(second);
  log.records = std::move(records);
  return log;
}

TaskQuery query() { return {"gmm:m=512,n=512,k=512", "cpu", sample_header().device}; }

TEST(BestRecord, IsTheFastestValidOne) {
  Record wrong = sample_failure(3);
  wrong.result.status = Status::wrong_output;
  wrong.result.seconds = 0.1;
  wrong.result.samples = {0.1};
  const Log log = log_of({trial_of(1, 3), trial_of(2, 1), wrong, trial_of(4, 2)});
  const RecordMatch match = best_record(log, query());
  EXPECT_EQ(match.level, MatchLevel::exact);
  EXPECT_EQ(match.best->record.trial, 2);
  EXPECT_EQ(match.best->seconds, 1);
  EXPECT_EQ(match.name, "tune.jsonl#1.2");
  EXPECT_EQ(match.explanation, "");
}

TEST(BestRecord, OfThoseAcceptedIsNamedAsTheWholeLogNamesIt) {
  Record other = trial_of(2, 0.5);
  other.task = "gmm:m=8,n=8,k=8";
  const Log log = log_of({trial_of(1, 1), other, trial_of(2, 3)});
  const RecordMatch match =
      best_record(log, query(), [&](const Record& record) { return record.task == query().task; });
  EXPECT_EQ(match.name, "tune.jsonl#1.1@gmm:m=512,n=512,k=512");
  const auto is_second = [](const Record& record) { return record.trial == 2; };
  EXPECT_EQ(best_record(log, query(), is_second).best->record, log.records[2]);
}

TEST(BestRecord, TakesTheEarlierOfEqualOnes) {
  const Log log = log_of({trial_of(1, 3), trial_of(2, 1), trial_of(3, 1)});
  EXPECT_EQ(best_record(log, query()).best->record.trial, 2);
}

TEST(BestRecord, IsOfTheWantedStateOfTheCachesElseOfTheNearest) {
  const auto campaign_of = [](int64_t campaign, double seconds, Caches caches) {
    Record record = trial_of(1, seconds);
    record.campaign = campaign;
    record.caches = caches;
    return record;
  };
  Log log = log_of({campaign_of(1, 1, Caches::hot), campaign_of(2, 3, Caches::network_l3),
                    campaign_of(3, 5, Caches::cold)});
  log.headers.assign(3, sample_header());
  for (const size_t i : {1, 2}) log.headers[i].campaign = static_cast<int64_t>(i) + 1;
  const auto campaign_for = [&](Caches caches) {
    TaskQuery wanted = query();
    wanted.caches = caches;
    return best_record(log, wanted).best->record.campaign;
  };
  EXPECT_EQ(campaign_for(Caches::hot), 1);
  EXPECT_EQ(campaign_for(Caches::cold), 3);
  EXPECT_EQ(campaign_for(Caches::network_l3), 2);
  EXPECT_EQ(campaign_for(Caches::network_memory), 3);
}

TEST(BestRecord, GoesByFreshMeasurementsWhereFinalistsWereConfirmed) {
  const Log log = log_of({trial_of(1, 3), trial_of(2, 1.0), trial_of(3, 1.1), trial_of(4, 0.5),
                          confirmation_of(2, 1.4), confirmation_of(2, 1.3), confirmation_of(2, 1.2),
                          confirmation_of(3, 1.1), confirmation_of(4, 0, Status::wrong_output)});
  const RecordMatch match = best_record(log, query());
  EXPECT_EQ(match.best->record.trial, 3);
  EXPECT_TRUE(match.best->confirmed);
  EXPECT_EQ(match.best->seconds, 1.1);
}

Record confirmation_in(int64_t sitting, int64_t trial, double seconds) {
  Record record = confirmation_of(trial, seconds);
  record.sitting = sitting;
  return record;
}

TEST(BestRecord, GoesByTheLastSitting) {
  // In the busy minute of the first, 2 took longer than 3 took in the second, a quiet one.
  const Log log = log_of({trial_of(1, 3), trial_of(2, 1.0), confirmation_in(2, 1, 4),
                          confirmation_in(2, 2, 1.5), trial_of(3, 1.1), confirmation_in(3, 1, 3),
                          confirmation_in(3, 2, 1.0), confirmation_in(3, 3, 1.2)});
  const RecordMatch match = best_record(log, query());
  EXPECT_EQ(match.best->record.trial, 2);
  EXPECT_EQ(match.best->seconds, 1.0);
}

TEST(BestRecord, IsNoneThatTheLastSittingLeftOut) {
  const Log log = log_of({trial_of(1, 3), trial_of(2, 1.0), confirmation_in(2, 1, 3),
                          confirmation_in(2, 2, 0.5), trial_of(3, 1.1), confirmation_in(3, 1, 3),
                          confirmation_in(3, 3, 1.2)});
  EXPECT_EQ(best_record(log, query()).best->record.trial, 3);
}

TEST(BestRecord, OfASittingThatWasBegunAgainTakesTheLastLines) {
  const Log log =
      log_of({trial_of(1, 3), trial_of(2, 1), confirmation_in(2, 1, 1), confirmation_in(2, 2, 2),
              confirmation_in(2, 1, 3), confirmation_in(2, 2, 1.5)});
  const RecordMatch match = best_record(log, query());
  EXPECT_EQ(match.best->record.trial, 2);
  EXPECT_EQ(match.best->seconds, 1.5);
}

TEST(LastSittings, AreOfEachTaskOfEachCampaign) {
  Record other_task = confirmation_in(1, 1, 1), other_campaign = confirmation_in(1, 1, 1);
  other_task.task = "gmm:m=8,n=8,k=8";
  other_campaign.campaign = 2;
  const std::vector<Record> records{confirmation_in(2, 1, 1), other_task, other_campaign,
                                    confirmation_in(5, 1, 1)};
  EXPECT_EQ(last_sittings(records),
            (std::vector<const Record*>{&records[1], &records[2], &records[3]}));
}

TEST(LastSittings, OfLogsOfBeforeAreAllConfirmations) {
  const std::vector<Record> records{confirmation_of(1, 1), trial_of(2, 1), confirmation_of(1, 2)};
  EXPECT_EQ(last_sittings(records), (std::vector<const Record*>{&records[0], &records[2]}));
}

TEST(BestRecord, OfATieSetIsTheEarliestNotTheLuckiest) {
  Record first = confirmation_of(2, 1.005), second = confirmation_of(3, 1.0);
  first.result.samples = {0.99, 1.005, 1.02};
  second.result.samples = {0.98, 1.0, 1.01};
  const Log log = log_of(
      {trial_of(1, 3), trial_of(2, 1.1), trial_of(3, 1.0), first, second, confirmation_of(1, 3)});
  const RecordMatch match = best_record(log, query());
  EXPECT_EQ(match.best->record.trial, 2);
  EXPECT_EQ(match.best->seconds, 1.005);
  EXPECT_EQ(match.best->tied, (std::vector<int64_t>{2, 3}));
}

// Its wide interval ties it with the fastest, with which the default's narrow one does not overlap.
TEST(BestRecord, OfATieSetIsNeverSlowerThanTheDefault) {
  Record usual = trial_of(1, 1.0);
  usual.is_default = true;
  Record first = confirmation_of(2, 1.005), second = confirmation_of(3, 0.99),
         own = confirmation_of(1, 1.0);
  first.result.samples = {0.985, 1.005, 1.02};
  second.result.samples = {0.985, 0.99, 0.995};
  own.result.samples = {0.999, 1.0, 1.001};
  const Log log = log_of({usual, trial_of(2, 1.0), trial_of(3, 1.0), own, first, second});
  const RecordMatch match = best_record(log, query());
  EXPECT_EQ(match.best->record.trial, 3);
  EXPECT_EQ(match.best->tied, (std::vector<int64_t>{2, 3}));
}

TEST(BestRecord, OfATieSetIsTheOneWithTheLeastWorkspace) {
  Record large = trial_of(2, 1), small = trial_of(3, 1);
  large.result.workspace_bytes = 4096;
  small.result.workspace_bytes = 0;
  const Log log = log_of({large, small, confirmation_of(2, 1), confirmation_of(3, 1)});
  EXPECT_EQ(best_record(log, query()).best->record.trial, 3);
}

TEST(BestRecord, PrefersTheSameDeviceToAFasterOneOfItsFamily) {
  const Log log = log_of({trial_of(1, 3), trial_of(1, 1, 2)});
  EXPECT_EQ(best_record(log, query()).name, "tune.jsonl#1.1");
}

TEST(BestRecord, OfAnotherDeviceOfTheFamilySaysSo) {
  const Log log = log_of({trial_of(1, 1, 2)});
  const RecordMatch match = best_record(log, query());
  EXPECT_EQ(match.level, MatchLevel::family);
  EXPECT_EQ(match.name, "tune.jsonl#2.1");
  EXPECT_EQ(match.explanation, "tune.jsonl#2.1: device is AMD Ryzen there, AMD EPYC 9575F here");
}

TEST(BestRecord, OfAnotherNumberOfThreadsIsOfTheFamily) {
  TaskQuery two_threads = query();
  two_threads.target = "cpu:threads=2";
  const RecordMatch match = best_record(log_of({trial_of(1, 1)}), two_threads);
  EXPECT_EQ(match.level, MatchLevel::family);
  EXPECT_EQ(match.explanation, "tune.jsonl#1.1: target is cpu there, cpu:threads=2 here");
}

TEST(BestRecord, IsMissedWithTheNearestRecordAndWhatDiffers) {
  Record far = trial_of(2, 1);
  far.task = "c2d:ci=64,co=64,h=56,w=56,k=3";
  TaskQuery wider = query();
  wider.task = "gmm:m=512,n=1024,k=512+bias";
  const RecordMatch match = best_record(log_of({far, trial_of(1, 3)}), wider);
  EXPECT_EQ(match.level, MatchLevel::none);
  EXPECT_FALSE(match.best.has_value());
  EXPECT_EQ(
      match.explanation,
      "no record; the nearest is tune.jsonl#1.1@gmm:m=512,n=512,k=512: epilogue is none there, "
      "bias here, n is 512 there, 1024 here");
  EXPECT_EQ(print(match.level), "default");
}

TEST(BestRecord, IsMissedByItsKindWithWhatTheLogHasInstead) {
  Record convolution = trial_of(1, 3), larger = trial_of(1, 3), written = trial_of(1, 3);
  convolution.task = "c2d:ci=64,co=64,h=56,w=56,k=3";
  larger.task = "c2d:ci=64,co=64,h=112,w=112,k=3";
  written.task = "B[a]=exp(A[a]):a=4";
  EXPECT_EQ(best_record(log_of({convolution}), query()).explanation,
            "no record; the log has no gmm; it has 1 task of c2d");
  EXPECT_EQ(best_record(log_of({convolution, larger, written}), query()).explanation,
            "no record; the log has no gmm; it has 2 tasks of c2d, 1 of written");
}

TEST(BestRecord, SaysHowSureItsTimeIs) {
  Record first = trial_of(1, 3);
  first.result.samples = {2.9, 3.0, 3.1};
  EXPECT_EQ(best_record(log_of({first}), query()).best->interval, (TimeInterval{2.9, 3.1}));
  Record again = confirmation_of(1, 2);
  again.result.samples = {1.9, 2.0, 2.2};
  const BestTrial best = *best_record(log_of({first, again}), query()).best;
  EXPECT_EQ(best.interval, (TimeInterval{1.9, 2.2})) << "of the samples behind its time";
  first.result.samples = {3};
  EXPECT_EQ(best_record(log_of({first}), query()).best->interval, std::nullopt);
}

TEST(BestRecord, IsMissedByItsBorderOrItsStatements) {
  Record plain = trial_of(1, 3);
  plain.task = "gmm:m=512,n=512,k=512+bias | X as row_major; Y as row_major";
  TaskQuery free = query();
  free.task = "gmm:m=512,n=512,k=512+bias";
  const char* by_border =
      "no record; the nearest is tune.jsonl#1.1: border is X as row_major; Y as row_major there, "
      "none here";
  EXPECT_EQ(best_record(log_of({plain}), free).explanation, by_border);
  Record written = trial_of(1, 3);
  written.task = "B[a]=exp(A[a]):a=4";
  free.task = "B[a]=log(A[a])+A[a]:a=8";
  const char* by_statements =
      "no record; the nearest is tune.jsonl#1.1: a is 4 there, 8 here, kind is B[a]=exp(A[a]) "
      "there, B[a]=log(A[a])+A[a] here";
  EXPECT_EQ(best_record(log_of({written}), free).explanation, by_statements);
}

TEST(BestRecord, IsNotTakenAcrossKindsOfDevice) {
  TaskQuery gpu = query();
  gpu.target = "opencl";
  gpu.device = {"NVIDIA H200", "nvidia", {}};
  const RecordMatch match = best_record(log_of({trial_of(1, 3)}), gpu);
  EXPECT_EQ(match.level, MatchLevel::none);
  EXPECT_EQ(
      match.explanation,
      "no record; the nearest is tune.jsonl#1.1: target is cpu there, opencl here, device is AMD "
      "EPYC 9575F there, NVIDIA H200 here, device family is x86_64/16 there, nvidia here");
}

TEST(BestRecord, OfALogWithFailuresOnlyIsNone) {
  const RecordMatch match = best_record(log_of({sample_failure(1)}), query());
  EXPECT_EQ(match.level, MatchLevel::none);
  EXPECT_EQ(match.explanation, "tune.jsonl has no valid record at all");
}

TEST(BestRecords, AnswersEveryQueryAsBestRecordDoes) {
  const Log log = log_of({trial_of(1, 3), trial_of(1, 1, 2)});
  TaskQuery other = query();
  other.task = "gmm:m=8,n=8,k=8";
  const auto matches = best_records(log, {query(), other});
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_EQ(matches[0].name, best_record(log, query()).name);
  EXPECT_EQ(matches[1].explanation, best_record(log, other).explanation);
}

TEST(SpecDifferences, AreNamedKeyByKey) {
  EXPECT_TRUE(spec_differences("gmm:m=1,n=2,k=3", "gmm:m=1,n=2,k=3").empty());
  EXPECT_EQ(
      spec_differences("c2d:ci=32,k=3,p=0:1x2:1+bias", "grp:ci=64,k=3,p=1,s=2"),
      (std::vector<std::string>{"ci is 32 there, 64 here", "epilogue is bias there, none here",
                                "kind is c2d there, grp here", "p is 0:1x2:1 there, 1 here",
                                "s is not set there, 2 here"}));
}

}  // namespace
}  // namespace dovetail
