// SPDX-License-Identifier: Apache-2.0
#include "dovetail/log.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/record/log/best_record.h"
#include "core/record/log/log.h"
#include "core/record/log/merge.h"

namespace dovetail::api {

namespace fs = std::filesystem;

struct Log::File {
  std::string path;
  bool is_temporary = false;

  File(std::string path, bool is_temporary) : path(std::move(path)), is_temporary(is_temporary) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (is_temporary) ::unlink(path.c_str());
  }
};

Log::Log(std::string path) : file_(std::make_shared<const File>(std::move(path), false)) {}

Result<Log> Log::temporary() {
  std::error_code error;
  const std::string suffix = ".jsonl";
  std::string path = (fs::temp_directory_path(error) / ("dovetail-XXXXXX" + suffix)).string();
  const int file = error ? -1 : ::mkstemps(path.data(), static_cast<int>(suffix.size()));
  if (file < 0) return fail("cannot make a temporary log: {}", std::strerror(errno));
  ::close(file);
  Log log(path);
  log.file_ = std::make_shared<const File>(std::move(path), true);
  return log;
}

const std::string& Log::path() const { return file_->path; }

Result<std::vector<BestRecord>> Log::best_records() const {
  const dovetail::Log log = TRY(read_log(path()));
  std::vector<BestRecord> found;
  std::map<std::pair<std::string, std::string>, size_t> place;  // by task and target
  for (const BestTrial& best : best_trials(log.records)) {
    const Record& record = best.record;
    BestRecord own{.task = record.task,
                   .target = record.target,
                   .trace = record.trace.text(),
                   .seconds = best.seconds,
                   .campaign = record.campaign,
                   .trial = record.trial};
    const auto [at, is_new] = place.try_emplace({own.task, own.target}, found.size());
    if (is_new)
      found.push_back(std::move(own));
    else if (own.seconds < found[at->second].seconds)
      found[at->second] = std::move(own);
  }
  return found;
}

Result<void> Log::append(const Log& other) const {
  std::vector<dovetail::Log> logs;
  logs.push_back(TRY(read_log(other.path())));
  std::error_code error;
  if (fs::exists(path(), error) && fs::file_size(path(), error) > 0)
    logs.push_back(TRY(read_log(path())));
  return replace_file(path(), print(merge(logs)));
}

}  // namespace dovetail::api
