// SPDX-License-Identifier: Apache-2.0
#include "measure/supervisor/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "core/base/beside_program.h"
#include "core/base/deadline.h"
#include "core/base/fail.h"
#include "core/base/spawn_settings.h"

namespace dovetail {
namespace {

constexpr off_t kLongestMessageBytes = 4096;

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

Result<std::string> find_program(const std::string& name) {
  if (const auto program = find_beside_program(name)) return program->string();
  return fail("{} not found beside the running program in {}", name, program_folder().string());
}

std::string if_few_descriptors() {
  constexpr rlim_t kEnough = 100;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough) return "";
  return fmt::format("; {} descriptors may be open here (ulimit -n), expected {} or more",
                     limit.rlim_cur, kEnough);
}

Result<std::string> find_worker() { return find_program("dovetail-worker"); }

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const WorkerCommand& command,
                                                          const Descriptor& socket) {
  Descriptor messages = TRY(message_file());
  SpawnSettings settings;
  settings.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  settings.open(STDOUT_FILENO, "/dev/null", O_WRONLY);
  settings.hand_over(messages.get(), STDERR_FILENO);
  settings.hand_over(socket.get(), kWorkerSocket);
  int number = kFirstInheritedDescriptor;
  for (const int descriptor : command.inherited) settings.hand_over(descriptor, number++);
  std::vector<std::string> words = {command.path};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  const pid_t pid = TRY(settings.start(std::move(words), command.environment));
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid, std::move(messages)));
}

ChildProcess::~ChildProcess() {
  kill();
  reap();
}

void ChildProcess::kill() {
  const std::lock_guard lock(mutex_);
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

void ChildProcess::pause(bool on) {
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

double ChildProcess::paused_seconds() const {
  const std::lock_guard lock(mutex_);
  return paused_before_seconds_ + (paused_since_ ? paused_since_->seconds() : 0);
}

int ChildProcess::reap() {
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

std::string ChildProcess::last_message() const {
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

Result<void> ChildProcess::forget_messages() {
  if (::ftruncate(messages_.get(), 0) == 0) return {};
  return fail("cannot empty a message file: {}", strerror(errno));
}

ChildEnding ChildProcess::end(double grace_seconds) {
  const Deadline deadline = deadline_after(grace_seconds);
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
         info.si_pid == 0 && std::chrono::steady_clock::now() < deadline) {
    ::usleep(200);
  }
  kill();
  const int wait_status = reap();
  std::string reason = describe_exit(wait_status);
  const std::string message = last_message();
  if (!message.empty()) reason += ": " + message;
  return {.reason = std::move(reason),
          .signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0};
}

}  // namespace dovetail
