// SPDX-License-Identifier: Apache-2.0
#include "tools/interrupt.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "tools/command_line/verb.h"

namespace dovetail {
namespace {

volatile std::sig_atomic_t interrupts = 0;
// A signal handler may neither allocate nor format, so its message is stored here beforehand.
std::array<char, 4096> words;
size_t words_size = 0;

extern "C" void on_interrupt(int) {
  if (interrupts > 0) {
    [[maybe_unused]] const ssize_t said = write(STDERR_FILENO, words.data(), words_size);
    _exit(static_cast<int>(ExitCode::interrupted));
  }
  interrupts = 1;
}

}  // namespace

void catch_interrupts(std::string_view command) {
  if (!command.empty())
    words_size = fmt::format(
                     "\ndovetail: interrupted at once; what the log has is saved; continue "
                     "with:\n{}\n",
                     command)
                     .copy(words.data(), words.size());
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // a read from a worker goes on; its result is still wanted
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A closing terminal must not lose work in progress, and under nohup it must not end the program.
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

bool interrupted() { return interrupts > 0; }

}  // namespace dovetail
