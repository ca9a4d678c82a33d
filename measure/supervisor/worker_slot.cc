// SPDX-License-Identifier: Apache-2.0
#include "measure/supervisor/worker_slot.h"

#include "measure/messages/worker_messages.h"

namespace dovetail {
namespace {

Exchange unavailable(std::string reason) {
  return {.outcome = Exchange::Outcome::unavailable, .reason = std::move(reason)};
}

}  // namespace

Exchange WorkerSlot::start() {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return unavailable("the runner is being closed");
    auto started = WorkerProcess::start(command_);
    if (!started) return unavailable(started.error().message);
    process_ = *std::move(started);
    process_->pause(paused_);
  }
  Exchange ready = process_->exchange(hello(), lease_seconds_);
  if (ready.outcome == Exchange::Outcome::answered) return ready;
  const std::lock_guard lock(mutex_);
  process_.reset();
  return unavailable("the worker did not become ready: " + ready.reason + if_few_descriptors());
}

Exchange WorkerSlot::exchange(const Frame& request, double timeout_seconds) {
  if (process_ == nullptr) {
    Exchange started = start();
    if (started.outcome != Exchange::Outcome::answered) return started;
  }
  Exchange result = process_->exchange(request, timeout_seconds);
  if (result.outcome != Exchange::Outcome::answered) {
    const std::lock_guard lock(mutex_);
    process_.reset();
    if (closed_) return unavailable("the runner is being closed");
  }
  return result;
}

void WorkerSlot::renew() {
  const std::lock_guard lock(mutex_);
  process_.reset();
}

void WorkerSlot::pause(bool on) {
  const std::lock_guard lock(mutex_);
  paused_ = on;
  if (process_ != nullptr) process_->pause(on);
}

void WorkerSlot::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (process_ != nullptr) process_->kill();
}

}  // namespace dovetail
