// SPDX-License-Identifier: Apache-2.0
#pragma once

// WorkerProcess: a dovetail-worker that we started, and everything that can become of it.
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
// - holds its socket (3) and the descriptors it is handed (4, 5, ...), nothing else of ours.

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
#include "measure/frame.h"

namespace dovetail {

inline constexpr int kWorkerSocket = 3;
inline constexpr int kFirstInheritedDescriptor = 4;

struct WorkerCommand {
  std::string path = {};
  std::vector<std::string> arguments = {};
  std::vector<std::string> environment = {};  // NAME=value, in place of ours of the same name
  std::vector<int> inherited = {};            // become 4, 5, ... in the worker
};

// A program that belongs to this one lies beside the running executable, or a folder above it
// (tests). The error says where it was looked for.
Result<std::string> find_program(const std::string& name);
Result<std::string> find_worker();  // dovetail-worker

struct Exchange {
  enum class Outcome {
    answered,
    timed_out,
    died,
    garbage,      // what came back is no frame
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

// It gives what a worker replied; else a reply with the status, and with the reason why there is
// none, which `phase` opens.
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
  // Any thread may call it; the exchange in progress then ends with `died`.
  void kill();
  // Any thread may call it: the worker stops where it stands, until pause(false). The exchange in
  // progress gets that much more time.
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

  // A reaped pid may be another's, so that kill(), pause() and reap() exclude each other.
  mutable std::mutex mutex_;
  pid_t pid_ = -1;  // -1: reaped
  double paused_before_seconds_ = 0;
  std::optional<Stopwatch> paused_since_;
  Descriptor socket_;
  Descriptor messages_;  // the worker's stderr, a file in memory
};

// WorkerSlot: a place that always has a worker: it starts one when there is none, and another when
// the last one died. `Exchange` says what became of a request; only `unavailable` is not the
// candidate's doing.
class WorkerSlot {
 public:
  // `lease_seconds`: how long a fresh worker may take until it is ready (to get its device).
  WorkerSlot(WorkerCommand command, double lease_seconds)
      : command_(std::move(command)), lease_seconds_(lease_seconds) {}

  // Only one thread may call it: the workers die with that thread.
  Exchange exchange(const Frame& request, double timeout_seconds);
  // Any thread may call it: the worker ends, and no other is started.
  void close();
  // Any thread may call it: the worker, or the next one, stands still until pause(false).
  void pause(bool on);

 private:
  Exchange start();

  WorkerCommand command_;
  double lease_seconds_;
  std::mutex mutex_;  // of process_ (the pointer) and what follows
  std::unique_ptr<WorkerProcess> process_;
  bool closed_ = false;
  bool paused_ = false;
};

}  // namespace dovetail
