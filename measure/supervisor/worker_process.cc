// SPDX-License-Identifier: Apache-2.0
#include "measure/supervisor/worker_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/base/beside_program.h"
#include "core/base/fail.h"
#include "core/base/spawn_settings.h"
#include "core/base/stopwatch.h"
#include "measure/messages/worker_messages.h"

namespace dovetail {
namespace {

constexpr off_t kLongestMessageBytes = 4096;
// A worker that has closed its socket is exiting; after this time it is killed.
constexpr double kExitGraceSeconds = 0.5;

Result<Descriptor> message_file() {
  Descriptor file(::memfd_create("worker messages", MFD_CLOEXEC));
  // Append mode: the file is truncated before each request, and the worker must not leave a hole.
  if (!file.valid() || ::fcntl(file.get(), F_SETFL, O_APPEND) != 0)
    return fail("cannot create a message file: {}", strerror(errno));
  return file;
}

std::string describe_exit(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const char* name = ::sigabbrev_np(WTERMSIG(wait_status));
    if (name == nullptr) return fmt::format("killed by signal {}", WTERMSIG(wait_status));
    return fmt::format("killed by SIG{}", name);
  }
  return fmt::format("exit code {}", WEXITSTATUS(wait_status));
}

}  // namespace

Status status_of(const Exchange& exchange, Status when_died) {
  switch (exchange.outcome) {
    case Exchange::Outcome::answered: return Status::ok;
    case Exchange::Outcome::timed_out: return Status::timeout;
    case Exchange::Outcome::unavailable: return Status::worker_lost;
    case Exchange::Outcome::died:
      // A candidate cannot end itself by SIGKILL: that was an operator, or the system out of
      // memory.
      return exchange.signal == SIGKILL ? Status::worker_lost : when_died;
    case Exchange::Outcome::garbage: return when_died;
  }
  return when_died;
}

Result<std::string> find_program(const std::string& name) {
  if (const auto program = find_beside_program(name)) return program->string();
  return fail("{} not found beside the running program in {}", name, program_folder().string());
}

Result<std::string> find_worker() { return find_program("dovetail-worker"); }

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerCommand& command) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
    return fail("cannot create a socket: {}", strerror(errno));
  Descriptor ours(pair[0]);
  Descriptor theirs(pair[1]);
  Descriptor messages = TRY(message_file());

  SpawnSettings settings;
  settings.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  settings.open(STDOUT_FILENO, "/dev/null", O_WRONLY);
  settings.hand_over(messages.get(), STDERR_FILENO);
  settings.hand_over(theirs.get(), kWorkerSocket);
  int number = kFirstInheritedDescriptor;
  for (const int descriptor : command.inherited) settings.hand_over(descriptor, number++);
  std::vector<std::string> words = {command.path};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  const pid_t pid = TRY(settings.start(std::move(words), command.environment));
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(pid, std::move(ours), std::move(messages)));
}

WorkerProcess::~WorkerProcess() {
  kill();
  reap();
}

void WorkerProcess::kill() {
  const std::lock_guard lock(mutex_);
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

void WorkerProcess::pause(bool on) {
  const std::lock_guard lock(mutex_);
  if (pid_ <= 0 || on == paused_since_.has_value()) return;
  ::kill(pid_, on ? SIGSTOP : SIGCONT);
  if (on) {
    paused_since_.emplace();
  } else {
    paused_before_seconds_ += paused_since_->seconds();
    paused_since_.reset();
  }
}

double WorkerProcess::paused_seconds() const {
  const std::lock_guard lock(mutex_);
  return paused_before_seconds_ + (paused_since_ ? paused_since_->seconds() : 0);
}

// A pause may begin or end during the wait, so the deadline is recomputed whenever it passes.
FrameStatus WorkerProcess::await_reply(double timeout_seconds) {
  const double paused_before = paused_seconds();
  const Stopwatch watch;
  double allowed = timeout_seconds;
  while (true) {
    const FrameStatus status =
        await_frame(socket_.get(), deadline_after(allowed - watch.seconds()));
    const double extended = timeout_seconds + paused_seconds() - paused_before;
    if (status != FrameStatus::timed_out || extended <= allowed) return status;
    allowed = extended;
  }
}

int WorkerProcess::reap() {
  int wait_status = 0;
  siginfo_t info{};
  // Waits without reaping first: the pid is not reused until the lock is held.
  while (pid_ > 0 && ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 &&
         errno == EINTR) {
  }
  const std::lock_guard lock(mutex_);
  if (pid_ > 0) ::waitpid(pid_, &wait_status, 0);
  pid_ = -1;
  return wait_status;
}

std::string WorkerProcess::last_message() const {
  struct stat status{};
  if (::fstat(messages_.get(), &status) != 0 || status.st_size == 0) return {};
  const off_t start = std::max<off_t>(0, status.st_size - kLongestMessageBytes);
  std::string text(static_cast<size_t>(status.st_size - start), '\0');
  const ssize_t got = ::pread(messages_.get(), text.data(), text.size(), start);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

Exchange WorkerProcess::ended(FrameStatus status, std::string reason) {
  if (status == FrameStatus::closed) {
    // It is exiting, or a candidate closed the socket and goes on: wait a moment, then kill it.
    const Deadline deadline = deadline_after(kExitGraceSeconds);
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
           info.si_pid == 0 && std::chrono::steady_clock::now() < deadline) {
      ::usleep(200);
    }
  }
  kill();
  const int wait_status = reap();
  if (status == FrameStatus::timed_out || status == FrameStatus::malformed) {
    const bool late = status == FrameStatus::timed_out;
    return {.outcome = late ? Exchange::Outcome::timed_out : Exchange::Outcome::garbage,
            .reason = std::move(reason)};
  }
  reason = describe_exit(wait_status);
  const std::string message = last_message();
  if (!message.empty()) reason += ": " + message;
  return {.outcome = Exchange::Outcome::died,
          .reason = std::move(reason),
          .signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0};
}

Exchange WorkerProcess::exchange(const Frame& request, double timeout_seconds) {
  CHECK(pid_ > 0, "exchange with a worker that has ended");
  if (::ftruncate(messages_.get(), 0) != 0) return ended(FrameStatus::closed, {});
  const std::string late = fmt::format("no answer within {:.3g} s", timeout_seconds);
  FrameStatus status = send_frame(socket_.get(), request, deadline_after(timeout_seconds));
  if (status == FrameStatus::done) status = await_reply(timeout_seconds);
  if (status != FrameStatus::done) return ended(status, late);
  ReceivedFrame received = receive_frame(socket_.get(), deadline_after(timeout_seconds));
  if (received.status == FrameStatus::done)
    return {.outcome = Exchange::Outcome::answered, .reply = std::move(received.frame)};
  return ended(received.status,
               received.status == FrameStatus::timed_out ? late : std::move(received.reason));
}

namespace {

Exchange unavailable(std::string reason) {
  return {.outcome = Exchange::Outcome::unavailable, .reason = std::move(reason)};
}

// A worker that cannot open descriptors exits without a message.
std::string if_few_descriptors() {
  constexpr rlim_t kEnough = 100;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough) return "";
  return fmt::format("; {} descriptors may be open here (ulimit -n), expected {} or more",
                     limit.rlim_cur, kEnough);
}

}  // namespace

Exchange WorkerSlot::start() {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return unavailable("the runner is being closed");
    auto started = WorkerProcess::start(command_);
    if (!started) return unavailable(started.error().message);
    process_ = *std::move(started);
    process_->pause(paused_);
  }
  Exchange ready = process_->exchange(hello(), lease_seconds_);
  if (ready.outcome == Exchange::Outcome::answered) return ready;
  const std::lock_guard lock(mutex_);
  process_.reset();
  return unavailable("the worker did not become ready: " + ready.reason + if_few_descriptors());
}

Exchange WorkerSlot::exchange(const Frame& request, double timeout_seconds) {
  if (process_ == nullptr) {
    Exchange started = start();
    if (started.outcome != Exchange::Outcome::answered) return started;
  }
  Exchange result = process_->exchange(request, timeout_seconds);
  if (result.outcome != Exchange::Outcome::answered) {
    const std::lock_guard lock(mutex_);
    process_.reset();
    if (closed_) return unavailable("the runner is being closed");
  }
  return result;
}

void WorkerSlot::pause(bool on) {
  const std::lock_guard lock(mutex_);
  paused_ = on;
  if (process_ != nullptr) process_->pause(on);
}

void WorkerSlot::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (process_ != nullptr) process_->kill();
}

}  // namespace dovetail
