// SPDX-License-Identifier: Apache-2.0
#include "campaign/network/network_variants.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "campaign/listener.h"
#include "campaign/recorded_tasks.h"
#include "campaign/workloads.h"
#include "core/backends/backends.h"
#include "core/record/log/log.h"
#include "core/record/log/thinned_log.h"
#include "primitives/space/space.h"
#include "tests/support/algorithm_points.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;

const char* const kConvolution = "c2d:ci=16,co=16,h=8,w=8,k=3,p=1";

Target cpu_target() { return right(resolve_target("cpu")); }

class NetworkVariants : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  }
};

Record record_of(const std::string& trace, double seconds, int64_t campaign = 1,
                 int64_t trial = 1) {
  Record record;
  record.trial = trial;
  record.campaign = campaign;
  record.task = kConvolution;
  record.target = "cpu";
  record.trace = trace;
  record.result.status = Status::ok;
  record.result.seconds = seconds;
  return record;
}

struct Convolution {
  Target target = cpu_target();
  TaskSpec task = right(parse_task_spec(kConvolution));
  Space space = right(build_space(task, target));
};

Log log_of(const Target& target) {
  Log log;
  log.path = "a.jsonl";
  log.headers.emplace_back();
  log.headers[0].campaign = 1;
  log.headers[0].device = facets_of(target);
  log.headers[0].options["variant"] = std::string("joint");
  return log;
}

TEST_F(NetworkVariants, AreThoseOfThePaperAndGlobal) {
  for (const char* variant : {"joint", "forward_only", "backward_only", "without_propagation",
                              "no_layouts", "loop_only", "global"})
    EXPECT_TRUE(check_network_variant(variant)) << variant;
  EXPECT_ERROR(check_network_variant("joined"), "unknown variant 'joined' of a network");
  EXPECT_EQ(propagation_of("without_propagation"), Propagation::none);
  EXPECT_EQ(propagation_of("loop_only"), Propagation::both);
}

TEST_F(NetworkVariants, TakeTheCampaignsOfOne) {
  Log log = log_of(cpu_target());
  log.headers.push_back(log.headers[0]);
  log.headers[1].campaign = 2;
  log.headers[1].options["variant"] = std::string("loop_only");
  log.records = {record_of("loops:\n", 1, 1), record_of("loops:\n", 2, 2)};
  const Log fixed = right(campaigns_of_variant(log, kLoopOnlyVariant));
  ASSERT_EQ(fixed.records.size(), 1u);
  EXPECT_EQ(fixed.records[0].campaign, 2);
  log.records.pop_back();
  EXPECT_ERROR(campaigns_of_variant(log, kLoopOnlyVariant), "it has joint, loop_only");
}

TEST_F(NetworkVariants, ExactOnesHaveNoRecordOfWinograd) {
  const Space space = right(build_space(right(parse_task_spec(kConvolution)), cpu_target()));
  Trace winograd = space.default_trace();
  Point point = space.default_point();
  for (int64_t algorithm : space.parameters()[0].domain(point)) {
    point[0] = algorithm;
    const Trace trace = space.decode(point);
    if (algorithm_of(trace) != "direct") winograd = trace;
  }
  ASSERT_EQ(algorithm_of(winograd), "winograd");
  Log log = log_of(cpu_target());
  log.records = {record_of(print(winograd), 1, 1, 1),
                 record_of(print(space.default_trace()), 2, 1, 2)};
  const testing::TemporaryFolder folder;
  folder.write("a.jsonl", print(log));
  const Log exact = *right(read_log_of_run(folder.path("a.jsonl"), Listener(), /*exact=*/true));
  ASSERT_EQ(exact.records.size(), 1u);
  EXPECT_EQ(exact.records[0].result.seconds, 2);
}

TEST_F(NetworkVariants, HaveTheBestTraceThenThoseALittleSlowerThenFixedLayouts) {
  const auto& [target, task, space] = Convolution();
  std::mt19937_64 numbers(5);
  Log log = log_of(target);
  for (const double seconds : {1.0, 1.2, 9.0})
    log.records.push_back(record_of(print(space.decode(space.sample(numbers))), seconds));
  const Trace best = right(log.records[1].trace.value());
  const Trace otherwise = space.default_trace();
  const std::vector<TimedTrace> timed =
      timed_traces(task, target, records_on(target, task, log), Caches::hot, best, otherwise);
  ASSERT_EQ(timed.size(), 6u) << "the best, one more of the log, the default, and three layouts";
  EXPECT_EQ(timed[0].trace, best);
  EXPECT_EQ(print(timed[1].trace), log.records[0].trace.text());
  EXPECT_EQ(timed[1].seconds, 1.0);
  EXPECT_EQ(timed[2].trace, otherwise);
  EXPECT_TRUE(timed[2].is_default);
  EXPECT_FALSE(timed[3].seconds.has_value());
  EXPECT_TRUE(timed_traces(task, target, {}, Caches::hot, best, best)[0].is_default);
}

// A device's own default of a product stores X[k, m], which a fill would transpose.
TEST(NetworkVariantsOfDevices, HaveProductsOfRowsByDefault) {
  const Target target = testing::target_of_profile("h200_ptx.profile");
  const TaskSpec task = right(parse_task_spec("gmm:m=128,n=768,k=768"));
  const Trace own = right(build_space(task, target)).default_trace();
  ASSERT_NE(print(own).find("layout X: reorder(b, k, m)"), std::string::npos) << print(own);
  const std::vector<TimedTrace> timed = timed_traces(task, target, {}, Caches::hot, own, own);
  EXPECT_EQ(print(timed[0].trace).find("layout X: "), std::string::npos) << print(timed[0].trace);
  EXPECT_EQ(timed[1].trace, own);
  for (const TimedTrace& one : timed) EXPECT_EQ(one.is_default, &one == &timed[0]);
}

std::string text_of(const std::vector<TimedTrace>& timed) {
  std::string text;
  for (const TimedTrace& trace : timed)
    text +=
        fmt::format("{} {}\n{}\n", trace.seconds.value_or(0), trace.is_default, print(trace.trace));
  return text;
}

TEST_F(NetworkVariants, AreTheSameOfAThinnedLog) {
  const auto& [target, task, space] = Convolution();
  std::mt19937_64 numbers(7);
  Log log = log_of(target);
  log.headers.push_back(log.headers[0]);
  log.headers[1].campaign = 2;
  for (int64_t trial = 1; trial <= 400; ++trial) {
    const std::string trace = print(space.decode(space.sample(numbers)));
    const double seconds = 1 + 0.002 * static_cast<double>(numbers() % 1000);
    log.records.push_back(record_of(trace, seconds, 1 + trial % 2, trial));
  }
  const testing::TemporaryFolder folder;
  folder.write("a.jsonl", print(log));
  const Log whole = right(read_log(folder.path("a.jsonl")));
  const Log thinned = right(read_thinned(folder.path("a.jsonl"), {.batch = 16}));
  EXPECT_LT(thinned.records.size(), whole.records.size());
  const Trace best = right(log.records[3].trace.value());
  for (const SlowerTraces slower : {SlowerTraces::few, SlowerTraces::of_each_algorithm}) {
    const auto timed = [&](const Log& of) {
      return text_of(timed_traces(task, target, records_on(target, task, of), Caches::hot, best,
                                  space.default_trace(), slower));
    };
    EXPECT_EQ(timed(thinned), timed(whole));
  }
}

// A campaign does not hold all of its trials.
TEST_F(NetworkVariants, AreTheSameOfTheFastTrials) {
  const auto& [target, task, space] = Convolution();
  std::mt19937_64 numbers(9);
  Log log = log_of(target);
  for (int64_t trial = 1; trial <= 300; ++trial) {
    const std::string trace = print(space.decode(space.sample(numbers)));
    const double seconds = 1 + 0.002 * static_cast<double>(numbers() % 1000);
    log.records.push_back(record_of(trace, seconds, 1, trial));
    log.records.back().caches = trial % 3 == 0 ? Caches::network_l3 : Caches::hot;
  }
  Log fast = log;
  fast.records = fast_trials(log.records, task, definition_only);
  EXPECT_LT(fast.records.size(), log.records.size() / 2);
  for (const Caches caches : {Caches::hot, Caches::network_l3, Caches::cold}) {
    const auto timed = [&](const Log& of) {
      return text_of(timed_traces(task, target, records_on(target, task, of), caches,
                                  space.default_trace(), space.default_trace(), SlowerTraces::few,
                                  definition_only));
    };
    EXPECT_EQ(timed(fast), timed(log));
  }
}

TEST_F(NetworkVariants, HaveSlowTracesOfOtherAlgorithmsWhereTheyAreAskedFor) {
  const auto& [target, task, space] = Convolution();
  const Trace winograd = space.decode(testing::default_point_of(space, "winograd_4"));
  Log log = log_of(target);
  log.records = {record_of(print(winograd), 1), record_of(print(space.default_trace()), 9)};
  const auto times = [&](SlowerTraces slower) {
    std::vector<double> seconds;
    for (const TimedTrace& timed : timed_traces(task, target, records_on(target, task, log),
                                                Caches::hot, winograd, winograd, slower))
      if (timed.seconds) seconds.push_back(*timed.seconds);
    return seconds;
  };
  EXPECT_EQ(times(SlowerTraces::few), (std::vector{1.0}));
  EXPECT_EQ(times(SlowerTraces::of_each_algorithm), (std::vector{1.0, 9.0}));
  const std::vector<TimedTrace> all =
      timed_traces(task, target, records_on(target, task, log), Caches::hot, winograd, winograd,
                   SlowerTraces::of_each_algorithm);
  const Trace small = space.decode(testing::default_point_of(space, "winograd_2"));
  EXPECT_NE(std::ranges::find(all, small, &TimedTrace::trace), all.end());
}

}  // namespace
}  // namespace dovetail
