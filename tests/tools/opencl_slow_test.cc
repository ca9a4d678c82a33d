// SPDX-License-Identifier: Apache-2.0
// A campaign on an OpenCL device: buffers and textures, checked like everything else.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/backends/opencl/opencl_targets.h"
#include "core/record/log/log.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using OrderedJson = nlohmann::ordered_json;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

class OpenclCampaign : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto devices = list_opencl_devices();
    if (!devices || devices->empty()) GTEST_SKIP() << "no OpenCL device";
  }

  // At random, as a search that learns may leave textures alone on a device where they are slow.
  Log tune(const std::string& variant) {
    const ProgramRun run = run_dovetail(
        {"tune", "c2d:ci=8,co=16,h=7,w=7,k=3,p=1", "--target", "opencl", "--strategy", "random",
         "--trials", "24", "--variant", variant, "--log", variant + ".jsonl", "--json"},
        folder_);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const Result<Log> log = read_log(folder_.path(variant + ".jsonl"));
    EXPECT_TRUE(log);
    return *log;
  }

  TemporaryFolder folder_;
};

// Valid trials with and without a texture among their scopes.
struct Counts {
  int with_texture = 0, without_texture = 0;
};

Counts count_valid(const Log& log) {
  Counts counts;
  for (const Record& record : log.records) {
    if (record.kind != RecordKind::trial || record.result.status != Status::ok) continue;
    const bool has_texture = record.trace.text().find("scope texture") != std::string::npos;
    ++(has_texture ? counts.with_texture : counts.without_texture);
  }
  return counts;
}

TEST_F(OpenclCampaign, FindsValidCandidatesInBuffersAndInTextures) {
  const Counts counts = count_valid(tune("joint"));
  EXPECT_GT(counts.with_texture, 0);
  EXPECT_GT(counts.without_texture, 0);
}

TEST_F(OpenclCampaign, WithoutTexturesHasNone) {
  const Log log = tune("no_texture");
  EXPECT_GT(count_valid(log).without_texture, 0);
  for (const Record& record : log.records) {
    EXPECT_EQ(record.trace.text().find("texture"), std::string::npos) << record.trace.text();
  }
}

}  // namespace
}  // namespace dovetail
