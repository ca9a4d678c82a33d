// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/exec/line_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

extern char** environ;

namespace dovetail {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kMaxLineBytes = 64 << 20;
constexpr int kExitGraceMilliseconds = 500;
constexpr int kLowestSource = 64;

struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

void close_if_open(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

// `sh -c script sh argument`, its own process group; `descriptors[i]` becomes its descriptor i.
Result<pid_t> spawn_shell(const std::string& script, const std::string& argument,
                          const std::vector<int>& descriptors) {
  SpawnSettings settings;
  std::vector<int> sources;  // above every number that is handed over
  for (size_t i = 0; i < descriptors.size(); ++i) {
    sources.push_back(::fcntl(descriptors[i], F_DUPFD_CLOEXEC, kLowestSource));
    posix_spawn_file_actions_adddup2(&settings.actions, sources.back(), static_cast<int>(i));
  }
  posix_spawn_file_actions_addclosefrom_np(&settings.actions, 3);
  std::vector<std::string> words{"/bin/sh", "-c", script, "sh", argument};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, "/bin/sh", &settings.actions, &settings.attributes,
                                  arguments.data(), environ);
  for (int& source : sources) close_if_open(source);
  if (error != 0) return fail(fmt::format("cannot start /bin/sh: {}", std::strerror(error)));
  return pid;
}

// Whether the descriptor is ready before the deadline.
bool wait_for(int descriptor, short events, Clock::time_point deadline) {
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waited{.fd = descriptor, .events = events, .revents = 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30)));
    if (ready > 0) return true;
    if (ready == 0 && left <= 0) return false;
    if (ready < 0 && errno != EINTR) return false;
  }
}

Clock::time_point deadline_after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::min(seconds, 1e8)));
}

void end(pid_t& pid) {
  if (pid <= 0) return;
  ::kill(-pid, SIGKILL);  // the group first, while the number is still its own
  ::waitpid(pid, nullptr, 0);
  pid = -1;
}

}  // namespace

Result<std::unique_ptr<LineProgram>> LineProgram::start(const std::string& command) {
  std::unique_ptr<LineProgram> program(new LineProgram);
  TRY(program->start_program(command));
  TRY(program->start_guard());
  return program;
}

Result<void> LineProgram::start_program(const std::string& command) {
  std::array<int, 2> input{}, output{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0)
    return fail(fmt::format("cannot create a socket: {}", std::strerror(errno)));
  input_ = input[0];
  if (::pipe2(output.data(), O_CLOEXEC) != 0) {
    ::close(input[1]);
    return fail(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  }
  output_ = output[0];
  const Result<pid_t> pid = spawn_shell(command, "", {input[1], output[1], STDERR_FILENO});
  ::close(input[1]);
  ::close(output[1]);
  pid_ = TRY(pid);
  return {};
}

Result<void> LineProgram::start_guard() {
  std::array<int, 2> alive{};
  if (::pipe2(alive.data(), O_CLOEXEC) != 0)
    return fail(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  alive_ = alive[1];
  const Result<pid_t> guard = spawn_shell("read -r nothing; kill -s KILL -- \"-$1\"",
                                          std::to_string(pid_), {alive[0], STDERR_FILENO});
  ::close(alive[0]);
  guard_ = TRY(guard);
  return {};
}

LineProgram::~LineProgram() {
  end(guard_);  // before the group's number may be another's
  end(pid_);
  for (int* descriptor : {&input_, &output_, &alive_}) close_if_open(*descriptor);
}

Result<void> LineProgram::send(std::string_view line, double timeout_seconds) {
  const Clock::time_point deadline = deadline_after(timeout_seconds);
  std::string text(line);
  text += '\n';
  for (size_t sent = 0; sent < text.size();) {
    if (!wait_for(input_, POLLOUT, deadline))
      return fail(fmt::format("did not read what it was told within {} s", timeout_seconds));
    const ssize_t count =
        ::send(input_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) sent += static_cast<size_t>(count);
    if (count < 0 && errno != EINTR && errno != EAGAIN) return fail(how_it_ended());
  }
  return {};
}

Result<std::string> LineProgram::receive(double timeout_seconds) {
  const Clock::time_point deadline = deadline_after(timeout_seconds);
  size_t searched = 0;
  while (true) {
    const size_t end = received_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    searched = received_.size();
    if (searched > kMaxLineBytes) return fail("wrote more than 64 MiB without a line feed");
    if (!wait_for(output_, POLLIN, deadline))
      return fail(fmt::format("did not answer within {} s", timeout_seconds));
    std::array<char, 65536> bytes{};
    const ssize_t count = ::read(output_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail(how_it_ended());
    received_.append(bytes.data(), static_cast<size_t>(count));
  }
}

// After its output was closed: mostly it is just ending.
std::string LineProgram::how_it_ended() {
  for (int waited = 0; waited < kExitGraceMilliseconds; waited += 10) {
    // WNOWAIT: its number stays its own until the destructor has ended the group.
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid_) {
      if (info.si_code == CLD_EXITED) return fmt::format("ended with exit code {}", info.si_status);
      const char* name = ::sigabbrev_np(info.si_status);
      return fmt::format("was killed by SIG{}", name ? name : std::to_string(info.si_status));
    }
    ::poll(nullptr, 0, 10);
  }
  return "closed its output";
}

}  // namespace dovetail
