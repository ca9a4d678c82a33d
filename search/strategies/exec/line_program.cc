// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/exec/line_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/deadline.h"
#include "core/base/fail.h"
#include "core/base/spawn_settings.h"

namespace dovetail {
namespace {

constexpr size_t kMaxLineBytes = 64 << 20;
constexpr int kExitGraceMilliseconds = 500;

// Runs `sh -c script sh argument` in a new process group with `descriptors[i]` as descriptor i.
Result<pid_t> spawn_shell(const std::string& script, const std::string& argument,
                          const std::vector<int>& descriptors) {
  SpawnSettings settings;
  for (size_t i = 0; i < descriptors.size(); ++i)
    settings.hand_over(descriptors[i], static_cast<int>(i));
  return settings.start({"/bin/sh", "-c", script, "sh", argument});
}

// Bytes written to the second end can be read from the first.
Result<std::array<Descriptor, 2>> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail("cannot create a pipe: {}", std::strerror(errno));
  return std::array{Descriptor(ends[0]), Descriptor(ends[1])};
}

void end(pid_t& pid) {
  if (pid <= 0) return;
  ::kill(-pid, SIGKILL);  // group first, while its number cannot be reused
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
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail("cannot create a socket: {}", std::strerror(errno));
  input_ = Descriptor(ends[0]);
  const Descriptor its_input(ends[1]);
  auto [our_output, its_output] = TRY(make_pipe());
  output_ = std::move(our_output);
  pid_ = TRY(spawn_shell(command, "", {its_input.get(), its_output.get(), STDERR_FILENO}));
  return {};
}

Result<void> LineProgram::start_guard() {
  auto [its_end, our_end] = TRY(make_pipe());
  alive_ = std::move(our_end);
  guard_ = TRY(spawn_shell("read -r nothing; kill -s KILL -- \"-$1\"", std::to_string(pid_),
                           {its_end.get(), STDERR_FILENO}));
  return {};
}

LineProgram::~LineProgram() {
  end(guard_);  // before the group's number can be reused
  end(pid_);
}

Result<void> LineProgram::send(std::string_view line, double timeout_seconds) {
  const Deadline deadline = deadline_after(timeout_seconds);
  std::string text(line);
  text += '\n';
  for (size_t sent = 0; sent < text.size();) {
    if (await_ready(input_.get(), POLLOUT, deadline) != Readiness::ready)
      return fail("did not read what it was told within {} s", timeout_seconds);
    const ssize_t count =
        ::send(input_.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) sent += static_cast<size_t>(count);
    if (count < 0 && errno != EINTR && errno != EAGAIN) return fail(how_it_ended());
  }
  return {};
}

Result<std::string> LineProgram::receive(double timeout_seconds) {
  const Deadline deadline = deadline_after(timeout_seconds);
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
    if (await_ready(output_.get(), POLLIN, deadline) != Readiness::ready)
      return fail("did not answer within {} s", timeout_seconds);
    std::array<char, 65536> bytes{};
    const ssize_t count = ::read(output_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail(how_it_ended());
    received_.append(bytes.data(), static_cast<size_t>(count));
  }
}

// Called when the program has closed its output, mostly because it is just ending.
std::string LineProgram::how_it_ended() {
  for (int waited = 0; waited < kExitGraceMilliseconds; waited += 10) {
    // WNOWAIT: its number cannot be reused until the destructor has killed the group.
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
