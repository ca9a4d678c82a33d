// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/isolated_call.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include "core/base/fail.h"

namespace dovetail {
namespace {

constexpr char kValue = 'v';  // first byte of an answer: bytes follow, or an exception's message
constexpr char kException = 'e';

void write_all(int file, const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) done += static_cast<size_t>(count);
  }
}

std::string read_all(int file) {
  std::string bytes;
  char buffer[65536];
  for (;;) {
    const ssize_t count = read(file, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(count));
  }
}

[[noreturn]] void run_child(int file, int limit_cpu_seconds,
                            const std::function<std::string()>& work) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const auto seconds = static_cast<rlim_t>(limit_cpu_seconds);
  const rlimit cpu{seconds, seconds};
  setrlimit(RLIMIT_CPU, &cpu);
  for (const int signal : {SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGILL, SIGXCPU})
    std::signal(signal, SIG_DFL);
  if (const int null = open("/dev/null", O_WRONLY); null >= 0) dup2(null, STDERR_FILENO);
  std::string answer;
  try {
    answer = kValue + work();
  } catch (const std::exception& error) {
    answer = kException + std::string(error.what());
  }
  write_all(file, answer);
  _exit(0);
}

}  // namespace

Result<std::string> run_isolated(const std::string& what, int limit_cpu_seconds,
                                 const std::function<std::string()>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail("{}: no pipe: {}", what, std::strerror(errno));
  const pid_t child = fork();
  if (child == 0) run_child(ends[1], limit_cpu_seconds, work);
  close(ends[1]);
  std::string answer = child < 0 ? "" : read_all(ends[0]);
  close(ends[0]);
  if (child < 0) return fail("{}: no process: {}", what, std::strerror(errno));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return fail("{} failed on it ({})", what, strsignal(WTERMSIG(status)));
  if (answer.empty()) return fail("{} failed on it", what);
  const bool is_value = answer.front() == kValue;
  answer.erase(0, 1);
  if (is_value) return answer;
  return fail("{}: {}", what, answer);
}

}  // namespace dovetail
