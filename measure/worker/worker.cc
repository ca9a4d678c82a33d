// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/worker.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <new>
#include <optional>

#include "core/backends/backends.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "measure/host/serve_measuring.h"
#include "measure/supervisor/child_process.h"
#include "measure/transport/shared_memory.h"
#include "measure/transport/socket_transport.h"
#include "measure/worker/build_role.h"
#include "measure/worker/executor.h"
#include "measure/worker/serve.h"

namespace dovetail {
namespace {

ProgramOptions options_of(WorkerOptions& options) {
  return {{"--role", &options.role},
          {"--target", &options.target},
          {"--cores", &options.cores},
          {"--parent", &options.parent},
          {"--memory-bytes", &options.memory_bytes},
          {"--background", &options.background},
          {"--faults", &options.faults}};
}

[[noreturn]] void out_of_memory() {
  std::fputs("out of memory\n", stderr);
  ::_exit(kFailureExit);
}

void limit_resources([[maybe_unused]] const WorkerOptions& options) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::set_new_handler(out_of_memory);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  // Sanitizers reserve terabytes, so no limit; and a candidate's crash must look as it does without
  // them.
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) ::signal(signal, SIG_DFL);
#else
  if (options.memory_bytes > 0) {
    const auto bytes = static_cast<rlim_t>(options.memory_bytes);
    const rlimit memory{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &memory);
  }
#endif
}

// The tuner shares its cores with builders, and while it chooses candidates all wait for it: it
// gets three quarters of a core. Background builders leave all but a tenth to the timed program. No
// worker runs at SCHED_IDLE: on a busy machine its build would time out.
void step_back(bool background) {
  constexpr int kNice = 5, kBackgroundNice = 10;
  (void)::setpriority(PRIO_PROCESS, 0, background ? kBackgroundNice : kNice);
}

Result<Frame> answer_build(const Frame& request, BuildRole& role, const Faults& faults) {
  const BuildRequest build_request = TRY(decode<BuildRequest>(request));
  commit_fault(fault_of(faults, build_request.trial), "build");
  return encode(role.build(build_request));
}

// Writes next to the output, like a candidate with a wrong bound.
void write_out_of_bounds(std::string_view fault, const ArenaPlan& plan,
                         std::span<std::byte> arena) {
  if (fault != "run_before" && fault != "run_after") return;
  const uint32_t stray = 0x3F800000;  // 1.0
  for (const BufferPlace& place : plan.places) {
    if (place.role != BufferRole::output) continue;
    const uint64_t at =
        fault == "run_before" ? place.offset - sizeof(stray) : place.offset + place.bytes;
    std::memcpy(arena.data() + at, &stray, sizeof(stray));
  }
}

// The run role: holds a device, and answers run, time and peak requests in that order.
//
// The operands' shared memory is mapped only from a run request to the start of its timing: a stray
// write of a candidate then cannot reach the memory of the next one, which is being filled
// meanwhile. Further time requests time the same program again, on the same operands.
class RunRole {
 public:
  RunRole(std::unique_ptr<Device> device, Faults faults)
      : executor_(std::move(device)), faults_(std::move(faults)) {}

  Result<Frame> answer(const Frame& request) {
    const std::string type = TRY(type_of(request));
    if (type == "run") return encode(run(TRY(decode<RunRequest>(request))));
    if (type == "time") return encode(time(TRY(decode<TimeRequest>(request))));
    if (type == "peak") return encode(executor_.peak(TRY(decode<PeakRequest>(request))));
    return fail("unknown frame type {}", type);
  }

 private:
  RunReply run(const RunRequest& request) {
    const Outcome prepared = prepare(request);
    if (prepared.status != Status::ok) return {prepared.status, prepared.reason, 0};
    commit_fault(fault(), "run");
    is_lost_ = is_lost_ || fault() == "run_lost";
    if (is_lost_) return {Status::run_error, "the device is lost", 0};
    RunReply reply;
    const Outcome outcome = executor_.run_once(arena_->bytes(), plan_, reply.seconds);
    reply.status = outcome.status;
    reply.reason = outcome.reason;
    write_out_of_bounds(fault(), plan_, arena_->bytes());
    return reply;
  }

  Outcome prepare(const RunRequest& request) {
    if (request.load) {
      const Outcome loaded = executor_.load(request.executable);
      if (loaded.status != Status::ok) return loaded;
    }
    arena_.reset();
    is_ready_ = false;
    plan_ = request.plan;
    trial_ = request.trial;
    Result<MappedMemory> view =
        MappedMemory::shared(kFirstInheritedDescriptor + request.arena, plan_.bytes);
    if (!view) return {Status::run_error, view.error().message};
    arena_.emplace(*std::move(view));
    return {};
  }

  TimeReply time(const TimeRequest& request) {
    if (!arena_ && !is_ready_)
      return {Status::run_error, "a time request without a run before it", {}};
    commit_fault(fault(), "time");
    if (arena_) {
      const Outcome outcome = executor_.begin_timing(arena_->bytes(), plan_, request.caches);
      arena_.reset();
      if (outcome.status != Status::ok) return {outcome.status, outcome.reason, {}};
      is_ready_ = true;
    }
    Result<std::vector<double>> samples = executor_.sample(request.rule);
    if (!samples) return {Status::run_error, samples.error().message, {}};
    return {Status::ok, {}, *std::move(samples)};
  }

  std::string fault() const { return fault_of(faults_, trial_); }

  Executor executor_;
  bool is_lost_ = false;  // an injected fault
  Faults faults_;
  int64_t trial_ = 0;
  ArenaPlan plan_;
  std::optional<MappedMemory> arena_;
  bool is_ready_ = false;  // the last program can be timed again
};

int measure(const WorkerOptions& options) {
  SocketTransport tuner{Descriptor(kWorkerSocket)};
  const Result<void> served = serve_measuring(tuner, options);
  if (!served) std::fprintf(stderr, "%s\n", served.error().message.c_str());
  return served ? 0 : kFailureExit;
}

}  // namespace

Result<WorkerOptions> parse_worker_options(const std::vector<std::string>& arguments) {
  WorkerOptions options;
  TRY(parse_options(arguments, options_of(options), "dovetail-worker"));
  for (const char* role : {"measure", "build", "run"})
    if (options.role == role) return options;
  return fail("dovetail-worker is started by dovetail, with --role measure, build or run");
}

std::vector<std::string> print(WorkerOptions options) { return print_options(options_of(options)); }

int run_worker(const WorkerOptions& options) {
  if (!follow_parent(options.parent)) return 0;
  limit_resources(options);
  if (options.role == "measure") return measure(options);
  if (options.role == "build") {
    if (!options.cores.empty()) pin_calling_thread(options.cores);
    step_back(options.background);
    BuildRole role;
    return serve([&](const Frame& request) { return answer_build(request, role, options.faults); });
  }
  Result<std::unique_ptr<Device>> device = open_device(options.target, {options.cores});
  if (!device) {
    std::fprintf(stderr, "%s\n", device.error().message.c_str());
    return kFailureExit;
  }
  RunRole role(*std::move(device), options.faults);
  return serve([&](const Frame& request) { return role.answer(request); });
}

}  // namespace dovetail
