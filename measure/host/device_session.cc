// SPDX-License-Identifier: Apache-2.0
#include "measure/host/device_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>

#include "core/base/statistics.h"
#include "core/base/stopwatch.h"
#include "measure/timing.h"

namespace dovetail {

namespace {

constexpr double kNotableMove = 0.05;

}  // namespace

std::optional<std::string> PeakHistory::add(const PeakReply& peak) {
  l1_bytes_per_second_ = std::max(l1_bytes_per_second_, peak.l1_bytes_per_second);
  if (peak.fma_gflops <= 0) return std::nullopt;
  const double before = fma_gflops();
  gflops_.push_back(peak.fma_gflops);
  const double move = before > 0 ? std::fabs(peak.fma_gflops - before) / before : 0;
  if (move <= std::max(kNotableMove, 2 * largest_move_)) return std::nullopt;
  largest_move_ = move;
  return fmt::format(
      "the FMA peak moved from {:.1f} to {:.1f} GFLOP/s: the machine is shared or its "
      "clock changed",
      before, peak.fma_gflops);
}

double PeakHistory::fma_gflops() const { return median(gflops_); }

double PeakHistory::least_seconds(const LeastWork& work) const {
  // The fastest measurement, not the median: a true time must never be called impossible because a
  // neighbour was busy while the peak was measured.
  const double peak = gflops_.empty() ? 0 : std::ranges::max(gflops_);
  const double compute = peak > 0 ? 2 * work.fmas / (peak * 1e9) : 0;
  const double transfer =
      l1_bytes_per_second_ > 0 ? static_cast<double>(work.bytes) / l1_bytes_per_second_ : 0;
  return std::max(compute, transfer);
}
namespace {

// A time below this fraction of the machine's lower bound is `impossible`.
constexpr double kBelievable = 0.9;
// Timeout of timing, in single runs and in sampling budgets.
constexpr double kTimingRuns = 30;
constexpr double kTimingBudgets = 4;
// Unless caches are hot, each run is timed alone after an eviction. Samples are few, and fewer
// where an eviction takes long: a warm-up and three samples are always taken, and may take
// kSlowestEvictionSeconds each.
constexpr int kMostSingleRuns = 40;
constexpr double kSingleRunsSeconds = 20;
constexpr double kSlowestEvictionSeconds = 10;
constexpr int kLeastEvictions = 4;
constexpr double kPeakTimeoutSeconds = 20;
constexpr int kPeakAttempts = 3;

// Timed until the median is known well, however slow it is.
bool is_precise(const MeasureInput& input) {
  return input.purpose == Purpose::confirm || input.purpose == Purpose::retime;
}

void set_failure(Status status, std::string reason, MeasureResult& result) {
  result.status = status;
  result.reason = std::move(reason);
}

// Packs the operands, of which others fitted before.
void fill(const DeviceJob& job, const CheckData& data, MeasureResult& result) {
  const Stopwatch watch;
  const auto filled = fill_inputs(data.inputs, job.input->program, job.plan, job.memory);
  CHECK(filled.has_value(), "operands that fitted do not fit");
  result.times.check_seconds += watch.seconds();
}

CheckedOutput checked_output(const DeviceJob& job, const CheckData& data) {
  const Stopwatch watch;
  CheckedOutput checked{.check = check_output(data, job.input->program, job.plan, job.memory,
                                              job.input->trace.algorithm)};
  checked.seconds = watch.seconds();
  return checked;
}

}  // namespace

MeasureResult DeviceSession::measure(const DeviceJob& job) {
  if (job.input->purpose == Purpose::retime) return measure_again(job);
  MeasureResult result = measure_once(job);
  if (result.status != Status::worker_lost) return result;
  fill(job, *job.data.front(), result);
  return measure_once(job);
}

// Times the last candidate again; if it was lost with its worker, the worker reports that.
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
  for (const auto& data : job.data) {
    const bool is_first = data == job.data.front();
    if (!is_first) fill(job, *data, result);
    if (!run(job, is_first, result)) return result;
    if (data == job.data.back() && !is_this_host_) {
      time_while_checking(job, *data, result);
      return result;
    }
    if (!judge_output(job, *data, checked_output(job, *data), result)) return result;
  }
  time(job, result);
  return result;
}

template <typename Reply>
Reply DeviceSession::ask(const Frame& request, double timeout_seconds, const std::string& phase,
                         MeasureResult& result) {
  const Stopwatch watch;
  const Exchange exchange = worker_.exchange(request, timeout_seconds);
  result.times.run_seconds += watch.seconds();
  result.no_device |= exchange.outcome == Exchange::Outcome::unavailable;
  Reply reply = reply_of<Reply>(exchange, Status::run_error, phase);
  if (reply.status != Status::ok) set_failure(reply.status, reply.reason, result);
  if (reply.status == Status::run_error) worker_.renew();
  return reply;
}

bool DeviceSession::run(const DeviceJob& job, bool load, MeasureResult& result) {
  RunRequest request{.trial = job.input->trial,
                     .load = load,
                     .arena = job.arena,
                     .plan = job.plan,
                     .executable = load ? job.executable : Executable{}};
  const auto ran = ask<RunReply>(encode(request), run_timeout(job), "run: ", result);
  single_run_seconds_ = std::max(ran.seconds, 0.0);
  return result.status == Status::ok;
}

bool DeviceSession::judge_output(const DeviceJob& job, const CheckData& data,
                                 const CheckedOutput& checked, MeasureResult& result) {
  const OutputCheck& check = checked.check;
  result.times.check_seconds += checked.seconds;
  result.max_abs_error = std::max(result.max_abs_error, check.max_abs_error);
  result.max_rel_error = std::max(result.max_rel_error, check.max_rel_error);
  if (data.numbers)
    result.range_error = std::max(result.range_error.value_or(0), check.range_error);
  if (check.status != Status::ok) set_failure(check.status, check.reason, result);
  if (check.status == Status::ok && data.numbers && job.input->trace.algorithm &&
      check.range_error > bound_of(data.region, options_.max_error))
    set_failure(Status::wrong_output,
                fmt::format("it is off by {:.2g} of the output's range, expected at most {:g} "
                            "(--max-error)",
                            check.range_error, bound_of(data.region, options_.max_error)),
                result);
  return check.status == Status::ok && result.status == Status::ok;
}

double DeviceSession::best_seconds(const DeviceJob& job) const {
  const auto ours = best_.find(job.spec);
  const double given = job.input->best_seconds;
  if (ours == best_.end()) return given;
  return given > 0 ? std::min(given, ours->second) : ours->second;
}

double DeviceSession::run_timeout(const DeviceJob& job) const {
  const double best = best_seconds(job);
  if (best <= 0 || is_precise(*job.input)) return options_.run_timeout_seconds;
  const double scaled =
      std::max(options_.run_timeout_factor * best, options_.run_timeout_floor_seconds);
  return std::min(scaled, options_.run_timeout_seconds);
}

TimeRequest DeviceSession::time_request(const DeviceJob& job) const {
  TimeRequest request{.rule = is_precise(*job.input) ? options_.thorough_timing : options_.timing,
                      .caches = options_.caches};
  if (!is_precise(*job.input)) request.rule.best_seconds = best_seconds(job);
  if (options_.caches != Caches::hot) {
    request.rule.sample_seconds = 0;  // every run alone
    request.rule.warmup_seconds = 0;
    request.rule.most_samples = std::min(request.rule.most_samples, kMostSingleRuns);
    request.rule.most_wall_seconds = kSingleRunsSeconds;
  }
  return request;
}

void DeviceSession::time(const DeviceJob& job, MeasureResult& result) {
  if (take_samples(job, result)) judge_time(job, result);
}

// A wrong output has no time, and says more than what timing it came to.
void DeviceSession::time_while_checking(const DeviceJob& job, const CheckData& data,
                                        MeasureResult& result) {
  auto checking = std::async(std::launch::async, [&] { return checked_output(job, data); });
  const bool is_timed = take_samples(job, result);
  const bool is_right = judge_output(job, data, checking.get(), result);
  if (is_timed && is_right) return judge_time(job, result);
  result.samples.clear();
}

bool DeviceSession::take_samples(const DeviceJob& job, MeasureResult& result) {
  const TimeRequest request = time_request(job);
  double timeout = options_.run_timeout_floor_seconds +
                   kTimingBudgets * request.rule.budget_seconds + kTimingRuns * single_run_seconds_;
  if (options_.caches != Caches::hot)
    timeout += kSingleRunsSeconds + kLeastEvictions * kSlowestEvictionSeconds;
  alone_(true);
  const auto timed = ask<TimeReply>(encode(request), timeout, "timing: ", result);
  alone_(false);
  result.samples = timed.samples;
  return result.status == Status::ok;
}

// A peak that was measured while a neighbour was busy is too low, and would reject a true time: it
// is measured again before anything is called impossible.
bool DeviceSession::is_possible(const LeastWork& work, double seconds) {
  const auto is_believable = [&] { return seconds >= kBelievable * peaks_.least_seconds(work); };
  for (int attempt = 0; attempt < kPeakAttempts; ++attempt) {
    if (is_believable()) return true;
    measure_peak();
  }
  return is_believable();
}

void DeviceSession::judge_time(const DeviceJob& job, MeasureResult& result) {
  result.seconds = median(result.samples);
  if (!(result.seconds > 0))
    return set_failure(Status::run_error, "timing: no positive time came back", result);
  if (!is_possible(job.work, result.seconds)) {
    return set_failure(
        Status::impossible,
        fmt::format(
            "took {:.4g} s, but this machine needs {:.4g} s for its {:.4g} multiply-adds and {} "
            "bytes",
            result.seconds, peaks_.least_seconds(job.work), job.work.fmas, job.work.bytes),
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
  if (!reply)
    warnings_.push_back("cannot measure the machine's peak: " + reply.error().message);
  else if (const auto warning = peaks_.add(*reply))
    warnings_.push_back(*warning);
}

}  // namespace dovetail
