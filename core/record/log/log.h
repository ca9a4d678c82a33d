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
// Lines and not a database: an append is one write(), what was written survives whatever happens
// next, any tool can read it, and a damaged line costs that line. A log that is kept may be
// compressed (tune.jsonl.gz): it is read as any other, and nothing is appended to it. Readers skip
// what they cannot believe, say so with its line number, and go on; only a file that does not begin
// with a header is refused. A record whose time no device can have had (claimed_times.h) is read as
// one that failed, `impossible`.

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

// OtherLine: a line that readers of trials have no use for: of a kind that this version does not
// know, or a network (core/record/log/network_records.h). Nothing counts it, and what rewrites a
// log keeps it:
//
//   {"kind":"power","campaign":1,"watts":[81,79],"crc":"..."}
//
// Only its campaign is known, so that it stays with its header.

struct OtherLine {
  std::string kind;
  int64_t campaign = 1;
  std::string object;  // without its checksum
  friend bool operator==(const OtherLine&, const OtherLine&) = default;
};

// The value of an object's field `kind`; nothing when it has none, or one that is no text.
std::optional<std::string> kind_of(std::string_view object);

std::string print(const OtherLine& line);  // one line with its checksum, no newline
Result<OtherLine> parse_other(std::string_view object);

// The same line in a file where its campaign has another number.
OtherLine with_campaign(const OtherLine& line, int64_t campaign);

struct BadLine {
  std::string reason;         // "checksum is 5cbba0e6, the line's bytes give 11aa0422"
  bool newer_schema = false;  // a header this program is too old for
  std::string start;          // the line's first bytes, for messages
  friend bool operator==(const BadLine&, const BadLine&) = default;
};

struct LogLine {
  int64_t number = 1;        // from 1
  int64_t offset_bytes = 0;  // of its first byte in the file
  int64_t size_bytes = 0;    // without the line feed
  bool ended = true;         // by a line feed; the last one may not be
  std::variant<LogHeader, Record, RoundRecord, OtherLine, BadLine> content;
};

// Streams a file's lines in order, for logs too big to hold; `visit` may take what it is given, and
// stops the scan by returning an error. Only a file that cannot be read is an error here: what its
// lines say is up to the visitor.
using LineVisitor = std::function<Result<void>(LogLine&)>;
Result<void> scan_log(const std::string& path, const LineVisitor& visit);

// Parses and visits the first line, and those whose text is `wanted`.
Result<void> scan_log(const std::string& path, const std::function<bool(std::string_view)>& wanted,
                      const LineVisitor& visit);

// By its st_mode: not a folder, a device or a pipe.
Result<void> must_be_plain(const std::string& path, mode_t mode);

struct LogWarning {
  int64_t line = 0;
  std::string text;   // without the line number
  bool torn = false;  // the unfinished last line: nothing is wrong with the rest
  friend bool operator==(const LogWarning&, const LogWarning&) = default;
};

std::string print(const LogWarning& warning, const std::string& path);  // "tune.jsonl line 7: ..."

struct Log {
  std::string path;
  std::vector<LogHeader> headers;   // in the order of the file
  std::vector<Record> records;      // in the order of the file
  std::vector<RoundRecord> rounds;  // likewise
  std::vector<OtherLine> others;    // likewise; networks, and kinds that are not known
  std::vector<LogWarning> warnings;
  int64_t num_lines = 0;
  int64_t sound_bytes = 0;       // the file without an unfinished last line
  bool needs_line_feed = false;  // the last line is whole but for its line feed
  int64_t last_campaign = 0;  // the largest number that any line has, so that the next one is free
  int64_t num_thinned = 0;    // trials that were read and left out (core/record/log/thinned_log.h)

  const LogHeader* header_of(int64_t campaign) const;  // nullptr when its line was lost
  // False: another campaign has that number. The same campaign's takes the place of the earlier.
  bool take_header(LogHeader header);
};

// The first few warnings as a program says them, a line each; empty when there are none.
std::string first_warnings(const Log& log);

// Reads all of a log. Repeated trials and rounds, and lines without a header, are skipped with a
// warning. Whenever a record has come, `grown` may take some out.
Result<Log> read_log(const std::string& path, const std::function<void(Log&)>& grown = {});

// The file that holds this and nothing else: each header, followed by its campaign's records, its
// rounds and its other lines.
std::string print(const Log& log);

// The name of a trial of `log`, with its task only where the campaign has several.
RecordName name_of(const Log& log, const Record& record);

// The trial of that name; `name.log` is not looked at.
Result<Record> find_record(const Log& log, const RecordName& name);

// The same from the file that the name names. Parses few of its lines, so that `show` answers at
// once, however long the log.
Result<Record> read_record(const RecordName& name);

}  // namespace dovetail
