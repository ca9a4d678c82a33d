// SPDX-License-Identifier: Apache-2.0
#pragma once

// WorkerProcess: a child process dovetail-worker, and every way in which it may end.
//
//   auto worker = TRY(WorkerProcess::start({.path = path, .arguments = {"--role", "run"}}));
//   const Exchange exchange = worker->exchange(request, 2.0);
//   if (exchange.outcome == Exchange::Outcome::died) log(exchange.reason);   // "killed by SIGSEGV"
//
// After any outcome but `answered` the process is dead and reaped: the caller starts another. A
// worker
// - is exec'ed (posix_spawn), never forked: the tuner has threads, and PoCL and LLVM hold locks;
// - has a process group of its own, so that Ctrl-C ends the tuner's way and not the worker's;
// - dies with the thread that started it (PR_SET_PDEATHSIG), so start() it on the thread that uses
//   it;
// - has /dev/null as stdin and stdout; what it prints to stderr is kept, and its last line becomes
//   the reason when it dies;
// - holds its socket (3) and the descriptors it is handed (4, 5, ...), no others of the parent.

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/result.h"
#include "core/base/stopwatch.h"
#include "core/record/line/measure_result.h"
#include "measure/transport/frame.h"

namespace dovetail {

inline constexpr int kWorkerSocket = 3;
inline constexpr int kFirstInheritedDescriptor = 4;

struct WorkerCommand {
  std::string path = {};
  std::vector<std::string> arguments = {};
  std::vector<std::string> environment = {};  // NAME=value, overriding the parent's
  std::vector<int> inherited = {};            // become 4, 5, ... in the worker
};

// The program must be beside the running executable, or a folder above it (tests). The error names
// that folder.
Result<std::string> find_program(const std::string& name);
Result<std::string> find_worker();  // dovetail-worker

struct Exchange {
  enum class Outcome {
    answered,
    timed_out,
    died,
    garbage,      // the reply is no frame
    unavailable,  // there is no worker (WorkerSlot)
  };
  Outcome outcome = Outcome::died;
  Frame reply = {};  // when answered
  std::string reason =
      {};          // otherwise, one line: "killed by SIGSEGV", "exit code 3: out of memory"
  int signal = 0;  // when died of one
};

// The status of a request that got no answer.
Status status_of(const Exchange& exchange, Status when_died);

// The worker's reply; without one, a reply with the status and the reason, which begins with
// `phase`.
template <typename Reply>
Reply reply_of(const Exchange& exchange, Status when_died, const std::string& phase = {}) {
  Reply none{.status = status_of(exchange, when_died), .reason = phase + exchange.reason};
  if (none.status != Status::ok) return none;
  Result<Reply> reply = decode<Reply>(exchange.reply);
  if (reply) return *std::move(reply);
  none.status = when_died;
  none.reason = phase + reply.error().message;
  return none;
}

class WorkerProcess {
 public:
  static Result<std::unique_ptr<WorkerProcess>> start(const WorkerCommand& command);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();  // kills and reaps

  Exchange exchange(const Frame& request, double timeout_seconds);
  // Thread-safe; the exchange in progress then ends with `died`.
  void kill();
  // Thread-safe: stops the worker until pause(false). The exchange in progress gets that much more
  // time.
  void pause(bool on);
  pid_t pid() const { return pid_; }

 private:
  WorkerProcess(pid_t pid, Descriptor socket, Descriptor messages)
      : pid_(pid), socket_(std::move(socket)), messages_(std::move(messages)) {}
  Exchange ended(FrameStatus status, std::string reason);
  int reap();
  std::string last_message() const;
  double paused_seconds() const;
  FrameStatus await_reply(double timeout_seconds);

  // A reaped pid may be reused, so that kill(), pause() and reap() exclude each other.
  mutable std::mutex mutex_;
  pid_t pid_ = -1;  // -1: reaped
  double paused_before_seconds_ = 0;
  std::optional<Stopwatch> paused_since_;
  Descriptor socket_;
  Descriptor messages_;  // the worker's stderr, a file in memory
};

// WorkerSlot: keeps a worker available: starts one if there is none, and another after the last one
// died. `Exchange` reports the fate of a request; only `unavailable` is not the candidate's fault.
class WorkerSlot {
 public:
  // `lease_seconds`: limit on the time until a new worker is ready (has its device).
  WorkerSlot(WorkerCommand command, double lease_seconds)
      : command_(std::move(command)), lease_seconds_(lease_seconds) {}

  // Must be called from one thread only: the workers die with that thread.
  Exchange exchange(const Frame& request, double timeout_seconds);
  // Thread-safe: ends the worker; no other one is started.
  void close();
  // Thread-safe: stops the worker, or the next one, until pause(false).
  void pause(bool on);

 private:
  Exchange start();

  WorkerCommand command_;
  double lease_seconds_;
  std::mutex mutex_;  // guards process_ (the pointer) and all below
  std::unique_ptr<WorkerProcess> process_;
  bool closed_ = false;
  bool paused_ = false;
};

}  // namespace dovetail
