// SPDX-License-Identifier: Apache-2.0
#pragma once

// WorkerProcess: a child that answers one request after the other, and every way in which it may
// fail to.
//
//   auto worker = TRY(WorkerProcess::start({.path = path, .arguments = {"--role", "run"}}));
//   const Exchange exchange = worker->exchange(request, 2.0);
//   if (exchange.outcome == Exchange::Outcome::died) log(exchange.reason);   // "killed by SIGSEGV"
//
// After any outcome but `answered` the process is dead and reaped: the caller starts another.

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/record/line/measure_result.h"
#include "measure/supervisor/child_process.h"
#include "measure/transport/frame.h"
#include "measure/transport/transport.h"

namespace dovetail {

struct Exchange {
  enum class Outcome {
    answered,
    timed_out,
    died,
    garbage,      // the reply is no frame
    unavailable,  // there is no worker (WorkerSlot)
  };
  Outcome outcome = Outcome::died;
  Frame reply = {};         // when answered
  std::string reason = {};  // otherwise, one line: "killed by SIGSEGV", "no answer within 2 s"
  int signal = 0;           // when died of one
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

  Exchange exchange(const Frame& request, double timeout_seconds);
  // Thread-safe; the exchange in progress then ends with `died`.
  void kill() { child_->kill(); }
  // Thread-safe: stops the worker until pause(false). The exchange in progress gets that much more
  // time.
  void pause(bool on) { child_->pause(on); }

 private:
  WorkerProcess(std::unique_ptr<ChildProcess> child, std::unique_ptr<Transport> transport)
      : child_(std::move(child)), transport_(std::move(transport)) {}
  Exchange ended(FrameStatus status, std::string reason);
  FrameStatus await_reply(double timeout_seconds);

  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace dovetail
