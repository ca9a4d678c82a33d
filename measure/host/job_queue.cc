// SPDX-License-Identifier: Apache-2.0
#include "measure/host/job_queue.h"

#include <algorithm>

namespace dovetail {
namespace {

bool shares_the_processor(JobStep stage) {
  return stage == JobStep::building || stage == JobStep::packing;
}

}  // namespace

JobQueue::JobQueue(int arenas) {
  for (int arena = 0; arena < arenas; ++arena) free_arenas_.push_back(arena);
}

void JobQueue::submit(Job job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::make_unique<Job>(std::move(job)));
  changed_.notify_all();
}

std::optional<MeasureResult> JobQueue::wait() {
  std::unique_lock lock(mutex_);
  const auto is_ready = [&] { return !jobs_.empty() && jobs_.front()->stage == JobStep::done; };
  changed_.wait(lock, [&] { return closed_ || is_ready(); });
  if (!is_ready()) return std::nullopt;
  MeasureResult result = std::move(jobs_.front()->result);
  jobs_.pop_front();
  return result;
}

// The oldest job that has not reached `stage`.
Job* JobQueue::first_before(JobStep stage) {
  const auto found =
      std::ranges::find_if(jobs_, [&](const auto& job) { return job->stage < stage; });
  return found == jobs_.end() ? nullptr : found->get();
}

// The job that may go from one stage to the other; null: none.
Job* JobQueue::find(JobStep from, JobStep to, Order order) {
  if (order == Order::oldest_first) {
    Job* job = first_before(to);
    return job != nullptr && job->stage == from ? job : nullptr;
  }
  const auto waits_for_the_device = [](const auto& job) {
    return job->stage >= JobStep::built && job->stage <= JobStep::packed;
  };
  if (order == Order::when_starved && std::ranges::any_of(jobs_, waits_for_the_device))
    return nullptr;
  const auto found =
      std::ranges::find_if(jobs_, [&](const auto& job) { return job->stage == from; });
  return found == jobs_.end() ? nullptr : found->get();
}

Job* JobQueue::take(JobStep from, JobStep to, Order order) {
  std::unique_lock lock(mutex_);
  Job* job = nullptr;
  const auto ready = [&] {
    if (closed_) return true;
    if (alone_ && shares_the_processor(to)) return false;
    if (to == JobStep::packing && free_arenas_.empty()) return false;
    job = find(from, to, order);
    return job != nullptr;
  };
  changed_.wait(lock, ready);
  if (closed_) return nullptr;
  job->stage = to;
  if (shares_the_processor(to)) ++busy_;
  if (to == JobStep::packing) {
    job->device.arena = free_arenas_.back();
    job->has_arena = true;
    free_arenas_.pop_back();
  }
  return job;
}

Job* JobQueue::take_queued() { return take(JobStep::queued, JobStep::building, Order::any); }
Job* JobQueue::take_queued_when_starved() {
  return take(JobStep::queued, JobStep::building, Order::when_starved);
}
Job* JobQueue::take_built() { return take(JobStep::built, JobStep::packing, Order::oldest_first); }
Job* JobQueue::take_packed() {
  return take(JobStep::packed, JobStep::running, Order::oldest_first);
}

void JobQueue::finish(Job& job, JobStep next) {
  const std::lock_guard lock(mutex_);
  if (shares_the_processor(job.stage)) --busy_;
  if (next == JobStep::done && job.has_arena) free_arenas_.push_back(job.device.arena);
  job.stage = next;
  changed_.notify_all();
}

void JobQueue::alone(bool on) {
  std::unique_lock lock(mutex_);
  alone_ = on;
  if (on) changed_.wait(lock, [&] { return busy_ == 0 || closed_; });
  changed_.notify_all();
}

void JobQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace dovetail
