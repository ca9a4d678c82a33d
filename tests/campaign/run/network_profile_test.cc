// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/network_profile.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "campaign/run/run.h"
#include "core/base/files.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;
using testing::TemporaryFolder;

TEST(NetworkProfile, IsARowForEachKernelOneAfterTheOther) {
  const NetworkProfile profile{
      .network = "two",
      .kernels = {
          {.call = "conv1",
           .kernel = "c2d",
           .task = "c2d:…",
           .seconds = 2e-3,
           .fmas = 1e6,
           .bytes = 4000000},
          {.call = "convert.t", .kernel = "B", .task = "", .is_conversion = true, .seconds = 0}}};
  const auto events = nlohmann::json::parse(trace_viewer_text(profile)).at("traceEvents");
  ASSERT_EQ(events.size(), 3u) << "the network's name, then its kernels";
  EXPECT_EQ(events[1].at("dur"), 2000);
  EXPECT_EQ(events[1].at("args").at("flops"), 2e6);
  EXPECT_EQ(events[1].at("args").at("gflops"), 1);
  EXPECT_EQ(events[1].at("args").at("gb_per_second"), 2);
  EXPECT_EQ(events[2].at("ts"), 2000);
  EXPECT_EQ(events[2].at("cat"), "conversion");
  EXPECT_TRUE(events[2].at("args").at("gflops").is_null());
}

TEST(NetworkProfile, IsWrittenOfAModel) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path("m.graph"),
                         "graph m\ninput x: f32[8,16]\n"
                         "node a = elementwise Relu (x) -> t: f32[8,16]\n"
                         "node b = reduction Softmax {axis=1} (t) -> y: f32[8,16]\noutput y\n"));
  RunSpecOptions options;
  options.spec = folder.path("m.graph");
  options.profile = folder.path("profile.json");
  const RunRow row = right(run_spec(options, {})).rows.front();
  EXPECT_EQ(row.reason, "");
  EXPECT_EQ(row.calls, 2);
  EXPECT_TRUE(row.kernels_seconds);
  const auto profile = nlohmann::json::parse(right(read_file(options.profile)));
  EXPECT_EQ(profile.at("traceEvents").size(), 3u);
}

TEST(NetworkProfile, IsOfNetworksOnly) {
  RunSpecOptions options;
  options.spec = "Y[i]=exp(X[i]):i=4";
  options.profile = "profile.json";
  EXPECT_ERROR(run_spec(options, {}), "expected a model");
}

}  // namespace
}  // namespace dovetail
