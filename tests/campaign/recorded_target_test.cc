// SPDX-License-Identifier: Apache-2.0
#include "campaign/recorded_target.h"
#include "core/backends/backends.h"

#include <gtest/gtest.h>

#include "tests/support/right.h"

#if DOVETAIL_HAVE_LLVM

namespace dovetail::testing {
namespace {

// A campaign on this host, whose caches were of other sizes.
Log log_of(const Target& target) {
  Log log;
  LogHeader header;
  header.target = print(target.name);
  header.device = facets_of(target);
  log.headers.push_back(header);
  return log;
}

TEST(AsRecorded, TakesTheFactsOfTheLog) {
  const Target here = right(resolve_target("cpu"));
  Target there = here;
  there.l3_bytes = 12345 << 10;
  EXPECT_EQ(as_recorded(here, log_of(there)), there);
  EXPECT_EQ(as_recorded(here, std::nullopt), here);
}

TEST(AsRecorded, FindsACpuByItsName) {
  const Target named = right(resolve_target("cpu:arch=znver5"));
  Target there = named;
  there.name.arch.clear();
  there.device = "AMD EPYC (znver5)";
  there.l2_bytes = 12345 << 10;
  EXPECT_EQ(as_recorded(named, log_of(there)), there);
  EXPECT_EQ(as_recorded(right(resolve_target("cpu:arch=znver4")), log_of(there)).device, "znver4");
}

TEST(AsRecorded, LeavesWhatIsNotTheSame) {
  const Target here = right(resolve_target("cpu"));
  Target there = here;
  there.device = "another";
  EXPECT_EQ(as_recorded(here, log_of(there)), here);
  there = here;
  there.name.threads = 7;
  EXPECT_EQ(as_recorded(here, log_of(there)), here);
  there = here;
  there.llvm_features = "+avx10.1-512";  // no host has it yet
  EXPECT_EQ(as_recorded(here, log_of(there)), here);
  Log old = log_of(here);
  old.headers[0].device.more.clear();
  EXPECT_EQ(as_recorded(here, old), here);
}

TEST(AsRecorded, SaysWhetherCodeRunsHere) {
  EXPECT_TRUE(check_runs_here(right(resolve_target("cpu"))));
  EXPECT_TRUE(check_runs_here(right(resolve_target("cpu:arch=x86-64-v2"))));
  EXPECT_FALSE(check_runs_here(right(resolve_target("cpu:arch=cortex-a76"))));
}

}  // namespace
}  // namespace dovetail::testing

#endif
