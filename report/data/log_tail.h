// SPDX-License-Identifier: Apache-2.0
#pragma once

// LogTail: reads a growing log incrementally.
//
//   LogTail tail("tune.jsonl");
//   TRY(tail.read_more());            all there is
//   TRY(tail.read_more());            false: nothing new; true: tail.log() has more records
//   TRY(tail.trace_of(record))        traces stay in the file
//
// A page is rewritten every few seconds while a campaign runs for hours, so reading must cost only
// as much as is new, and traces, of which a page shows a few, stay on disk. Lines are skipped as
// read_log (core/record/log/log.h) skips them; an unfinished last line is read again later.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "core/record/log/claimed_times.h"
#include "core/record/log/log.h"

namespace dovetail {

class LogTail {
 public:
  explicit LogTail(std::string path);

  // Returns whether anything was added. Fails if the file is no log, or no longer one.
  Result<bool> read_more();

  const Log& log() const { return log_; }  // its records have no traces

  // `trial` is one of this log.
  Result<std::string> trace_of(const Record& trial) const;

 private:
  Result<void> take_line(const std::string& line);
  Result<void> take_other(const std::string& object);
  void take_record(Record record);
  void take_round(RoundRecord round);
  bool has_header(int64_t campaign);
  void disbelieve(Record& record);
  void warn(std::string text);

  Log log_;
  ClaimedTimes times_;
  int64_t offset_bytes_ = 0;  // offset of the next line
  int schema_ = kSchema;      // schema of the last header read
  std::map<TrialKey, int64_t> offsets_;
  std::set<TrialKey> rounds_;   // TrialKey with the number of the round
  std::set<int64_t> orphaned_;  // campaigns without a header
};

// True while a writer has the log open: a campaign runs.
bool is_being_written(const std::string& path);

}  // namespace dovetail
