// SPDX-License-Identifier: Apache-2.0
#include "measure/supervisor/worker_process.h"

#include <fmt/format.h>
#include <signal.h>

#include "core/base/check.h"
#include "core/base/deadline.h"
#include "core/base/stopwatch.h"
#include "measure/transport/socket_transport.h"

namespace dovetail {
namespace {

// A worker that has closed its socket is exiting; after this time it is killed.
constexpr double kExitGraceSeconds = 0.5;

}  // namespace

Status status_of(const Exchange& exchange, Status when_died) {
  switch (exchange.outcome) {
    case Exchange::Outcome::answered: return Status::ok;
    case Exchange::Outcome::timed_out: return Status::timeout;
    case Exchange::Outcome::unavailable: return Status::worker_lost;
    case Exchange::Outcome::died:
      // A candidate cannot end itself by SIGKILL: that was an operator, or the system out of
      // memory.
      return exchange.signal == SIGKILL ? Status::worker_lost : when_died;
    case Exchange::Outcome::garbage: return when_died;
  }
  return when_died;
}

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerCommand& command) {
  SocketPair pair = TRY(socket_pair());
  std::unique_ptr<ChildProcess> child = TRY(ChildProcess::start(command, pair.theirs));
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(std::move(child), std::move(pair.ours)));
}

// A pause may begin or end during the wait, so the deadline is recomputed whenever it passes.
FrameStatus WorkerProcess::await_reply(double timeout_seconds) {
  const double paused_before = child_->paused_seconds();
  const Stopwatch watch;
  double allowed = timeout_seconds;
  while (true) {
    const FrameStatus status = transport_->await(deadline_after(allowed - watch.seconds()));
    const double extended = timeout_seconds + child_->paused_seconds() - paused_before;
    if (status != FrameStatus::timed_out || extended <= allowed) return status;
    allowed = extended;
  }
}

// A worker whose socket is closed is exiting, or a candidate closed it and goes on.
Exchange WorkerProcess::ended(FrameStatus status, std::string reason) {
  const bool is_gone = status == FrameStatus::closed;
  ChildEnding ending = child_->end(is_gone ? kExitGraceSeconds : 0);
  if (is_gone)
    return {.outcome = Exchange::Outcome::died,
            .reason = std::move(ending.reason),
            .signal = ending.signal};
  const bool late = status == FrameStatus::timed_out;
  return {.outcome = late ? Exchange::Outcome::timed_out : Exchange::Outcome::garbage,
          .reason = std::move(reason)};
}

Exchange WorkerProcess::exchange(const Frame& request, double timeout_seconds) {
  CHECK(!child_->has_ended(), "exchange with a worker that has ended");
  if (!child_->forget_messages()) return ended(FrameStatus::closed, {});
  const std::string late = fmt::format("no answer within {:.3g} s", timeout_seconds);
  FrameStatus status = transport_->send(request, deadline_after(timeout_seconds));
  if (status == FrameStatus::done) status = await_reply(timeout_seconds);
  if (status != FrameStatus::done) return ended(status, late);
  ReceivedFrame received = transport_->receive(deadline_after(timeout_seconds));
  if (received.status == FrameStatus::done)
    return {.outcome = Exchange::Outcome::answered, .reply = std::move(received.frame)};
  return ended(received.status,
               received.status == FrameStatus::timed_out ? late : std::move(received.reason));
}

}  // namespace dovetail
