// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tests of the verb report share these: small logs, and the program run on them in a folder of its
// own.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/files.h"
#include "core/record/log/log.h"
#include "tests/report/xml.h"
#include "tests/tools/run_program.h"

namespace dovetail::testing {

// A name that would be markup, if it were not taken as text.
inline constexpr const char* kHostile = "<script>alert(1)</script>&amp;'\"";

inline Record trial_of(const std::string& task, int64_t number, double seconds) {
  Record record;
  record.trial = number;
  record.task = task;
  record.target = "cpu";
  record.trace = "layout X: split(axis=m, factor=4) ; scope texture\nloops: vectorize(n)\n";
  record.is_default = number == 1;
  record.result.status = seconds > 0 ? Status::ok : Status::timeout;
  record.result.seconds = seconds;
  if (seconds > 0) record.result.samples = {seconds, seconds};
  if (seconds == 0) record.result.reason = "the run took longer than 0." + std::to_string(number);
  record.result.times = {.build_seconds = 0.01, .run_seconds = 0.02};
  record.strategy = "random";
  record.elapsed_seconds = static_cast<double>(number);
  return record;
}

inline LogHeader header_of(int64_t campaign) {
  LogHeader header;
  header.tool = "dovetail 0.1.0";
  header.campaign = campaign;
  header.id = "id" + std::to_string(campaign);
  header.started = "2026-11-20T08:15:00Z";
  header.target = "cpu";
  header.device = {"EPYC", "x86_64/16", {}};
  header.driver = "LLVM 19.1.7";
  header.options = {{"strategy", std::string("random")},
                    {"tasks", std::vector<std::string>{"gmm:m=8,n=8,k=8"}}};
  return header;
}

class ReportVerb : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::vector<Record>& records,
             const LogHeader& header = header_of(1)) const {
    std::string text = print(header) + "\n";
    for (const Record& record : records) text += print(record) + "\n";
    folder_.write(name, text);
  }
  ProgramRun report(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "report");
    return run_dovetail(arguments, folder_);
  }
  std::string text(const std::string& name) const { return *read_file(folder_.path(name)); }
  // The page of a log, which a strict parser reads.
  XmlText page_of(const std::string& log) const {
    const ProgramRun run = report({log, "-o", "page.html"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, "page.html\n");
    const XmlText xml = read_xml(text("page.html"));
    EXPECT_EQ(xml.error, "");
    return xml;
  }

  TemporaryFolder folder_;
};

inline bool holds(const XmlText& xml, const std::string& what) {
  return xml.text.find(what) != std::string::npos;
}

}  // namespace dovetail::testing
