// SPDX-License-Identifier: Apache-2.0
#pragma once

// LogWriter: the single writer of a campaign's log.
//
//   OpenedLog log = TRY(open_for_tune("tune.jsonl", LogMode::resume, header));
//   for (const Record& record : log.records) strategy.observe(record);   // measured before
//   TRY(log.writer.append(record));                                      // acknowledged: it is in
//                                                                        // the file
//
// Guarantee: a record whose append returned survives a kill -9 of this process (it was write()n in
// one piece) and, a second later, a power cut (a background thread fsyncs, so that no campaign
// waits for a disk). Whenever the process dies, the next open finds every acknowledged line once:
// an unfinished last line is cut off, a finished one is kept. Nothing before the end of the file is
// ever rewritten. A log has one writer at a time; its lock ends with the process, however that
// ends.
//
// Where the file is truncated, replaced, overwritten or removed meanwhile, the next append or sync
// fails with that error, and writes the file's whole content to tune.jsonl.rescued, a log that
// `--resume` can continue. (A writer of open_last_campaign rescues only its own lines.)
//
// Effect of opening, by the state of the file:
//
//                                   fresh            resume                          append
//   does not exist, is empty, or    a campaign       a campaign                      a campaign
//   holds one unreadable line
//   holds a campaign                error: exists    the last one of the same        one more
//                                                    options goes on, or an error
//                                                    that lists the differences; a header
//                                                    records new limits and tasks
//   anything else                   error            error                           error

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/log/log.h"
#include "core/record/log/log_opening.h"

namespace dovetail {

class LogWriter {
 public:
  LogWriter(LogWriter&&) noexcept;
  LogWriter& operator=(LogWriter&&) noexcept;
  ~LogWriter();  // fsyncs; only sync() reports errors

  // Writes the record as one line of this writer's campaign. After an error the file ends where it
  // did before, and the record is not acknowledged.
  Result<void> append(Record record);
  Result<void> append(RoundRecord round);
  // Replaces this campaign's header, as a resumed one does with other limits.
  Result<void> append(LogHeader header);
  Result<void> append(std::string line);  // already sealed, of this campaign
  Result<void> sync();                    // waits until everything is on disk

  const LogHeader& header() const;
  const std::string& path() const;

 private:
  friend struct LogOpener;
  class File;
  LogWriter(std::unique_ptr<File> file, LogHeader header);
  std::unique_ptr<File> file_;
  LogHeader header_;
};

struct OpenedLog {
  LogWriter writer;
  // This campaign's, in the order of the file; empty unless resumed.
  std::vector<Record> records = {};
  std::vector<RoundRecord> rounds = {};  // likewise
  std::vector<Record> known = {};        // other campaigns', on the same target and device
  std::vector<LogWarning> warnings;      // about the file before it was opened
  bool resumed = false;
  bool extended = false;  // resumed with larger limits, after it had ended
};

// Opens `path` for the campaign that `header` describes; its campaign number, id and start are
// filled in here. Writes nothing unless it succeeds.
Result<OpenedLog> open_for_tune(const std::string& path, LogMode mode, LogHeader header);

// Opens an existing log to append lines to its last campaign.
Result<LogWriter> open_last_campaign(const std::string& path);

}  // namespace dovetail
