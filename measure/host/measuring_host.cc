// SPDX-License-Identifier: Apache-2.0
#include "measure/host/measuring_host.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/backends/backends.h"
#include "core/base/fail.h"
#include "core/base/stopwatch.h"
#include "measure/check/output_check.h"
#include "measure/machine/timed_cores.h"
#include "measure/worker/worker.h"

namespace dovetail {
namespace {

constexpr int kArenas = 2;  // one is timed while the other is packed
constexpr size_t kMostBuilders = 8;
// A driver takes 0.3 s and more for a kernel on an H200, where LLVM takes 0.02. Every builder has a
// context, which takes memory of the device.
constexpr size_t kMostDriverBuilders = 16;

// Two arenas, and the worker's own copy for timing: at most three quarters of the machine.
uint64_t largest_arena_bytes() {
  const auto pages = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGE_SIZE)) / 4;
}

WorkerCommand worker_command(const std::string& program, const WorkerOptions& options,
                             const ScratchFolder& scratch) {
  WorkerCommand command;
  command.path = program;
  command.arguments = print(options);
  // PoCL: each thread needs its own core; compiled kernels are kept; and what the build worker
  // compiled must not be compiled again for the offsets and sizes of a launch.
  const std::pair<const char*, std::string> pocl[] = {{"POCL_AFFINITY", "1"},
                                                      {"POCL_CACHE_DIR", scratch.path()},
                                                      {"POCL_WORK_GROUP_SPECIALIZATION", "0"}};
  for (const auto& [name, value] : pocl)
    if (std::getenv(name) == nullptr)
      command.environment.push_back(fmt::format("{}={}", name, value));
  return command;
}

// The part of a program's text before its kernels, which is a program, too.
std::string_view buffers_of(std::string_view program) {
  return program.substr(0, program.find("\nkernel "));
}

size_t most_builders(const Target& target) {
  return runs_work_groups(target) ? kMostDriverBuilders : kMostBuilders;
}

bool is_this_host(const Target& target) { return backend_of(target).is_this_host(target); }

}  // namespace

MeasuringHost::MeasuringHost(const Target& target, const MeasureOptions& options,
                             const Faults& faults, CoreSplit cores, ScratchFolder scratch)
    : target_(target),
      options_(options),
      faults_(faults),
      cores_(std::move(cores)),
      scratch_(std::move(scratch)),
      queue_(kArenas) {
  if (runs_work_groups(target))
    options_.run_timeout_floor_seconds = options.driver_run_timeout_floor_seconds;
}

// A driver opens a context in 0.15 s, and sixteen at once in two seconds, each of which is ready
// only then. So builders begin one after the other, and the first ones build meanwhile.
void MeasuringHost::build_loop(WorkerSlot& worker, bool guest) {
  if (!guest && !is_this_host(target_)) {
    const std::lock_guard lock(first_builds_);
    if (!build_next(worker, guest)) return;
  }
  while (build_next(worker, guest)) continue;
}

bool MeasuringHost::build_next(WorkerSlot& worker, bool guest) {
  Job* const job = guest ? queue_.take_queued_when_starved() : queue_.take_queued();
  if (job == nullptr) return false;
  build(*job, worker);
  queue_.finish(*job, job->result.status == Status::ok ? JobStep::built : JobStep::done);
  return true;
}

void MeasuringHost::build(Job& job, WorkerSlot& worker) {
  if (job.input.purpose == Purpose::retime) {
    job.result.status = Status::ok;
    return;
  }
  const Stopwatch watch;
  const BuildRequest request{
      .trial = job.input.trial, .target = print(target_), .program = job.program};
  const Frame frame = encode(request);
  Exchange exchange = worker.exchange(frame, options_.build_timeout_seconds);
  if (status_of(exchange, Status::build_error) == Status::worker_lost)
    exchange = worker.exchange(frame, options_.build_timeout_seconds);
  job.result.times.build_seconds = watch.seconds();
  job.result.no_device = exchange.outcome == Exchange::Outcome::unavailable;
  auto reply = reply_of<BuildReply>(exchange, Status::build_error, "build: ");
  job.result.status = reply.status;
  job.result.reason = std::move(reply.reason);
  job.device.executable = std::move(reply.executable);
}

void MeasuringHost::pack_loop() {
  while (Job* job = queue_.take_built()) queue_.finish(*job, pack(*job));
}

JobStep MeasuringHost::pack(Job& job) {
  const Stopwatch watch;
  const Result<void> packed = prepare(job);
  if (job.input.purpose != Purpose::retime) job.result.times.check_seconds = watch.seconds();
  if (packed) return JobStep::packed;
  const bool is_limit = packed.error().kind == ErrorKind::device_limit;
  job.result.status = is_limit ? Status::device_limit : Status::run_error;
  job.result.reason = packed.error().message;
  return JobStep::done;
}

Result<void> MeasuringHost::prepare(Job& job) {
  DeviceJob& device = job.device;
  device.input = &job.input;
  device.spec = print(job.input.spec);
  device.work = job.work;
  job.input.program = TRY(parse_program(buffers_of(job.program)));
  if (job.input.purpose == Purpose::retime) return {};
  for (const DataKind kind : data_kinds_of(job.input))
    device.data.push_back(
        data_.get(job.input.spec.region, kind, job.input.seed, job.own_operands.get()));
  device.plan = plan_arena(job.input.program);
  if (device.plan.bytes > largest_arena_bytes())
    return fail_by_limit("its buffers need {} bytes, at most {} are used here", device.plan.bytes,
                         largest_arena_bytes());
  SharedMemory& arena = arenas_[static_cast<size_t>(device.arena)];
  TRY(arena.resize(device.plan.bytes));
  device.memory = arena.bytes();
  return fill_inputs(device.data.front()->inputs, job.input.program, device.plan, device.memory);
}

void MeasuringHost::run_loop() {
  int64_t trials = 0;
  while (Job* job = queue_.take_packed()) {
    if (options_.peak_every > 0 && trials++ % options_.peak_every == 0) {
      session_->measure_peak();
      const std::lock_guard lock(report_mutex_);
      peak_gflops_ = session_->peaks().fma_gflops();
      for (std::string& warning : session_->take_warnings())
        warnings_.push_back(std::move(warning));
    }
    MeasureTimes times = job->result.times;
    job->result = session_->measure(job->device);
    times.run_seconds += job->result.times.run_seconds;
    times.check_seconds += job->result.times.check_seconds;
    job->result.times = times;
    queue_.finish(*job, JobStep::done);
  }
}

MeasuringHost::~MeasuringHost() {
  close();
  for (std::thread& thread : threads_) thread.join();
}

void MeasuringHost::close() {
  queue_.close();
  for (auto& worker : build_workers_) worker->close();
  for (auto& worker : guests_) worker->close();
  if (run_worker_ != nullptr) run_worker_->close();
}

std::optional<MeasureReply> MeasuringHost::wait() {
  std::optional<MeasureResult> result = queue_.wait();
  if (!result) return std::nullopt;
  const std::lock_guard lock(report_mutex_);
  return MeasureReply{.result = *std::move(result),
                      .peak_gflops = peak_gflops_,
                      .warnings = std::exchange(warnings_, {})};
}

// A program that uses all physical cores is timed alone; otherwise only guests share its cores.
void MeasuringHost::alone(bool on) {
  if (cores_.shared) queue_.alone(on);
  for (const auto& guest : guests_) guest->pause(on);
}

// No memory limit for separate devices: their drivers reserve more addresses than any limit.
void MeasuringHost::start_build_workers(const std::string& program) {
  WorkerOptions worker{.role = "build",
                       .target = target_,
                       .cores = cores_.rest,
                       .parent = ::getpid(),
                       .memory_bytes = is_this_host(target_) ? options_.build_memory_bytes : 0,
                       .faults = faults_};
  const auto start = [&] {
    return std::make_unique<WorkerSlot>(worker_command(program, worker, scratch_),
                                        options_.lease_timeout_seconds);
  };
  const bool chosen = options_.builders > 0;
  const size_t most = most_builders(target_);
  const size_t count =
      chosen ? static_cast<size_t>(options_.builders) : std::min(cores_.rest.size(), most);
  while (build_workers_.size() < count) build_workers_.push_back(start());
  if (chosen || cores_.shared) return;
  worker.cores = cores_.timed;
  worker.cores.insert(worker.cores.end(), cores_.beside.begin(), cores_.beside.end());
  worker.background = true;
  const size_t most_guests = std::min(worker.cores.size(), most - count);
  while (guests_.size() < most_guests) guests_.push_back(start());
}

Result<void> MeasuringHost::start_run_worker(const std::string& program) {
  const WorkerOptions worker{.role = "run",
                             .target = target_,
                             .cores = cores_.timed,
                             .parent = ::getpid(),
                             .memory_bytes = is_this_host(target_) ? options_.run_memory_bytes : 0,
                             .faults = faults_};
  WorkerCommand command = worker_command(program, worker, scratch_);
  for (int arena = 0; arena < kArenas; ++arena) {
    arenas_.push_back(TRY(SharedMemory::create(fmt::format("arena {}", arena))));
    command.inherited.push_back(arenas_.back().descriptor());
  }
  run_worker_ = std::make_unique<WorkerSlot>(std::move(command), options_.lease_timeout_seconds);
  session_ = std::make_unique<DeviceSession>(*run_worker_, options_, is_this_host(target_),
                                             [this](bool on) { alone(on); });
  return {};
}

void MeasuringHost::start_threads() {
  for (auto& worker : build_workers_)
    threads_.emplace_back([this, &worker] { build_loop(*worker, false); });
  for (auto& worker : guests_)
    threads_.emplace_back([this, &worker] { build_loop(*worker, true); });
  threads_.emplace_back([this] { pack_loop(); });
  threads_.emplace_back([this] { run_loop(); });
}

Result<std::unique_ptr<MeasuringHost>> MeasuringHost::start(const Target& target,
                                                            const MeasureOptions& options,
                                                            const Faults& faults) {
  CoreSplit cores = TRY(cores_for(target));
  pin_calling_thread(cores.rest);
  std::unique_ptr<MeasuringHost> host(
      new MeasuringHost(target, options, faults, std::move(cores), TRY(ScratchFolder::create())));
  std::error_code error;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  host->start_build_workers(program);
  TRY(host->start_run_worker(program));
  host->start_threads();
  return host;
}

}  // namespace dovetail
