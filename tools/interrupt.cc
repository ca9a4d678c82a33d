// SPDX-License-Identifier: Apache-2.0
#include "tools/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "tools/command_line/verb.h"

namespace dovetail {
namespace {

volatile std::sig_atomic_t interrupts = 0;

extern "C" void on_interrupt(int) {
  if (interrupts > 0) _exit(static_cast<int>(ExitCode::interrupted));
  interrupts = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // a read from a worker goes on; its result is still wanted
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupts > 0; }

}  // namespace dovetail
