// SPDX-License-Identifier: Apache-2.0
#include "measure/runner/local_runner.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "core/backends/backends.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "core/base/stopwatch.h"
#include "measure/host/job_queue.h"
#include "measure/host/scratch_folder.h"
#include "measure/reference/check_data.h"
#include "measure/transport/shared_memory.h"
#include "measure/worker/worker.h"

namespace dovetail {
namespace {

constexpr int kArenas = 2;  // one is timed while the other is packed
constexpr size_t kMostBuilders = 8;

// Two arenas, and the worker's own copy for timing: at most three quarters of the machine.
uint64_t largest_arena_bytes() {
  const auto pages = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGE_SIZE)) / 4;
}

WorkerCommand worker_command(const std::string& path, const WorkerOptions& options,
                             const ScratchFolder& scratch) {
  WorkerCommand command;
  command.path = path;
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

}  // namespace

namespace {

bool is_this_host(const Target& target) { return backend_of(target).is_this_host(target); }

}  // namespace

Result<CoreSplit> cores_for(const Target& target) {
  const size_t all = allowed_cores().size();
  const size_t timed = backend_of(target).timed_cores(target, all);
  if (timed > all) {
    return fail("target {} needs {} cores, this process may use {}", print(target.name), timed,
                all);
  }
  return split_cores(physical_cores(), timed);
}

namespace {

class DeviceRunner final : public LocalRunner {
 public:
  DeviceRunner(const Target& target, MeasureOptions options, CoreSplit cores, ScratchFolder scratch)
      : target_(target),
        options_(std::move(options)),
        cores_(std::move(cores)),
        scratch_(std::move(scratch)),
        data_(options_.check_data ? options_.check_data : std::make_shared<CheckDataCache>()) {}
  ~DeviceRunner() override;

  // Starts workers of the program at `path`; called once, before the rest.
  Result<void> start(const std::string& path);

  void submit(MeasureInput input) override { queue_.submit(std::move(input)); }
  MeasureResult wait() override { return queue_.wait(); }
  size_t in_flight() const override { return queue_.in_flight(); }
  double peak_gflops() const override {
    const std::lock_guard lock(report_mutex_);
    return peak_gflops_;
  }
  std::vector<std::string> take_warnings() override {
    const std::lock_guard lock(report_mutex_);
    return std::exchange(warnings_, {});
  }

 private:
  void start_build_workers(const std::string& path);
  Result<void> start_run_worker(const std::string& path);

  void build_loop(WorkerSlot& worker, bool guest);
  void alone(bool on);
  void pack_loop();
  void run_loop();
  void build(Job& job, WorkerSlot& worker);
  JobStep pack(Job& job);

  Target target_;
  MeasureOptions options_;
  std::vector<int> callers_cores_ = allowed_cores();  // restored in the end
  CoreSplit cores_;
  ScratchFolder scratch_;
  JobQueue queue_{kArenas};
  std::vector<SharedMemory> arenas_;
  std::shared_ptr<CheckDataCache> data_;
  std::vector<std::unique_ptr<WorkerSlot>> build_workers_;
  std::vector<std::unique_ptr<WorkerSlot>> guests_;  // build workers on the run worker's cores
  std::unique_ptr<WorkerSlot> run_worker_;
  std::unique_ptr<DeviceSession> session_;  // used by run_loop() only
  mutable std::mutex report_mutex_;         // guards the two below
  double peak_gflops_ = 0;
  std::vector<std::string> warnings_;
  std::vector<std::thread> threads_;
};

void DeviceRunner::build_loop(WorkerSlot& worker, bool guest) {
  while (Job* job = guest ? queue_.take_queued_when_starved() : queue_.take_queued()) {
    build(*job, worker);
    queue_.finish(*job, job->result.status == Status::ok ? JobStep::built : JobStep::done);
  }
}

void DeviceRunner::build(Job& job, WorkerSlot& worker) {
  if (job.input.purpose == Purpose::retime) {
    job.result.status = Status::ok;
    return;
  }
  const Stopwatch watch;
  const BuildRequest request{
      .trial = job.input.trial, .target = print(target_), .program = print(job.input.program)};
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

void DeviceRunner::pack_loop() {
  while (Job* job = queue_.take_built()) queue_.finish(*job, pack(*job));
}

JobStep DeviceRunner::pack(Job& job) {
  const Stopwatch watch;
  DeviceJob& device = job.device;
  device.input = &job.input;
  device.spec = print(job.input.spec);
  if (job.input.purpose == Purpose::retime) return JobStep::packed;
  const Region& region = job.input.spec.region;
  const bool is_exact = is_exact_on_integers(job.input.trace.algorithm);
  const DataKind kind = is_exact ? DataKind::small_integers : DataKind::real;
  device.data = data_->get(region, kind, job.input.seed);
  if (job.input.purpose == Purpose::confirm)
    device.real_data = data_->get(region, DataKind::real, job.input.seed);
  device.plan = plan_arena(job.input.program);
  if (device.plan.bytes > largest_arena_bytes()) {
    job.result.status = Status::device_limit;
    job.result.reason = fmt::format("its buffers need {} bytes, at most {} are used here",
                                    device.plan.bytes, largest_arena_bytes());
    return JobStep::done;
  }
  SharedMemory& arena = arenas_[static_cast<size_t>(device.arena)];
  Result<void> filled = arena.resize(device.plan.bytes);
  if (filled) {
    device.memory = arena.bytes();
    filled = fill_inputs(device.data->inputs, job.input.program, device.plan, device.memory);
  }
  job.result.times.check_seconds = watch.seconds();
  if (filled) return JobStep::packed;
  job.result.status = Status::run_error;
  job.result.reason = filled.error().message;
  return JobStep::done;
}

void DeviceRunner::run_loop() {
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

DeviceRunner::~DeviceRunner() {
  queue_.close();
  for (auto& worker : build_workers_) worker->close();
  for (auto& worker : guests_) worker->close();
  if (run_worker_ != nullptr) run_worker_->close();
  for (std::thread& thread : threads_) thread.join();
  pin_calling_thread(callers_cores_);
}

// A program that uses all physical cores is timed alone; otherwise only guests share its cores.
void DeviceRunner::alone(bool on) {
  if (cores_.shared) queue_.alone(on);
  for (const auto& guest : guests_) guest->pause(on);
}

// No memory limit for separate devices: their drivers reserve more addresses than any limit.
void DeviceRunner::start_build_workers(const std::string& path) {
  WorkerOptions worker{.role = "build",
                       .target = target_,
                       .cores = cores_.rest,
                       .parent = ::getpid(),
                       .memory_bytes = is_this_host(target_) ? options_.build_memory_bytes : 0,
                       .faults = options_.faults};
  const auto start = [&] {
    return std::make_unique<WorkerSlot>(worker_command(path, worker, scratch_),
                                        options_.lease_timeout_seconds);
  };
  const bool chosen = options_.builders > 0;
  const size_t count =
      chosen ? static_cast<size_t>(options_.builders) : std::min(cores_.rest.size(), kMostBuilders);
  while (build_workers_.size() < count) build_workers_.push_back(start());
  if (chosen || cores_.shared) return;
  worker.cores = cores_.timed;
  worker.cores.insert(worker.cores.end(), cores_.beside.begin(), cores_.beside.end());
  worker.background = true;
  const size_t most_guests = std::min(worker.cores.size(), kMostBuilders - count);
  while (guests_.size() < most_guests) guests_.push_back(start());
}

Result<void> DeviceRunner::start_run_worker(const std::string& path) {
  const WorkerOptions worker{.role = "run",
                             .target = target_,
                             .cores = cores_.timed,
                             .parent = ::getpid(),
                             .memory_bytes = is_this_host(target_) ? options_.run_memory_bytes : 0,
                             .faults = options_.faults};
  WorkerCommand command = worker_command(path, worker, scratch_);
  for (int arena = 0; arena < kArenas; ++arena) {
    arenas_.push_back(TRY(SharedMemory::create(fmt::format("arena {}", arena))));
    command.inherited.push_back(arenas_.back().descriptor());
  }
  run_worker_ = std::make_unique<WorkerSlot>(std::move(command), options_.lease_timeout_seconds);
  session_ =
      std::make_unique<DeviceSession>(*run_worker_, options_, [this](bool on) { alone(on); });
  return {};
}

Result<void> DeviceRunner::start(const std::string& path) {
  start_build_workers(path);
  TRY(start_run_worker(path));
  pin_calling_thread(cores_.rest);
  for (auto& worker : build_workers_)
    threads_.emplace_back([this, &worker] { build_loop(*worker, false); });
  for (auto& worker : guests_)
    threads_.emplace_back([this, &worker] { build_loop(*worker, true); });
  threads_.emplace_back([this] { pack_loop(); });
  threads_.emplace_back([this] { run_loop(); });
  return {};
}

}  // namespace

Result<std::unique_ptr<LocalRunner>> make_local_runner(const Target& target,
                                                       const MeasureOptions& options) {
  CoreSplit cores = TRY(cores_for(target));
  const std::string path = options.worker_path.empty() ? TRY(find_worker()) : options.worker_path;
  MeasureOptions own = options;
  if (runs_work_groups(target))
    own.run_timeout_floor_seconds = options.driver_run_timeout_floor_seconds;
  auto runner = std::make_unique<DeviceRunner>(target, std::move(own), std::move(cores),
                                               TRY(ScratchFolder::create()));
  TRY(runner->start(path));
  return runner;
}

}  // namespace dovetail
