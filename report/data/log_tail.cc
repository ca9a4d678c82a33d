// SPDX-License-Identifier: Apache-2.0
#include "report/data/log_tail.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <istream>
#include <memory>

#include "core/base/fail.h"
#include "core/record/gzip.h"
#include "core/record/line/log_line.h"
#include "core/record/line/network_record.h"

namespace dovetail {
namespace {

Result<std::unique_ptr<std::istream>> open_at(const std::string& path, int64_t offset_bytes) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return fail("{} does not exist", path);
  Result<std::unique_ptr<std::istream>> file = open_text(path);
  if (!file) return fail("log {}", file.error().message);
  (*file)->seekg(offset_bytes);
  return file;
}

Unexpected no_log(const std::string& path, const std::string& found) {
  return fail("{} is not a log: {}, expected a header line that opens a campaign", path, found);
}

// True when the text is a whole line but for its line feed.
bool is_sound(const std::string& line) { return open_line(line).has_value(); }

}  // namespace

LogTail::LogTail(std::string path) { log_.path = std::move(path); }

Result<bool> LogTail::read_more() {
  const std::unique_ptr<std::istream> text = TRY(open_at(log_.path, offset_bytes_));
  std::istream& file = *text;
  const int64_t lines_before = log_.num_lines;
  if (log_.needs_line_feed && file.peek() == '\n') {
    file.get();
    offset_bytes_ += 1;
    log_.needs_line_feed = false;
  }
  std::string line;
  while (std::getline(file, line)) {
    const bool ended = !file.eof();
    if (!ended && !is_sound(line)) break;  // being written, or torn
    log_.num_lines += 1;
    TRY(take_line(line));
    offset_bytes_ += int64_t(line.size()) + (ended ? 1 : 0);
    log_.needs_line_feed = !ended;
  }
  if (log_.headers.empty())
    return no_log(log_.path, line.empty() ? "the file is empty" : "line 1 is unfinished");
  return log_.num_lines > lines_before;
}

Result<void> LogTail::take_line(const std::string& line) {
  const auto object = open_line(line);
  const auto refuse = [&](const std::string& reason) -> Result<void> {
    if (log_.num_lines == 1) return no_log(log_.path, "line 1: " + reason);
    warn(reason + "; skipped");
    return {};
  };
  if (!object) return refuse(object.error().message);
  if (!is_header(*object)) {
    if (log_.num_lines == 1) return refuse("found a record");
    const Result<void> taken = take_other(*object);
    return taken ? taken : refuse(taken.error().message);
  }
  auto header = parse_header(*object);
  if (!header && is_newer_schema(*object))
    return fail("{} line {}: {}", log_.path, log_.num_lines, header.error().message);
  if (!header) return refuse(header.error().message);
  const int64_t campaign = header->campaign;
  const int schema = header->schema;
  if (!log_.take_header(std::move(*header)))
    return refuse(fmt::format("another header of campaign {}", campaign));
  schema_ = schema;
  return {};
}

// Takes any line but a header: records, rounds, networks; kinds that no page shows are ignored.
Result<void> LogTail::take_other(const std::string& object) {
  const std::optional<std::string> kind = kind_of(object);
  if (kind == kNetworkKind)
    log_.others.push_back(TRY(parse_other(object)));
  else if (kind == kRoundKind)
    take_round(TRY(parse_round(object, schema_)));
  else if (!kind || parse_record_kind(*kind))
    take_record(TRY(parse_record(object, schema_)));
  return {};
}

bool LogTail::has_header(int64_t campaign) {
  if (log_.header_of(campaign) != nullptr) return true;
  if (orphaned_.insert(campaign).second)
    warn(fmt::format("campaign {} has no header; its records are skipped", campaign));
  return false;
}

void LogTail::take_round(RoundRecord round) {
  if (!has_header(round.campaign)) return;
  if (rounds_.emplace(round.campaign, round.task, round.round).second) {
    log_.rounds.push_back(std::move(round));
    return;
  }
  warn(fmt::format("round {} of {} in campaign {} is here a second time; skipped", round.round,
                   round.task, round.campaign));
}

void LogTail::take_record(Record record) {
  if (!has_header(record.campaign)) return;
  if (record.kind == RecordKind::trial) {
    if (!offsets_.emplace(trial_key(record), offset_bytes_).second) {
      warn(fmt::format("trial {} of {} in campaign {} is here a second time; skipped", record.trial,
                       record.task, record.campaign));
      return;
    }
  }
  disbelieve(record);
  record.trace = {};
  log_.records.push_back(std::move(record));
}

// Marks impossible times, as core/record/log/log.cc does.
void LogTail::disbelieve(Record& record) {
  if (record.result.status != Status::ok) return;
  std::string reason = times_.why_impossible(record, *log_.header_of(record.campaign));
  if (reason.empty()) return;
  warn(fmt::format("{} {} of {} {}; taken as impossible", print(record.kind), record.trial,
                   record.task, reason));
  record.result.status = Status::impossible;
  record.result.reason = std::move(reason);
}

void LogTail::warn(std::string text) {
  log_.warnings.push_back({.line = log_.num_lines, .text = std::move(text)});
}

Result<std::string> LogTail::trace_of(const Record& trial) const {
  const auto at = offsets_.find({trial.campaign, trial.task, trial.trial});
  CHECK(at != offsets_.end(), "a trial of this log has a line");
  const std::unique_ptr<std::istream> text = TRY(open_at(log_.path, at->second));
  std::string line;
  std::getline(*text, line);
  const auto record = parse_record(TRY(open_line(line)), schema_);
  if (!record || record->trial != trial.trial || record->task != trial.task)
    return fail("log {} was changed while it was read", log_.path);
  return record->trace.text();
}

bool is_being_written(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  // Writers hold the exclusive lock for their lifetime (core/record/log/log_writer.h).
  const bool locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return locked;
}

}  // namespace dovetail
