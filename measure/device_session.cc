// SPDX-License-Identifier: Apache-2.0
#include "measure/device_session.h"
#include "core/base/statistics.h"
#include "core/base/stopwatch.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

namespace dovetail {
namespace {

// A time below this part of what the machine can do at most is not believed.
constexpr double kBelievable = 0.9;
// Timing may take so many single runs, and budgets, altogether.
constexpr double kTimingRuns = 30;
constexpr double kTimingBudgets = 4;
// A cold run is timed alone, after an eviction of this order; samples are few.
constexpr double kEvictionSeconds = 0.5;
constexpr int kMostColdSamples = 40;
constexpr double kPeakTimeoutSeconds = 20;
constexpr int kPeakAttempts = 3;

void set_failure(Status status, std::string reason, MeasureResult& result) {
  result.status = status;
  result.reason = std::move(reason);
}

}  // namespace

Status status_of(const Exchange& exchange, Status when_died) {
  switch (exchange.outcome) {
    case Exchange::Outcome::answered:
      return Status::ok;
    case Exchange::Outcome::timed_out:
      return Status::timeout;
    case Exchange::Outcome::unavailable:
      return Status::worker_lost;
    case Exchange::Outcome::died:
      // A candidate cannot end itself by SIGKILL: that was an operator, or the system out of
      // memory.
      return exchange.signal == SIGKILL ? Status::worker_lost : when_died;
    case Exchange::Outcome::garbage:
      return when_died;
  }
  return when_died;
}

MeasureResult DeviceSession::measure(const DeviceJob& job) {
  if (job.input->again) return measure_again(job);
  MeasureResult result = measure_once(job);
  if (result.status != Status::worker_lost) return result;
  if (const auto filled = fill_inputs(job.data->inputs, job.input->program, job.plan, job.memory);
      !filled) {
    return result;
  }
  return measure_once(job);
}

// A candidate lost with its worker is not there to be timed: the worker says so.
MeasureResult DeviceSession::measure_again(const DeviceJob& job) {
  MeasureResult result;
  result.status = Status::ok;
  result.workspace_bytes = workspace_bytes(job.input->program);
  time(job, result);
  return result;
}

MeasureResult DeviceSession::measure_once(const DeviceJob& job) {
  MeasureResult result;
  result.status = Status::ok;
  result.workspace_bytes = workspace_bytes(job.input->program);
  if (!run_and_check(job, *job.data, true, result)) return result;
  if (job.input->thorough && job.real_data != job.data) {
    const Stopwatch watch;
    const auto filled =
        fill_inputs(job.real_data->inputs, job.input->program, job.plan, job.memory);
    CHECK(filled.has_value(), "operands that fitted do not fit");
    result.times.check_seconds += watch.seconds();
    if (!run_and_check(job, *job.real_data, false, result)) return result;
  }
  time(job, result);
  return result;
}

Exchange DeviceSession::exchange(const Frame& request, double timeout_seconds,
                                 MeasureResult& result) {
  const Stopwatch watch;
  Exchange exchange = worker_.exchange(request, timeout_seconds);
  result.times.run_seconds += watch.seconds();
  if (exchange.outcome != Exchange::Outcome::answered) {
    set_failure(status_of(exchange, Status::run_error), exchange.reason, result);
  }
  return exchange;
}

bool DeviceSession::run_and_check(const DeviceJob& job, const CheckData& data, bool load,
                                  MeasureResult& result) {
  RunRequest request{.trial = job.input->trial,
                     .load = load,
                     .arena = job.arena,
                     .plan = job.plan,
                     .artifact = load ? job.artifact : Artifact{}};
  const Exchange ran = exchange(encode(request), run_timeout(job), result);
  if (result.status != Status::ok) {
    result.reason = "run: " + result.reason;
    return false;
  }
  const Result<RunReply> reply = decode<RunReply>(ran.reply);
  if (!reply) {
    set_failure(Status::run_error, "run: " + reply.error().message, result);
    return false;
  }
  if (reply->status != Status::ok) {
    set_failure(reply->status, reply->reason, result);
    return false;
  }
  single_run_seconds_ = std::max(reply->seconds, 0.0);
  const Stopwatch watch;
  const OutputCheck check =
      check_output(data, job.input->program, job.plan, job.memory, job.input->trace.algorithm);
  result.times.check_seconds += watch.seconds();
  result.max_abs_error = std::max(result.max_abs_error, check.max_abs_error);
  result.max_rel_error = std::max(result.max_rel_error, check.max_rel_error);
  if (check.status != Status::ok) set_failure(check.status, check.reason, result);
  return check.status == Status::ok;
}

double DeviceSession::best_seconds(const DeviceJob& job) const {
  const auto ours = best_.find(job.spec);
  const double given = job.input->best_seconds;
  if (ours == best_.end()) return given;
  return given > 0 ? std::min(given, ours->second) : ours->second;
}

double DeviceSession::run_timeout(const DeviceJob& job) const {
  const double best = best_seconds(job);
  if (best <= 0 || job.input->thorough) return options_.run_timeout_seconds;
  const double scaled =
      std::max(options_.run_timeout_factor * best, options_.run_timeout_floor_seconds);
  return std::min(scaled, options_.run_timeout_seconds);
}

TimeRequest DeviceSession::time_request(const DeviceJob& job) const {
  TimeRequest request{.rule = job.input->thorough ? options_.thorough_timing : options_.timing,
                      .cold = options_.cold};
  if (!job.input->thorough) request.rule.best_seconds = best_seconds(job);
  if (options_.cold) {
    request.rule.sample_seconds = 0;  // every run alone
    request.rule.warmup_seconds = 0;
    request.rule.most_samples = std::min(request.rule.most_samples, kMostColdSamples);
  }
  return request;
}

void DeviceSession::time(const DeviceJob& job, MeasureResult& result) {
  const TimeRequest request = time_request(job);
  double timeout = options_.run_timeout_floor_seconds +
                   kTimingBudgets * request.rule.budget_seconds + kTimingRuns * single_run_seconds_;
  if (options_.cold) timeout += kMostColdSamples * kEvictionSeconds;
  alone_(true);
  const Exchange timed = exchange(encode(request), timeout, result);
  alone_(false);
  if (result.status != Status::ok) {
    result.reason = "timing: " + result.reason;
    return;
  }
  const Result<TimeReply> reply = decode<TimeReply>(timed.reply);
  if (!reply) return set_failure(Status::run_error, "timing: " + reply.error().message, result);
  if (reply->status != Status::ok) return set_failure(reply->status, reply->reason, result);
  result.samples = reply->samples;
  result.seconds = median(reply->samples);
  judge_time(job, result);
}

// A peak that was measured while a neighbour was busy is too low, and would condemn a true time: it
// is measured again before anything is called impossible.
bool DeviceSession::is_possible(const DeviceJob& job, double seconds) {
  const Program& program = job.input->program;
  const double fmas = executed_fmas(program);
  const auto bytes = static_cast<double>(touched_bytes(program));
  for (int attempt = 0; attempt < kPeakAttempts; ++attempt) {
    if (seconds >= kBelievable * peaks_.least_seconds(fmas, bytes)) return true;
    measure_peak();
  }
  return seconds >= kBelievable * peaks_.least_seconds(fmas, bytes);
}

void DeviceSession::judge_time(const DeviceJob& job, MeasureResult& result) {
  if (!(result.seconds > 0)) {
    return set_failure(Status::run_error, "timing: no positive time came back", result);
  }
  const Program& program = job.input->program;
  if (!is_possible(job, result.seconds)) {
    const double fmas = executed_fmas(program);
    const int64_t bytes = touched_bytes(program);
    return set_failure(
        Status::impossible,
        fmt::format(
            "took {:.4g} s, but this machine needs {:.4g} s for its {:.4g} multiply-adds and {} "
            "bytes",
            result.seconds, peaks_.least_seconds(fmas, static_cast<double>(bytes)), fmas, bytes),
        result);
  }
  double& best = best_[job.spec];
  if (best <= 0 || result.seconds < best) best = result.seconds;
}

void DeviceSession::measure_peak() {
  alone_(true);
  const Exchange peaked =
      worker_.exchange(encode(PeakRequest{.bandwidth = true}), kPeakTimeoutSeconds);
  alone_(false);
  if (peaked.outcome != Exchange::Outcome::answered) {
    warnings_.push_back("cannot measure the machine's peak: " + peaked.reason);
    return;
  }
  const Result<PeakReply> reply = decode<PeakReply>(peaked.reply);
  if (!reply) {
    warnings_.push_back("cannot measure the machine's peak: " + reply.error().message);
  } else if (const auto warning = peaks_.add(*reply)) {
    warnings_.push_back(*warning);
  }
}

}  // namespace dovetail
