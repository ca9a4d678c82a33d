// SPDX-License-Identifier: Apache-2.0
#include "campaign/recorded_tasks.h"

#include <gtest/gtest.h>

#include "core/backends/backends.h"
#include "core/ir/region/region_text.h"
#include "core/record/log/log.h"
#include "primitives/space/space.h"
#include "search/candidate.h"
#include "tests/campaign/one_record_log.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;

class RegionTraces : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
    target_ = right(resolve_target("cpu"));
  }

  // A log of one record.
  std::optional<Log> log_with(const std::string& spec, const std::string& trace) {
    folder_.write("log.jsonl", testing::one_record_log(target_, spec, trace));
    return right(read_log_of_run(folder_.path("log.jsonl"), listener()));
  }

  Listener listener() {
    Listener listener;
    listener.note = [this](const std::string& line) { notes_ += line + "\n"; };
    return listener;
  }

  Target target_;
  testing::TemporaryFolder folder_;
  std::string notes_;
};

constexpr const char* kSoftmax =
    "M[i]max=S[i,j];E[i,j]=exp(S[i,j]-M[i]);D[i]+=E[i,j];Y[i,j]=E[i,j]/D[i]:i=8,j=8";

TEST_F(RegionTraces, AreTheDefaultWithoutALog) {
  const Region product = right(parse_region("gmm:m=8,n=8,k=8"));
  const RegionTrace chosen = right(trace_for(product, target_, std::nullopt, Caches::hot, {}));
  EXPECT_EQ(chosen.trace, right(build_space(product, target_)).default_trace());
  EXPECT_EQ(chosen.match.level, MatchLevel::none);
  const Region softmax = right(parse_region(kSoftmax));
  EXPECT_EQ(right(trace_for(softmax, target_, std::nullopt, Caches::hot, {})).trace,
            right(build_space(softmax, target_)).default_trace());
}

TEST_F(RegionTraces, RoundAsTheDefinitionWhereThatIsAsked) {
  target_.llvm_cpu = "znver4";
  target_.vector_registers = 32;
  const Region product = right(parse_region("gmm:m=16,n=64,k=64+bias"));
  const auto algorithm = [&](const AllowsAlgorithm& allows) {
    return algorithm_of(
        right(trace_for(product, target_, std::nullopt, Caches::hot, {}, allows)).trace);
  };
  EXPECT_EQ(algorithm(any_algorithm), "winograd_inner_product");
  EXPECT_EQ(algorithm(definition_only), "direct");
}

TEST_F(RegionTraces, AreTheBestOfALog) {
  for (const char* spec : {"gmm:m=8,n=8,k=8", kSoftmax}) {
    const Region region = right(parse_region(spec), spec);
    const std::string trace =
        region.op ? "loops: split(loop=m, factor=4)\n" : "loops Y: split(loop=i, factor=4)\n";
    const RegionTrace chosen =
        right(trace_for(region, target_, log_with(print(region), trace), Caches::hot, listener()));
    EXPECT_EQ(print(chosen.trace), trace);
    EXPECT_NE(chosen.match.level, MatchLevel::none);
    EXPECT_NE(chosen.match.name.find("#"), std::string::npos);
  }
}

TEST_F(RegionTraces, AreTheDefaultWhereALogHasNothingAndItSaysSo) {
  const Region region = right(parse_region(kSoftmax));
  const RegionTrace chosen = right(
      trace_for(region, target_, log_with("gmm:m=8,n=8,k=8", "loops: split(loop=m, factor=4)\n"),
                Caches::hot, listener()));
  EXPECT_EQ(chosen.match.level, MatchLevel::none);
  EXPECT_NE(notes_.find(": default: "), std::string::npos) << notes_;
}

TEST_F(RegionTraces, OfALogThatAreIllegalAreMissesThatSayWhy) {
  const Region region = right(parse_region("gmm:m=8,n=8,k=8"));
  const RegionTrace chosen =
      right(trace_for(region, target_, log_with(print(region), "loops: split(loop=m, factor=3)\n"),
                      Caches::hot, listener()));
  EXPECT_EQ(chosen.match.level, MatchLevel::none);
  EXPECT_NE(notes_.find("factor 3 does not divide"), std::string::npos) << notes_;
}

TEST_F(RegionTraces, OfARecordThatDoesNotParseAreAMiss) {
  const Region region = right(parse_region("gmm:m=8,n=8,k=8"));
  const RegionTrace chosen = right(trace_for(
      region, target_, log_with(print(region), "loops: later(loop=m)\n"), Caches::hot, listener()));
  EXPECT_EQ(chosen.match.level, MatchLevel::none);
  EXPECT_NE(notes_.find("later"), std::string::npos) << notes_;
}

TEST_F(RegionTraces, WithABorderAreTheLogsForItOrTheTasksOwnOrRefused) {
  const std::string product = "gmm:m=8,n=8,k=8";
  const Border framework = framework_border(right(parse_region(product)));
  const std::string bordered = print(TaskSpec(right(parse_region(product)), framework));
  const auto with_border = [&](const std::string& spec, const std::string& trace) {
    const RecordedTasks tasks = right(read_recorded_tasks(
        {.workloads = {product}, .target = "cpu", .log = log_with(spec, trace)->path}, listener()));
    return best_with_border(tasks, tasks.tasks[0], framework);
  };
  const std::string own = "loops: split(loop=m, factor=4)\n";
  EXPECT_EQ(print(right(with_border(bordered, own)).trace), own);
  EXPECT_EQ(print(right(with_border(product, own)).trace), own);
  EXPECT_ERROR(with_border(bordered, "loops: split(loop=m, factor=3)\n"),
               "#1.1: loops: split(loop=m, factor=3): factor 3 does not divide");
}

TEST_F(RegionTraces, ThatAreIllegalAreRefused) {
  const Region region = right(parse_region(kSoftmax));
  EXPECT_ERROR(
      materialize(region, target_, right(parse_trace("loops Y: split(loop=z, factor=4)\n"))), "z");
}

}  // namespace
}  // namespace dovetail
