// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/worker.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <new>

#include "core/base/cores.h"
#include "measure/worker/build_role.h"
#include "measure/worker/executor.h"
#include "measure/worker/options.h"
#include "measure/worker/run_role.h"
#include "measure/worker/serve.h"

namespace dovetail {
namespace {

OptionList options_of(WorkerOptions& options) {
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
  // Sanitizers reserve terabytes, so no limit; and a candidate's crash must look as it does
  // without.
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
// gets three quarters of a core. Builders in the background leave all but a tenth to what is timed.
// No worker is left without time (SCHED_IDLE): on a busy machine its build would time out.
void step_back(bool background) {
  constexpr int kNice = 5, kBackgroundNice = 10;
  (void)::setpriority(PRIO_PROCESS, 0, background ? kBackgroundNice : kNice);
}

Result<Frame> answer_build(const Frame& request, BuildRole& role, const Faults& faults) {
  const BuildRequest build_request = TRY(decode<BuildRequest>(request));
  commit_fault(fault_of(faults, build_request.trial), "build");
  return encode(role.build(build_request));
}

Result<Frame> answer_run(const Frame& request, RunRole& role) {
  const std::string type = TRY(type_of(request));
  if (type == "run") return encode(role.run(TRY(decode<RunRequest>(request))));
  if (type == "time") return encode(role.time(TRY(decode<TimeRequest>(request))));
  if (type == "peak") return encode(role.peak(TRY(decode<PeakRequest>(request))));
  return fail(fmt::format("unknown frame type {}", type));
}

}  // namespace

Result<WorkerOptions> parse_worker_options(const std::vector<std::string>& arguments) {
  WorkerOptions options;
  TRY(parse_options(arguments, options_of(options), "dovetail-worker"));
  if (options.role == "build" || options.role == "run") return options;
  return fail("dovetail-worker is started by dovetail, with --role build or --role run");
}

std::vector<std::string> print(WorkerOptions options) { return print_options(options_of(options)); }

int run_worker(const WorkerOptions& options) {
  if (!follow_parent(options.parent)) return 0;
  limit_resources(options);
  if (options.role == "build") {
    if (!options.cores.empty()) pin_calling_thread(options.cores);
    step_back(options.background);
    BuildRole role;
    return serve([&](const Frame& request) { return answer_build(request, role, options.faults); });
  }
  Result<std::unique_ptr<Executor>> executor = make_executor(options.target, options.cores);
  if (!executor) {
    std::fprintf(stderr, "%s\n", executor.error().message.c_str());
    return kFailureExit;
  }
  RunRole role(*std::move(executor), options.faults);
  return serve([&](const Frame& request) { return answer_run(request, role); });
}

}  // namespace dovetail
