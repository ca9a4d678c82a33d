// SPDX-License-Identifier: Apache-2.0
#pragma once

// Log: a file of campaigns, each a header line and its records.
//
//   {"schema":2,... "campaign":1,... "crc":"..."}        header of campaign 1
//   {"trial":1,"campaign":1,... "crc":"..."}
//   {"trial":2,"campaign":1,... "crc":"..."}
//   {"schema":2,... "campaign":2,... "crc":"..."}        --append: a second campaign
//   {"trial":1,"campaign":2,... "crc":"..."}
//   {"schema":2,... "campaign":2,... "crc":"..."}        the same id again: --resume with larger
//                                                        limits or more tasks; the last one holds
//   {"trial":2,"camp                                     torn: the writer was killed here, or
//                                                        writes now
//
//   const Log log = TRY(read_log("tune.jsonl"));
//   const Record record = TRY(find_record(log, TRY(parse_record_name("tune.jsonl#1.2"))));
//
// Why lines and not a database: an append is one write(), written lines survive any later failure,
// any tool can read them, and damage costs only the damaged line. A stored log may be compressed
// (tune.jsonl.gz): it is read like any other, but not appended to. Readers skip invalid lines, with
// a warning that has the line number; only a file without a header at its beginning is refused. A
// record with an impossible time (claimed_times.h) is read as a failure, `impossible`.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/log_header.h"
#include "core/record/line/record.h"
#include "core/record/line/round_record.h"

namespace dovetail {

// OtherLine: a line that readers of trials ignore: of a kind that this version does not know, or a
// network (core/record/log/network_records.h). It is not counted, but kept when a log is rewritten:
//
//   {"kind":"power","campaign":1,"watts":[81,79],"crc":"..."}
//
// Only its campaign is parsed, so that it stays with its header.

struct OtherLine {
  std::string kind;
  int64_t campaign = 1;
  std::string object;  // without its checksum
  friend bool operator==(const OtherLine&, const OtherLine&) = default;
};

// The value of an object's field `kind`; none when it is missing or not a text.
std::optional<std::string> kind_of(std::string_view object);

std::string print(const OtherLine& line);  // one line with its checksum, no newline
Result<OtherLine> parse_other(std::string_view object);

// The same line with another campaign number.
OtherLine with_campaign(const OtherLine& line, int64_t campaign);

struct BadLine {
  std::string reason;         // "checksum is 5cbba0e6, the line's bytes give 11aa0422"
  bool newer_schema = false;  // a header newer than this program
  std::string start;          // the line's first bytes, for messages
  friend bool operator==(const BadLine&, const BadLine&) = default;
};

struct LogLine {
  int64_t number = 1;        // from 1
  int64_t offset_bytes = 0;  // position of its first byte in the file
  int64_t size_bytes = 0;    // without the line feed
  bool ended = true;         // by a line feed; false only for the last one
  std::variant<LogHeader, Record, RoundRecord, OtherLine, BadLine> content;
};

// Streams a file's lines in order, for logs too big to hold; `visit` may move from its argument,
// and stops the scan by returning an error. Only an unreadable file is an error of scan_log itself:
// the visitor judges the lines.
using LineVisitor = std::function<Result<void>(LogLine&)>;
Result<void> scan_log(const std::string& path, const LineVisitor& visit);

// Parses and visits only the first line, and lines whose text satisfies `wanted`.
Result<void> scan_log(const std::string& path, const std::function<bool(std::string_view)>& wanted,
                      const LineVisitor& visit);

// Fails where st_mode is a folder, a device or a pipe.
Result<void> must_be_plain(const std::string& path, mode_t mode);

struct LogWarning {
  int64_t line = 0;
  std::string text;   // without the line number
  bool torn = false;  // the unfinished last line; the rest is fine
  friend bool operator==(const LogWarning&, const LogWarning&) = default;
};

std::string print(const LogWarning& warning, const std::string& path);  // "tune.jsonl line 7: ..."

struct Log {
  std::string path;
  std::vector<LogHeader> headers;   // in the order of the file
  std::vector<Record> records;      // in the order of the file
  std::vector<RoundRecord> rounds;  // likewise
  std::vector<OtherLine> others;    // likewise; networks, and unknown kinds
  std::vector<LogWarning> warnings;
  int64_t num_lines = 0;
  int64_t sound_bytes = 0;       // size without an unfinished last line
  bool needs_line_feed = false;  // the last line lacks only its line feed
  int64_t last_campaign = 0;     // largest campaign number of any line: the next one is free
  int64_t num_thinned = 0;       // trials dropped after reading (core/record/log/thinned_log.h)

  const LogHeader* header_of(int64_t campaign) const;  // null when its line was lost
  // Replaces an earlier header of the same campaign. False: another campaign has that number.
  bool take_header(LogHeader header);
};

// The first few warnings for the user, one per line; empty when there are none.
std::string first_warnings(const Log& log);

// Reads a whole log. Repeated trials and rounds, and lines without a header, are skipped with a
// warning. `grown` is called after each record and may remove records.
Result<Log> read_log(const std::string& path, const std::function<void(Log&)>& grown = {});

// The text of a file with exactly this content: each header, followed by its campaign's records,
// rounds and other lines.
std::string print(const Log& log);

// The name of a trial of `log`, with its task only where the campaign has several.
RecordName name_of(const Log& log, const Record& record);

// The trial with that name; `name.log` is ignored. `name.task` may be a spec, or the name that one
// task has in the campaign's header.
Result<Record> find_record(const Log& log, const RecordName& name);

// The same from the file `name.log`. Parses few of its lines, so that `show` is fast on long logs.
Result<Record> read_record(const RecordName& name);

}  // namespace dovetail
