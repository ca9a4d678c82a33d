// SPDX-License-Identifier: Apache-2.0
// The section on kernels of a page, from logs whose device is not here.
#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/tools/report/report_verb.h"

namespace dovetail {
namespace {

using testing::header_of;
using testing::holds;
using testing::right;
using testing::trial_of;

constexpr const char* kGmm = "gmm:m=64,n=96,k=16";

class KernelsSection : public testing::ReportVerb {
 protected:
  static LogHeader header_of_h200() {
    const auto path = testing::source_dir() / "docs/examples/h200.profile";
    LogHeader header = header_of(1);
    header.target = "opencl:none such";
    header.device = facets_of(right(parse_target(right(read_file(path.string())))));
    return header;
  }
  static Record trial(const std::string& trace) {
    Record record = trial_of(kGmm, 1, 4e-6);
    record.target = "opencl:none such";
    record.trace = trace;
    return record;
  }
  static constexpr const char* kTrace = "loops: bind(m, group.0) ; bind(n, thread.0)\n";
};

TEST_F(KernelsSection, SaysHowTheBestTracesUseTheDevice) {
  write("a.jsonl", {trial(kTrace)}, header_of_h200());
  const testing::XmlText xml = page_of("a.jsonl");
  for (const char* part : {"How kernels use the device", "registers (est.)", "occupancy (%)",
                           "limited by", "below 1 the device is not full"})
    EXPECT_TRUE(holds(xml, part)) << part;
  EXPECT_FALSE(holds(xml, "at peak")) << "the header has no peak";
}

// 2 * 64 * 96 * 16 FLOP take 0.1966 us at 1000 GFLOP/s.
TEST_F(KernelsSection, SaysTheTimeAtPeakWhereThatWasMeasured) {
  LogHeader header = header_of_h200();
  header.machine = Machine{.peak_gflops = 1000, .levels = {}, .streams = {}};
  write("a.jsonl", {trial(kTrace)}, header);
  const testing::XmlText xml = page_of("a.jsonl");
  EXPECT_TRUE(holds(xml, "at peak (µs)"));
  EXPECT_TRUE(holds(xml, "0.1966"));
}

TEST_F(KernelsSection, CountsWhatItCannotLower) {
  write("a.jsonl", {trial("loops: bind(nothing, group.0)\n")}, header_of_h200());
  const testing::XmlText xml = page_of("a.jsonl");
  EXPECT_TRUE(holds(xml, "Left out: 1 task whose best trace this version cannot lower."));
}

TEST_F(KernelsSection, IsNotOfThreads) {
  write("a.jsonl", {trial_of(kGmm, 1, 4e-6)});
  EXPECT_FALSE(holds(page_of("a.jsonl"), "How kernels use the device"));
}

}  // namespace
}  // namespace dovetail
