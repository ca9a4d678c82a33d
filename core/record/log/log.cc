// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/log.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <istream>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/printable.h"
#include "core/record/gzip.h"
#include "core/record/line/json_fields.h"
#include "core/record/line/log_line.h"
#include "core/record/log/claimed_times.h"

namespace dovetail {

std::optional<std::string> kind_of(std::string_view object) {
  // Most lines are trials: skip them without parsing.
  if (object.find("\"kind\"") == std::string_view::npos) return std::nullopt;
  Result<JsonFields> fields = JsonFields::parse(object);
  if (!fields || fields->kind("kind") != JsonKind::text) return std::nullopt;
  return fields->text("kind");
}

std::string print(const OtherLine& line) { return seal_line(line.object); }

Result<OtherLine> parse_other(std::string_view object) {
  JsonFields fields = TRY(JsonFields::parse(object));
  OtherLine line{.kind = fields.text("kind"),
                 .campaign = fields.integer("campaign", 1),
                 .object = std::string(object)};
  TRY(fields.check());
  return line;
}

OtherLine with_campaign(const OtherLine& line, int64_t campaign) {
  Result<JsonFields> fields = JsonFields::parse(line.object);
  CHECK(fields.has_value(), "a line that was read is JSON");
  JsonWriter writer;
  for (const std::string& name : fields->names())
    writer.raw(name, name == "campaign" ? std::to_string(campaign) : fields->raw(name));
  return {.kind = line.kind, .campaign = campaign, .object = std::move(writer).finish()};
}
namespace {

// Refuses all but plain files: reading a pipe would hang and a device might never end.
Result<void> check_readable(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return fail("log {} does not exist", path);
    return fail("log {}: {}", path, std::strerror(errno));
  }
  return must_be_plain(path, status.st_mode);
}

std::string printable_start(const std::string& line) {
  constexpr size_t kLongest = 40;
  std::string start;
  for (char c : line.substr(0, kLongest)) start += c >= ' ' && c <= '~' ? c : '?';
  return line.size() > kLongest ? start + "..." : start;
}

using Content = decltype(LogLine::content);

Content parse_line(const std::string& line, int& schema) {
  const auto bad = [&line](std::string reason, bool newer_schema = false) {
    return BadLine{std::move(reason), newer_schema, printable_start(line)};
  };
  const auto object = open_line(line);
  if (!object) return bad(object.error().message);
  if (is_header(*object)) {
    auto header = parse_header(*object);
    if (!header) return bad(header.error().message, is_newer_schema(*object));
    schema = header->schema;
    return std::move(*header);
  }
  const auto content_or_bad = [&bad](auto parsed) -> Content {
    if (!parsed) return bad(parsed.error().message);
    return std::move(*parsed);
  };
  const std::optional<std::string> kind = kind_of(*object);
  if (kind == kRoundKind) return content_or_bad(parse_round(*object, schema));
  // "trial" is not a valid kind: parse_record reports that.
  if (kind && !parse_record_kind(*kind)) return content_or_bad(parse_other(*object));
  return content_or_bad(parse_record(*object, schema));
}

}  // namespace

Result<void> scan_log(const std::string& path, const std::function<bool(std::string_view)>& wanted,
                      const LineVisitor& visit) {
  TRY(check_readable(path));
  const Result<std::unique_ptr<std::istream>> file = open_text(path);
  if (!file) return fail("log {}", file.error().message);
  std::string text;
  int64_t offset_bytes = 0;
  int schema = kSchema;  // the last header's
  for (int64_t number = 1; std::getline(**file, text); ++number) {
    LogLine line;
    line.number = number;
    line.offset_bytes = offset_bytes;
    line.size_bytes = int64_t(text.size());
    line.ended = !(*file)->eof();
    offset_bytes += line.size_bytes + 1;
    if (number > 1 && !wanted(text)) continue;
    line.content = parse_line(text, schema);
    TRY(visit(line));
  }
  if ((*file)->bad()) return fail("log {} cannot be read: {}", path, std::strerror(errno));
  return {};
}

Result<void> scan_log(const std::string& path, const LineVisitor& visit) {
  return scan_log(path, [](std::string_view) { return true; }, visit);
}

Result<void> must_be_plain(const std::string& path, mode_t mode) {
  if (S_ISDIR(mode)) return fail("log {} is a folder, expected a file", path);
  if (S_ISREG(mode)) return {};
  return fail("log {} is a device or pipe, expected a plain file", path);
}

std::string print(const LogWarning& warning, const std::string& path) {
  return printable(fmt::format("{} line {}: {}", path, warning.line, warning.text));
}

std::string first_warnings(const Log& log) {
  constexpr size_t kMostShown = 5;
  std::string lines;
  for (size_t i = 0; i < std::min(log.warnings.size(), kMostShown); ++i)
    lines += fmt::format("dovetail: {}\n", print(log.warnings[i], log.path));
  if (log.warnings.size() > kMostShown) {
    lines += fmt::format("dovetail: {}: {} more such lines; `log verify` lists them\n", log.path,
                         log.warnings.size() - kMostShown);
  }
  return lines;
}

const LogHeader* Log::header_of(int64_t campaign) const {
  const auto found = std::ranges::find(headers, campaign, &LogHeader::campaign);
  return found == headers.end() ? nullptr : &*found;
}

bool Log::take_header(LogHeader header) {
  const auto found = std::ranges::find(headers, header.campaign, &LogHeader::campaign);
  if (found == headers.end()) {
    last_campaign = std::max(last_campaign, header.campaign);
    headers.push_back(std::move(header));
    return true;
  }
  if (found->id != header.id) return false;
  *found = std::move(header);
  return true;
}

namespace {

// Collects a Log line by line, and leaves out lines that would falsify its counts.
class LogReader {
 public:
  explicit LogReader(std::string path, std::function<void(Log&)> grown = {})
      : grown_(std::move(grown)) {
    log_.path = std::move(path);
  }

  Result<void> visit(LogLine& line) {
    log_.num_lines = line.number;
    const bool is_torn = !line.ended && std::holds_alternative<BadLine>(line.content);
    if (!is_torn) log_.sound_bytes = line.offset_bytes + line.size_bytes + (line.ended ? 1 : 0);
    log_.needs_line_feed = !line.ended && !is_torn;
    if (const auto* bad = std::get_if<BadLine>(&line.content)) return visit_bad(line, *bad);
    if (line.number == 1 && !std::holds_alternative<LogHeader>(line.content))
      return no_header("line 1 is a record");
    std::visit([&](auto& content) { take(line, std::move(content)); }, line.content);
    return {};
  }

  Result<Log> finish() && {
    if (log_.num_lines == 0) return no_header("the file is empty");
    return std::move(log_);
  }

 private:
  Unexpected no_header(const std::string& found) const {
    return fail("{} is not a log: {}, expected a header line that opens a campaign", log_.path,
                found);
  }

  Result<void> visit_bad(const LogLine& line, const BadLine& bad) {
    if (bad.newer_schema) return fail("{} line {}: {}", log_.path, line.number, bad.reason);
    if (line.number == 1) return no_header(fmt::format("line 1 ({}): {}", bad.start, bad.reason));
    if (line.ended) {
      warn(line, bad.reason + "; skipped");
    } else {
      warn(line, "unfinished last line; skipped");
      log_.warnings.back().torn = true;
    }
    return {};
  }

  void take(const LogLine&, const BadLine&) {}

  void take(const LogLine& line, LogHeader header) {
    const int64_t campaign = header.campaign;
    if (!log_.take_header(std::move(header)))
      warn(line, fmt::format("another header of campaign {}; skipped", campaign));
  }

  bool has_header(const LogLine& line, int64_t campaign) {
    log_.last_campaign = std::max(log_.last_campaign, campaign);
    if (log_.header_of(campaign) != nullptr) return true;
    // Warns once: a lost header would otherwise cause a warning for every trial of its campaign.
    if (orphaned_.insert(campaign).second)
      warn(line, fmt::format("campaign {} has no header; its records are skipped", campaign));
    return false;
  }

  void take(const LogLine& line, RoundRecord round) {
    if (!has_header(line, round.campaign)) return;
    if (is_repeated(line, "round", {round.campaign, round.task, round.round})) return;
    log_.rounds.push_back(std::move(round));
  }

  void take(const LogLine& line, OtherLine other) {
    if (has_header(line, other.campaign)) log_.others.push_back(std::move(other));
  }

  void take(const LogLine& line, Record record) {
    if (!has_header(line, record.campaign)) return;
    const bool is_trial = record.kind == RecordKind::trial;
    if (is_trial && is_repeated(line, "trial", {record.campaign, record.task, record.trial}))
      return;
    if (record.result.status == Status::ok) disbelieve(line, record);
    log_.records.push_back(std::move(record));
    if (grown_) grown_(log_);
  }

  // Impossible times must neither become the best nor be replayed.
  void disbelieve(const LogLine& line, Record& record) {
    std::string reason = times_.why_impossible(record, *log_.header_of(record.campaign));
    if (reason.empty()) return;
    warn(line, fmt::format("{} {} of {} {}; taken as impossible", print(record.kind), record.trial,
                           record.task, reason));
    record.result.status = Status::impossible;
    record.result.reason = std::move(reason);
  }

  struct Numbered {
    int64_t campaign;
    const std::string& task;
    int64_t number;
  };

  // Tasks are few and their texts long: one set of numbers per task.
  bool is_repeated(const LogLine& line, const char* what, const Numbered& key) {
    const auto& [campaign, task, number] = key;
    if (seen_[{what, campaign, task}].insert(number).second) return false;
    warn(line, fmt::format("{} {} of {} in campaign {} is here a second time; skipped", what,
                           number, task, campaign));
    return true;
  }

  void warn(const LogLine& line, std::string text) {
    log_.warnings.push_back({.line = line.number, .text = std::move(text)});
  }

  std::function<void(Log&)> grown_;
  Log log_;
  ClaimedTimes times_;
  using TaskKey = std::tuple<std::string_view, int64_t, std::string>;  // what, campaign, task
  std::map<TaskKey, std::unordered_set<int64_t>> seen_;                // trials and rounds
  std::set<int64_t> orphaned_;                                         // campaigns without a header
};

}  // namespace

Result<Log> read_log(const std::string& path, const std::function<void(Log&)>& grown) {
  LogReader reader(path, grown);
  TRY(scan_log(path, [&reader](LogLine& line) { return reader.visit(line); }));
  return std::move(reader).finish();
}

std::string print(const Log& log) {
  std::map<int64_t, std::string> lines;  // by campaign
  for (const Record& record : log.records) lines[record.campaign] += print(record) + "\n";
  for (const RoundRecord& round : log.rounds) lines[round.campaign] += print(round) + "\n";
  for (const OtherLine& other : log.others) lines[other.campaign] += print(other) + "\n";
  std::string text;
  for (const LogHeader& header : log.headers) text += print(header) + "\n" + lines[header.campaign];
  return text;
}

Result<Record> read_record(const RecordName& name) {
  // The spelling of print(Record); lines that another program formatted are found by the full read
  // below.
  const std::string trial = fmt::format("\"trial\":{},", name.trial);
  const auto wanted = [&trial](std::string_view text) {
    return text.find(trial) != std::string_view::npos ||
           text.find("\"schema\"") != std::string_view::npos;
  };
  LogReader reader(name.log);
  TRY(scan_log(name.log, wanted, [&reader](LogLine& line) { return reader.visit(line); }));
  auto found = find_record(TRY(std::move(reader).finish()), name);
  if (found) return found;
  return find_record(TRY(read_log(name.log)), name);
}

}  // namespace dovetail
