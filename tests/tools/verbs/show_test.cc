// SPDX-License-Identifier: Apache-2.0
// The verb show, as a user runs it, of kernels on a device that is not here.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/record/log/log.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::count_lines;
using testing::ProgramRun;
using testing::right;
using testing::run_dovetail;
using testing::TemporaryFolder;

constexpr const char* kGmm = "gmm:m=64,n=96,k=16";
constexpr const char* kTrace = "loops: bind(m, group.0) ; bind(n, thread.0)\n";
constexpr const char* kOnH200 = "opencl:profile=h200.profile";

class ShowKernels : public ::testing::Test {
 protected:
  ShowKernels() {
    folder_.write("h200.profile", profile());
    folder_.write("trace.txt", kTrace);
  }
  static std::string profile() {
    return right(read_file((testing::source_dir() / "docs/examples/h200.profile").string()));
  }
  ProgramRun show(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "show");
    arguments.insert(arguments.end(), {"--what", "kernels"});
    return run_dovetail(arguments, folder_);
  }

  TemporaryFolder folder_;
};

// Groups along m, work-items along n, and no tiles.
TEST_F(ShowKernels, OfATraceByHand) {
  const ProgramRun table = show({kGmm, "--target", kOnH200, "--trace", "trace.txt"});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_EQ(count_lines(table.out), 2u) << table.out;
  EXPECT_NE(table.out.find("kernel  groups  work-items"), std::string::npos) << table.out;
  const ProgramRun done = show({kGmm, "--target", kOnH200, "--trace", "trace.txt", "--json"});
  const auto rows = nlohmann::json::parse(done.out)["kernels"];
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["task"], kGmm);
  EXPECT_EQ(rows[0]["groups"], 64);
  EXPECT_EQ(rows[0]["work_items"], 96);
  EXPECT_EQ(rows[0]["estimated_registers"], 42) << "an element of X, one of W, and 40";
  EXPECT_EQ(rows[0]["resident_groups"], 16) << "65536 / (96 * 42)";
  EXPECT_EQ(rows[0]["limited_by"], "registers");
  EXPECT_EQ(rows[0]["multiply_adds"], 64 * 96 * 16);
}

TEST_F(ShowKernels, NamesTheTasksOfAFile) {
  folder_.write("two.txt", "first = gmm:m=64,n=64,k=64\nsecond = gmm:m=32,n=32,k=32\n");
  const ProgramRun done = show({"@two.txt", "--target", kOnH200});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(done.out.starts_with("task ")) << done.out;
  EXPECT_NE(done.out.find("\nsecond  gmm"), std::string::npos) << done.out;
}

TEST_F(ShowKernels, LeavesOutWhatATargetDoesNotState) {
  std::string text = profile();
  text.replace(text.find("unit_registers=65536"), 20, "unit_registers=0");
  folder_.write("other.profile", text);
  const ProgramRun done = show({kGmm, "--target", "opencl:profile=other.profile"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.out.find("registers (est.)"), std::string::npos) << done.out;
  EXPECT_EQ(done.out.find("occupancy"), std::string::npos) << done.out;
}

TEST_F(ShowKernels, NeedsADeviceOfWorkGroups) {
  const ProgramRun done = show({kGmm});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_NE(done.err.find("expected opencl, found cpu"), std::string::npos) << done.err;
}

// The log's header has the device's limits.
TEST_F(ShowKernels, OfARecordNeedNotItsDevice) {
  LogHeader header;
  header.campaign = 1;
  header.id = "id";
  header.target = "opencl:none such";
  header.device = facets_of(right(parse_target(profile())));
  Record record;
  record.trial = 1;
  record.task = kGmm;
  record.target = header.target;
  record.trace = kTrace;
  record.result.status = Status::ok;
  record.result.seconds = 1e-3;
  record.result.samples = {1e-3};
  folder_.write("a.jsonl", print(header) + "\n" + print(record) + "\n");
  const ProgramRun done = show({"a.jsonl#1.1"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.err.find("opencl:none such is not here"), std::string::npos) << done.err;
  EXPECT_EQ(done.out, show({kGmm, "--target", kOnH200, "--trace", "trace.txt"}).out);
}

}  // namespace
}  // namespace dovetail
