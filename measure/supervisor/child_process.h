// SPDX-License-Identifier: Apache-2.0
#pragma once

// ChildProcess: a program that this one starts, stops for a while, and ends. The messages between
// the two are another matter (measure/transport/transport.h).
//
//   SocketPair pair = TRY(socket_pair());
//   auto child = TRY(ChildProcess::start({.path = path, .arguments = {}}, pair.theirs));
//   const ChildEnding ending = child->end(0.5);      // "killed by SIGSEGV"
//
// A child
// - is exec'ed (posix_spawn), never forked: the tuner has threads, and PoCL and LLVM hold locks;
// - has a process group of its own, so that Ctrl-C ends the tuner's way and not the child's;
// - dies with the thread that started it (PR_SET_PDEATHSIG, which it asks for itself), so start()
//   it on the thread that uses it;
// - has /dev/null as stdin and stdout; what it prints to stderr is kept, and its last line becomes
//   a part of the reason when it dies;
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

// A child that cannot open descriptors exits without a message: "; 40 descriptors may be open here
// ..."; empty where there are enough.
std::string if_few_descriptors();

struct ChildEnding {
  std::string reason;  // one line: "killed by SIGSEGV", "exit code 3: out of memory"
  int signal = 0;      // when it died of one
};

class ChildProcess {
 public:
  // `socket` becomes the child's; the caller may close it at once.
  static Result<std::unique_ptr<ChildProcess>> start(const WorkerCommand& command,
                                                     const Descriptor& socket);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // kills and reaps

  // Lets it exit by itself for as long, then kills it; waits for its end.
  ChildEnding end(double grace_seconds);
  bool has_ended() const { return pid_ <= 0; }
  // Thread-safe, as are the next two.
  void kill();
  // Stops the child until pause(false).
  void pause(bool on);
  double paused_seconds() const;  // so far, in total
  // Only messages that it prints from now on are part of the reason of its end.
  Result<void> forget_messages();

 private:
  ChildProcess(pid_t pid, Descriptor messages) : pid_(pid), messages_(std::move(messages)) {}
  int reap();
  std::string last_message() const;

  // A reaped pid may be reused, so that kill(), pause() and reap() exclude each other.
  mutable std::mutex mutex_;
  pid_t pid_ = -1;  // -1: reaped
  double paused_before_seconds_ = 0;
  std::optional<Stopwatch> paused_since_;
  Descriptor messages_;  // the child's stderr, a file in memory
};

}  // namespace dovetail
