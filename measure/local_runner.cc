// SPDX-License-Identifier: Apache-2.0
#include "measure/local_runner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "core/base/cores.h"
#include "core/base/stopwatch.h"
#include "measure/check_data_cache.h"
#include "measure/host_device.h"
#include "measure/job_queue.h"
#include "measure/scratch_folder.h"
#include "measure/shared_memory.h"
#include "measure/worker/worker.h"

namespace dovetail {
namespace {

constexpr int kArenas = 2;  // one is timed while the other is packed
constexpr size_t kMostBuilders = 8;

// Two arenas, and the memory in which the worker times: at most three quarters of the machine.
uint64_t largest_arena_bytes() {
  const auto pages = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGE_SIZE)) / 4;
}

WorkerCommand worker_command(const std::string& path, const WorkerOptions& options,
                             const ScratchFolder& scratch) {
  WorkerCommand command;
  command.path = path;
  command.arguments = print(options);
  // PoCL: its threads must not share a core; it keeps what it compiles; and it must not compile
  // again, for the offsets and sizes of a launch, what the build worker compiled.
  const std::pair<const char*, std::string> pocl[] = {{"POCL_AFFINITY", "1"},
                                                      {"POCL_CACHE_DIR", scratch.path()},
                                                      {"POCL_WORK_GROUP_SPECIALIZATION", "0"}};
  for (const auto& [name, value] : pocl) {
    if (std::getenv(name) == nullptr) {
      command.environment.push_back(fmt::format("{}={}", name, value));
    }
  }
  return command;
}

}  // namespace

Result<CoreSplit> cores_for(const Target& target) {
  const size_t all = allowed_cores().size();
  size_t timed = 1;  // the thread that feeds a device
  if (target.name.kind == TargetKind::cpu) timed = static_cast<size_t>(target.name.threads);
  if (target.name.kind == TargetKind::opencl && runs_on_host(target)) timed = all;
  if (timed > all) {
    return fail(fmt::format("target {} needs {} cores, this process may use {}", print(target.name),
                            timed, all));
  }
  return split_cores(physical_cores(), timed);
}

struct LocalRunner::State {
  State(const Target& device, MeasureOptions settings, CoreSplit split, ScratchFolder folder)
      : target(device),
        options(std::move(settings)),
        cores(std::move(split)),
        scratch(std::move(folder)),
        queue(kArenas),
        data(options.check_data ? options.check_data : std::make_shared<CheckDataCache>()) {}

  void start_build_workers(const std::string& path);
  Result<void> start_run_worker(const std::string& path);

  void build_loop(WorkerSlot& worker, bool guest);
  void alone(bool on);
  void pack_loop();
  void run_loop();
  void build(Job& job, WorkerSlot& worker);
  JobStep pack(Job& job);

  Target target;
  MeasureOptions options;
  std::vector<int> callers_cores = allowed_cores();  // given back in the end
  CoreSplit cores;
  ScratchFolder scratch;
  JobQueue queue;
  std::vector<SharedMemory> arenas;
  std::shared_ptr<CheckDataCache> data;
  std::vector<std::unique_ptr<WorkerSlot>> build_workers;
  std::vector<std::unique_ptr<WorkerSlot>> guests;  // build workers on the run worker's cores
  std::unique_ptr<WorkerSlot> run_worker;
  std::unique_ptr<DeviceSession> session;  // of the running thread
  mutable std::mutex report_mutex;         // of the two below
  double peak_gflops = 0;
  std::vector<std::string> warnings;
  std::vector<std::thread> threads;
};

void LocalRunner::State::build_loop(WorkerSlot& worker, bool guest) {
  while (Job* job = guest ? queue.take_queued_when_starved() : queue.take_queued()) {
    build(*job, worker);
    queue.finish(*job, job->result.status == Status::ok ? JobStep::built : JobStep::done);
  }
}

void LocalRunner::State::build(Job& job, WorkerSlot& worker) {
  if (job.input.again) {
    job.result.status = Status::ok;
    return;
  }
  const Stopwatch watch;
  const BuildRequest request{
      .trial = job.input.trial, .target = print(target), .program = print(job.input.program)};
  const Frame frame = encode(request);
  Exchange exchange = worker.exchange(frame, options.build_timeout_seconds);
  if (status_of(exchange, Status::build_error) == Status::worker_lost) {
    exchange = worker.exchange(frame, options.build_timeout_seconds);
  }
  job.result.times.build_seconds = watch.seconds();
  job.result.status = status_of(exchange, Status::build_error);
  job.result.reason = "build: " + exchange.reason;
  if (job.result.status != Status::ok) return;
  Result<BuildReply> reply = decode<BuildReply>(exchange.reply);
  if (!reply) {
    job.result.status = Status::build_error;
    job.result.reason = "build: " + reply.error().message;
    return;
  }
  job.result.status = reply->status;
  job.result.reason = reply->reason;
  job.device.artifact = std::move(reply->artifact);
}

void LocalRunner::State::pack_loop() {
  while (Job* job = queue.take_built()) queue.finish(*job, pack(*job));
}

JobStep LocalRunner::State::pack(Job& job) {
  const Stopwatch watch;
  DeviceJob& device = job.device;
  device.input = &job.input;
  device.spec = print(job.input.spec);
  if (job.input.again) return JobStep::packed;
  const Region& region = job.input.spec.region;
  const DataKind kind = job.input.trace.algorithm ? DataKind::real : DataKind::small_integers;
  device.data = data->get(region, kind, options.operand_seed);
  if (job.input.thorough) {
    device.real_data = data->get(region, DataKind::real, options.operand_seed);
  }
  device.plan = plan_arena(job.input.program);
  if (device.plan.bytes > largest_arena_bytes()) {
    job.result.status = Status::device_limit;
    job.result.reason = fmt::format("its buffers need {} bytes, at most {} are used here",
                                    device.plan.bytes, largest_arena_bytes());
    return JobStep::done;
  }
  SharedMemory& arena = arenas[static_cast<size_t>(device.arena)];
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

void LocalRunner::State::run_loop() {
  int64_t trials = 0;
  while (Job* job = queue.take_packed()) {
    if (options.peak_every > 0 && trials++ % options.peak_every == 0) {
      session->measure_peak();
      const std::lock_guard lock(report_mutex);
      peak_gflops = session->peaks().fma_gflops();
      for (std::string& warning : session->take_warnings()) warnings.push_back(std::move(warning));
    }
    MeasureTimes times = job->result.times;
    job->result = session->measure(job->device);
    times.run_seconds += job->result.times.run_seconds;
    times.check_seconds += job->result.times.check_seconds;
    job->result.times = times;
    queue.finish(*job, JobStep::done);
  }
}

LocalRunner::LocalRunner(std::unique_ptr<State> state) : state_(std::move(state)) {
  State& s = *state_;
  for (auto& worker : s.build_workers) {
    s.threads.emplace_back([&s, &worker] { s.build_loop(*worker, false); });
  }
  for (auto& worker : s.guests) {
    s.threads.emplace_back([&s, &worker] { s.build_loop(*worker, true); });
  }
  s.threads.emplace_back([&s] { s.pack_loop(); });
  s.threads.emplace_back([&s] { s.run_loop(); });
}

LocalRunner::~LocalRunner() {
  state_->queue.close();
  for (auto& worker : state_->build_workers) worker->close();
  for (auto& worker : state_->guests) worker->close();
  state_->run_worker->close();
  for (std::thread& thread : state_->threads) thread.join();
  pin_calling_thread(state_->callers_cores);
}

void LocalRunner::submit(MeasureInput input) { state_->queue.submit(std::move(input)); }
MeasureResult LocalRunner::wait() { return state_->queue.wait(); }
size_t LocalRunner::in_flight() const { return state_->queue.in_flight(); }

double LocalRunner::peak_gflops() const {
  const std::lock_guard lock(state_->report_mutex);
  return state_->peak_gflops;
}

std::vector<std::string> LocalRunner::take_warnings() {
  const std::lock_guard lock(state_->report_mutex);
  return std::exchange(state_->warnings, {});
}

// A program that leaves no physical core is timed alone; else only guests are on its cores.
void LocalRunner::State::alone(bool on) {
  if (cores.shared) queue.alone(on);
  for (const auto& guest : guests) guest->pause(on);
}

// Drivers of devices elsewhere reserve more addresses than any limit; PoCL and our own code do not.
void LocalRunner::State::start_build_workers(const std::string& path) {
  WorkerOptions worker{.role = "build",
                       .target = target,
                       .cores = cores.rest,
                       .parent = ::getpid(),
                       .memory_bytes = runs_on_host(target) ? options.build_memory_bytes : 0,
                       .faults = options.faults};
  const auto start = [&] {
    return std::make_unique<WorkerSlot>(worker_command(path, worker, scratch),
                                        options.lease_timeout_seconds);
  };
  const bool chosen = options.builders > 0;
  const size_t count =
      chosen ? static_cast<size_t>(options.builders) : std::min(cores.rest.size(), kMostBuilders);
  while (build_workers.size() < count) build_workers.push_back(start());
  if (chosen || cores.shared) return;
  worker.cores = cores.timed;
  worker.cores.insert(worker.cores.end(), cores.beside.begin(), cores.beside.end());
  worker.background = true;
  const size_t most_guests = std::min(worker.cores.size(), kMostBuilders - count);
  while (guests.size() < most_guests) guests.push_back(start());
}

Result<void> LocalRunner::State::start_run_worker(const std::string& path) {
  const WorkerOptions worker{.role = "run",
                             .target = target,
                             .cores = cores.timed,
                             .parent = ::getpid(),
                             .memory_bytes = runs_on_host(target) ? options.run_memory_bytes : 0,
                             .faults = options.faults};
  WorkerCommand command = worker_command(path, worker, scratch);
  for (int arena = 0; arena < kArenas; ++arena) {
    arenas.push_back(TRY(SharedMemory::create(fmt::format("arena {}", arena))));
    command.inherited.push_back(arenas.back().descriptor());
  }
  run_worker = std::make_unique<WorkerSlot>(std::move(command), options.lease_timeout_seconds);
  session = std::make_unique<DeviceSession>(*run_worker, options, [this](bool on) { alone(on); });
  return {};
}

Result<std::unique_ptr<LocalRunner>> make_local_runner(const Target& target,
                                                       const MeasureOptions& options) {
  CoreSplit cores = TRY(cores_for(target));
  const std::string path = options.worker_path.empty() ? TRY(find_worker()) : options.worker_path;
  ScratchFolder scratch = TRY(ScratchFolder::create());
  auto state =
      std::make_unique<LocalRunner::State>(target, options, std::move(cores), std::move(scratch));
  if (target.name.kind == TargetKind::opencl) {
    state->options.run_timeout_floor_seconds = options.opencl_run_timeout_floor_seconds;
  }
  state->start_build_workers(path);
  TRY(state->start_run_worker(path));
  pin_calling_thread(state->cores.rest);
  return std::unique_ptr<LocalRunner>(new LocalRunner(std::move(state)));
}

}  // namespace dovetail
