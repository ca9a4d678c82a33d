// SPDX-License-Identifier: Apache-2.0
#include "tests/core/record/record_samples.h"

#include <fstream>
#include <sstream>

namespace dovetail::testing {

LogHeader sample_header() {
  LogHeader header;
  header.tool = "dovetail 0.1.0";
  header.id = "6f1d0c2b9a8e7f35";
  header.started = "2026-11-20T08:15:00Z";
  header.target = "cpu";
  header.device = {.name = "AMD EPYC 9575F",
                   .family = "x86_64/16",
                   .more = {{"execution", "threads"}, {"l1_bytes", "49152"}}};
  header.driver = "LLVM 19.1.7";
  header.options = {{"strategy", "random"},
                    {"trials", int64_t{300}},
                    {"seconds", 12.5},
                    {"default", true},
                    {"workload", std::vector<std::string>{"gmm:m=512,n=512,k=512"}}};
  return header;
}

Record sample_trial(int64_t trial) {
  // Ever faster, and no faster than a processor can be (core/record/log/claimed_times.h).
  const double times_faster = trial <= 3 ? double(trial) : 3.03 * (1 + 1e-5 * double(trial));
  Record record;
  record.trial = trial;
  record.task = "gmm:m=512,n=512,k=512";
  record.target = "cpu";
  record.trace = "layout B: split(axis=n, factor=16) reorder(n.0, k, n.1) ; scope global\nloops:\n";
  record.is_default = trial == 1;
  record.result = {.status = Status::ok,
                   .reason = "",
                   .seconds = 0.001 / times_faster,
                   .samples = {0.0011 / times_faster, 0.001 / times_faster, 0.0009 / times_faster},
                   .max_abs_error = 0,
                   .max_rel_error = 0,
                   .workspace_bytes = 4096,
                   .times = {.build_seconds = 0.009, .run_seconds = 0.03, .check_seconds = 0.002}};
  record.strategy = "random";
  record.rejected = 2 * trial;
  record.elapsed_seconds = 0.25 * double(trial);
  return record;
}

Record sample_failure(int64_t trial) {
  Record record = sample_trial(trial);
  record.result = MeasureResult();
  record.result.status = Status::timeout;
  record.result.reason = "the run took longer than 2.0 s";
  record.result.times = {.build_seconds = 0.009, .run_seconds = 2.0};
  return record;
}

Record sample_sentinel(int64_t of_trial) {
  Record record = sample_trial(of_trial);
  record.kind = RecordKind::sentinel;
  record.trace = {};
  return record;
}

RoundRecord sample_round(int64_t round) {
  RoundRecord sample;
  sample.round = round;
  sample.task = "gmm:m=512,n=512,k=512";
  sample.target = "cpu";
  sample.cost_model = "xgboost";
  sample.first_trial = 16 * round - 15;
  sample.candidates = 16;
  sample.valid = 15;
  sample.top_1_recall = 1;
  sample.top_5_recall = 0.6;
  sample.kendall_tau = 0.5;
  sample.top_1_speed = 1;
  sample.training_seconds = 0.02;
  sample.elapsed_seconds = 2.5 * double(round);
  return sample;
}

int64_t next_trial(const std::vector<Record>& records, int64_t campaign, const std::string& task) {
  int64_t largest = 0;
  for (const Record& record : records) {
    if (record.kind == RecordKind::trial && record.campaign == campaign && record.task == task) {
      largest = std::max(largest, record.trial);
    }
  }
  return largest + 1;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), std::streamsize(bytes.size()));
}

}  // namespace dovetail::testing
