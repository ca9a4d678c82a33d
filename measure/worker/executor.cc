// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/executor.h"

#include <algorithm>

#include "core/base/fail.h"
#include "measure/machine_peak.h"

namespace dovetail {

std::vector<void*> Executor::addresses(std::span<std::byte> memory, const ArenaPlan& plan) {
  std::vector<void*> buffers;
  for (const BufferPlace& place : plan.places) buffers.push_back(memory.data() + place.offset);
  return buffers;
}

Outcome Executor::run_once(std::span<std::byte> arena, const ArenaPlan& plan, double& seconds) {
  const auto run = [&]() -> Result<void> {
    TRY(program().place(addresses(arena, plan)));
    TRY(program().prepare());
    seconds = TRY(program().run());
    return {};
  };
  Outcome outcome = outcome_of(run());
  if (outcome.status == Status::ok) outcome = check_guards();
  return outcome.status == Status::ok ? outcome_of(program().fetch()) : outcome;
}

Result<double> Executor::sample(int64_t runs) {
  return TRY(program().run(runs)) * static_cast<double>(runs);
}

PeakReply Executor::peak_of(ThreadPool& pool, const Target& target, const PeakRequest& request) {
  PeakReply reply{.fma_gflops = measure_fma_gflops(pool), .l1_bytes_per_second = 0};
  if (request.bandwidth) {
    const LevelBandwidth l1 = measure_bandwidth(pool, target, 1).front();
    reply.l1_bytes_per_second = std::max(l1.read_bytes_per_second, l1.copy_bytes_per_second);
  }
  return reply;
}

Result<std::unique_ptr<Executor>> make_executor(const Target& target,
                                                [[maybe_unused]] const std::vector<int>& cores) {
  if (target.name.kind == TargetKind::cpu) {
#if DOVETAIL_HAVE_LLVM
    return make_cpu_executor(target, cores);
#endif
  } else {
#if DOVETAIL_HAVE_OPENCL
    return make_opencl_executor(target);
#endif
  }
  return fail("this dovetail was built without what target {} needs", print(target.name));
}

}  // namespace dovetail
