// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/log_opening.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/record/gzip.h"

namespace dovetail {
namespace {

std::filesystem::path folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

Result<void> check_writable(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return fail("log {}: {}", path, std::strerror(errno));
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder_of(path), ignored))
      return fail("log {}: folder {} does not exist", path, folder_of(path).string());
    return {};
  }
  TRY(must_be_plain(path, status.st_mode));
  // The superuser could write it, but removing the permission was intended.
  if ((status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0)
    return fail("log {} is read-only", path);
  return {};
}

// True for a file with at most one line, and that one unreadable: a campaign was killed before it
// began.
Result<bool> holds_no_log(const std::string& path) {
  std::ifstream file = TRY(open_plain_stream(path));
  std::string line;
  if (!std::getline(file, line)) return true;
  if (file.get() != std::ifstream::traits_type::eof()) return false;
  bool unreadable = false;
  TRY(scan_log(path, [&](LogLine& only) -> Result<void> {
    const BadLine* bad = std::get_if<BadLine>(&only.content);
    unreadable = bad != nullptr && !bad->newer_schema;
    return {};
  }));
  return unreadable;
}

// The last campaign that `header` can continue; the error lists the differences to the last one.
Result<LogHeader> campaign_to_resume(const Log& log, const LogHeader& header) {
  const LogHeader* continued = nullptr;
  for (auto campaign = log.headers.rbegin(); campaign != log.headers.rend(); ++campaign) {
    if (!differences(*campaign, header).empty()) continue;
    if (campaign->options == header.options) return *campaign;
    if (continued == nullptr) continued = &*campaign;
  }
  if (continued != nullptr) return *continued;
  const LogHeader& last = log.headers.back();
  if (last.distilled_from)
    return fail(
        "log {}: campaign {} was distilled, so --resume cannot continue it: most of its {} trials "
        "are gone; resume the log that it was distilled from, or use --append to add a campaign",
        log.path, last.campaign, *last.distilled_from);
  return fail(
      "log {}: --resume continues campaign {} with its own options, but {}; use "
      "--append to add a campaign",
      log.path, last.campaign, fmt::join(differences(last, header), "; "));
}

Unexpected refuse_existing(const Log& log) {
  return fail(
      "log {} exists ({}, {}); use --resume to continue it or "
      "--append to add a campaign",
      log.path, counted(log.headers.size(), "campaign"), counted(log.records.size(), "record"));
}

}  // namespace

Result<LogOpening> plan_opening(const std::string& path, LogMode mode, const LogHeader& header) {
  TRY(check_appendable(path));
  LogOpening opening;
  if (!std::filesystem::exists(path) || TRY(holds_no_log(path))) return opening;
  opening.log = TRY(read_log(path));
  if (mode == LogMode::fresh) return refuse_existing(*opening.log);
  TRY(check_schema(*opening.log));
  if (mode == LogMode::resume) opening.continued = TRY(campaign_to_resume(*opening.log, header));
  return opening;
}

Result<void> check_appendable(const std::string& path) {
  if (path.ends_with(".gz") || is_compressed(path))
    return fail(
        "log {}: a campaign appends lines to plain text, expected a log that "
        "is not compressed and whose name does not end with .gz",
        path);
  return check_writable(path);
}

Result<void> check_schema(const Log& log) {
  for (const LogHeader& campaign : log.headers) {
    if (campaign.schema == kSchema) continue;
    return fail(
        "log {}: campaign {} has schema {}, and this version adds to logs of schema {}: first "
        "rewrite it with dovetail log migrate {} -o FILE",
        log.path, campaign.campaign, campaign.schema, kSchema, log.path);
  }
  return {};
}

}  // namespace dovetail
