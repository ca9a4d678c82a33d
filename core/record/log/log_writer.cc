// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/log_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "core/base/descriptor.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/record/gzip.h"
#include "core/record/log/kept_text.h"

namespace dovetail {

namespace {

// Writes to the first of `path`, path-2, path-3, … that does not exist, and returns its name.
Result<std::string> write_beside(const std::string& path, std::string_view text) {
  constexpr int kMostTries = 1000;
  for (int number = 1; number <= kMostTries; ++number) {
    const std::string name = number == 1 ? path : fmt::format("{}-{}", path, number);
    const Descriptor file(open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!file.valid() && errno == EEXIST) continue;
    if (!file.valid()) return fail("{}: {}", name, std::strerror(errno));
    TRY(write_file(name, text));
    if (fsync(file.get()) != 0) return fail("{}: {}", name, std::strerror(errno));
    return name;
  }
  return fail("{}: there are too many of that name", path);
}

// The first `size_bytes` bytes of the file.
Result<KeptText> kept_text_of(const Descriptor& file, const std::string& path, int64_t size_bytes) {
  KeptText kept;
  std::string part(1 << 20, '\0');
  for (int64_t at = 0; at < size_bytes;) {
    const auto wanted = static_cast<size_t>(std::min<int64_t>(size_bytes - at, std::ssize(part)));
    const ssize_t count = pread(file.get(), part.data(), wanted, at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail("log {} cannot be read: {}", path, std::strerror(errno));
    kept.append(std::string_view(part).substr(0, static_cast<size_t>(count)));
    at += count;
  }
  return kept;
}

}  // namespace

// The file, and the thread that fsyncs it. It keeps a copy of the file's content, so that nothing
// is lost where the file is truncated, replaced or removed meanwhile.
class LogWriter::File {
 public:
  // `before` is the file's content, `size_bytes` long, or empty to keep no copy of it. The content
  // must be empty or end with a line feed.
  File(Descriptor file, std::string path, int64_t size_bytes, KeptText before)
      : file_(std::move(file)),
        path_(std::move(path)),
        size_bytes_(size_bytes),
        kept_(std::move(before)),
        syncer_([this](const std::stop_token& stop) { sync_while_running(stop); }) {}

  File(const File&) = delete;
  File& operator=(const File&) = delete;

  ~File() {
    syncer_.request_stop();
    syncer_.join();
    if (unsynced_) fsync(file_.get());
  }

  Result<void> append(std::string line) {
    line += '\n';
    const std::lock_guard lock(mutex_);
    if (!sync_error_.empty()) return fail(sync_error_);
    TRY(check_place(line));
    TRY(write_all(line));
    size_bytes_ += int64_t(line.size());
    kept_.append(line);
    unsynced_ = true;
    wake_.notify_one();
    return {};
  }

  Result<void> sync() {
    std::unique_lock lock(mutex_);
    if (unsynced_) sync_once(lock);
    if (!sync_error_.empty()) return fail(sync_error_);
    return check_place({});
  }

  const std::string& path() const { return path_; }

 private:
  // Fails, from then on, when the file is no longer the one that was written: everything kept,
  // `next` included, is then written beside it.
  Result<void> check_place(std::string_view next) {
    const std::string what = what_happened();
    if (what.empty()) return {};
    kept_.append(next);
    const Result<std::string> rescued = write_beside(path_ + ".rescued", kept_.text());
    sync_error_ =
        fmt::format("log {} {} while it was in use; {}", path_, what,
                    rescued ? fmt::format("everything that was measured is in {}", *rescued)
                            : fmt::format("what was measured cannot be written beside it: {}",
                                          rescued.error().message));
    return fail(sync_error_);
  }

  // For example "was truncated"; empty: the file is intact.
  std::string what_happened() const {
    struct stat held{}, named{};
    if (fstat(file_.get(), &held) != 0) return {};
    if (held.st_size < size_bytes_) return "was truncated";
    if (stat(path_.c_str(), &named) != 0) return errno == ENOENT ? "was removed" : "";
    if (named.st_dev != held.st_dev || named.st_ino != held.st_ino) return "was replaced";
    const std::string_view expected = kept_.tail();
    std::string found(expected.size(), '\0');
    const auto at = static_cast<off_t>(size_bytes_ - std::ssize(expected));
    const ssize_t count = pread(file_.get(), found.data(), found.size(), at);
    return count == std::ssize(found) && found != expected ? "was overwritten" : "";
  }

  // A partly written line is cut off again, so that the file still ends with a whole line.
  Result<void> write_all(const std::string& line) {
    size_t written = 0;
    while (written < line.size()) {
      const ssize_t count = write(file_.get(), line.data() + written, line.size() - written);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) {
        const int cause = errno;
        const bool restored = ftruncate(file_.get(), size_bytes_) == 0;
        return fail("log {} cannot be written: {}{}", path_, std::strerror(cause),
                    restored ? "" : "; its last line is unfinished");
      }
      written += size_t(count);
    }
    return {};
  }

  void sync_while_running(const std::stop_token& stop) {
    // Half of the guaranteed second; the rest is for the disk.
    constexpr auto kLongestWait = std::chrono::milliseconds(500);
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return unsynced_; })) {
      wake_.wait_for(lock, stop, kLongestWait, [] { return false; });
      if (unsynced_) sync_once(lock);
    }
  }

  // Releases the lock during fsync, so that appends go on.
  void sync_once(std::unique_lock<std::mutex>& lock) {
    unsynced_ = false;
    lock.unlock();
    const bool failed = fsync(file_.get()) != 0;
    const int cause = errno;
    lock.lock();
    if (failed && sync_error_.empty()) {
      sync_error_ =
          fmt::format("log {} cannot be brought to the disk: {}", path_, std::strerror(cause));
    }
  }

  const Descriptor file_;  // first: closed last, which releases the lock
  const std::string path_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  int64_t size_bytes_;
  KeptText kept_;
  bool unsynced_ = false;
  std::string sync_error_;  // permanent: lost lines cannot be acknowledged later
  std::jthread syncer_;     // last: starts when all else is initialized
};

LogWriter::LogWriter(std::unique_ptr<File> file, LogHeader header)
    : file_(std::move(file)), header_(std::move(header)) {}
LogWriter::LogWriter(LogWriter&&) noexcept = default;
LogWriter& LogWriter::operator=(LogWriter&&) noexcept = default;
LogWriter::~LogWriter() = default;

Result<void> LogWriter::append(Record record) {
  record.campaign = header_.campaign;
  return file_->append(print(record));
}

Result<void> LogWriter::append(RoundRecord round) {
  round.campaign = header_.campaign;
  return file_->append(print(round));
}

Result<void> LogWriter::append(LogHeader header) {
  header.campaign = header_.campaign;
  header.id = header_.id;
  header_ = std::move(header);
  return file_->append(print(header_));
}

Result<void> LogWriter::append(std::string line) { return file_->append(std::move(line)); }

Result<void> LogWriter::sync() { return file_->sync(); }
const LogHeader& LogWriter::header() const { return header_; }
const std::string& LogWriter::path() const { return file_->path(); }

namespace {

Result<Descriptor> open_locked(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file.valid())
    return fail("log {} cannot be opened for writing: {}", path, std::strerror(errno));
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK)
      return fail("log {} cannot be locked: {}", path, std::strerror(errno));
    return fail("log {} is being written by another process; a log has one writer", path);
  }
  return file;
}

// Keeps layers that the campaign named while it ran: it did not begin with them.
void add_missing(const std::vector<Layer>& from, std::vector<Layer>& layers) {
  for (const Layer& layer : from)
    if (std::ranges::find(layers, layer.spec, &Layer::spec) == layers.end())
      layers.push_back(layer);
}

}  // namespace

struct LogOpener {
  const std::string& path;
  const LogMode mode;
  LogHeader header;

  Result<OpenedLog> open() {
    TRY(check_appendable(path));
    std::error_code ignored;
    const bool existed = std::filesystem::exists(path, ignored);
    Descriptor file = TRY(open_locked(path));
    auto opened = open_contents(std::move(file));
    if (!opened && !existed) unlink(path.c_str());
    return opened;
  }

  Result<LogWriter> open_last() {
    TRY(check_appendable(path));
    if (!std::filesystem::exists(path)) return fail("log {} does not exist", path);
    Descriptor file = TRY(open_locked(path));
    // Only headers and the file's end are needed: dropping records saves memory on a large log.
    const Log log = TRY(read_log(path, [](Log& grown) { grown.records.clear(); }));
    TRY(check_schema(log));
    auto taken = TRY(take_over(std::move(file), log, /*keeps_text=*/false));
    return LogWriter(std::move(taken), log.headers.back());
  }

 private:
  Result<OpenedLog> open_contents(Descriptor file) {
    LogOpening opening = TRY(plan_opening(path, mode, header));
    if (!opening.log) return start_file(std::move(file));
    if (opening.continued)
      return resume(std::move(file), *std::move(opening.log), *std::move(opening.continued));
    header.campaign = opening.log->last_campaign + 1;
    std::vector<Record> known = known_in(*opening.log);  // before the header is moved
    OpenedLog opened = TRY(start_campaign(TRY(take_over(std::move(file), *opening.log)),
                                          std::move(opening.log->warnings)));
    opened.known = std::move(known);
    return opened;
  }

  Result<OpenedLog> start_file(Descriptor file) {
    std::vector<LogWarning> warnings;
    const auto size_bytes = lseek(file.get(), 0, SEEK_END);
    if (size_bytes > 0) {
      if (ftruncate(file.get(), 0) != 0) return cannot_repair();
      warnings.push_back(
          {.line = 1, .text = "no header and nothing after it; replaced", .torn = true});
    }
    header.campaign = 1;
    const Descriptor folder(::open(std::filesystem::absolute(path).parent_path().c_str(),
                                   O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    auto opened = std::make_unique<LogWriter::File>(std::move(file), path, 0, KeptText());
    auto started = start_campaign(std::move(opened), std::move(warnings));
    if (folder.valid()) fsync(folder.get());  // makes the file's name durable
    return started;
  }

  Result<OpenedLog> start_campaign(std::unique_ptr<LogWriter::File> file,
                                   std::vector<LogWarning> warnings) {
    header = started_now(std::move(header));
    TRY(file->append(print(header)));
    return OpenedLog{.writer = LogWriter(std::move(file), std::move(header)),
                     .warnings = std::move(warnings)};
  }

  Result<OpenedLog> resume(Descriptor file, Log log, LogHeader found) {
    auto taken = TRY(take_over(std::move(file), log));
    add_missing(found.layers, header.layers);
    const bool grows = found.options != header.options || found.layers != header.layers;
    found.options = std::move(header.options);
    found.layers = std::move(header.layers);
    found.workloads = std::move(header.workloads);
    found.shapes = std::move(header.shapes);
    found.constants = std::move(header.constants);
    header = std::move(found);
    const bool had_ended = header.machine.has_value();
    if (grows) header.machine.reset();  // is measured at its end: log_head tells by it
    if (grows) TRY(taken->append(print(header)));
    std::vector<Record> known = known_in(log);
    const auto is_other = [this](const auto& line) { return line.campaign != header.campaign; };
    std::erase_if(log.records, is_other);
    std::erase_if(log.rounds, is_other);
    return OpenedLog{.writer = LogWriter(std::move(taken), std::move(header)),
                     .records = std::move(log.records),
                     .rounds = std::move(log.rounds),
                     .known = std::move(known),
                     .warnings = std::move(log.warnings),
                     .resumed = true,
                     .extended = grows && had_ended};
  }

  std::vector<Record> known_in(const Log& log) const {
    std::vector<Record> known;
    for (const Record& record : log.records) {
      const LogHeader& own = *log.header_of(record.campaign);
      if (record.campaign != header.campaign && record.target == header.target &&
          own.device.name == header.device.name)
        known.push_back(record);
    }
    return known;
  }

  // Repairs the end of the file, so that it ends with a whole line, and wraps it.
  Result<std::unique_ptr<LogWriter::File>> take_over(Descriptor file, const Log& log,
                                                     bool keeps_text = true) const {
    int64_t size_bytes = log.sound_bytes;
    struct stat status{};
    if (fstat(file.get(), &status) != 0) return cannot_repair();
    // Truncate only if needed: a log that was only read keeps its modification time.
    const bool is_torn = status.st_size != size_bytes;
    if (is_torn && ftruncate(file.get(), size_bytes) != 0) return cannot_repair();
    if (log.needs_line_feed) {
      if (write(file.get(), "\n", 1) != 1) return cannot_repair();
      size_bytes += 1;
    }
    // Appending one line to a finished campaign does not justify keeping the whole log in memory.
    KeptText before = keeps_text ? TRY(kept_text_of(file, path, size_bytes)) : KeptText();
    return std::make_unique<LogWriter::File>(std::move(file), path, size_bytes, std::move(before));
  }

  Unexpected cannot_repair() const {
    return fail("log {}: its unfinished last line cannot be repaired: {}", path,
                std::strerror(errno));
  }
};

Result<OpenedLog> open_for_tune(const std::string& path, LogMode mode, LogHeader header) {
  return LogOpener{.path = path, .mode = mode, .header = std::move(header)}.open();
}

Result<LogWriter> open_last_campaign(const std::string& path) {
  return LogOpener{.path = path, .mode = LogMode::append, .header = {}}.open_last();
}

}  // namespace dovetail
