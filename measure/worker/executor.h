// SPDX-License-Identifier: Apache-2.0
#pragma once

// Executor: how the run worker runs and times a program on one kind of device.
//
//   executor->load(artifact);
//   executor->run_once(arena, plan);      // operands and output in shared memory: for the check;
//                                         // also runs the kernels that prepare constants
//   executor->begin_timing(arena, plan, Caches::hot);  // operands to where they are timed
//   executor->sample(runs);               // seconds of `runs` runs of the whole program
//
// Loading and running come from core/runtime/loaded_program.h; an executor adds the arena, its
// guard zones and the state of the caches. It is an interface, so that another backend is one more
// file (cpu_executor.cc, opencl_executor.cc).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/record/line/caches.h"
#include "core/runtime/loaded_program.h"
#include "measure/messages.h"

namespace dovetail {

struct Outcome {
  Status status = Status::ok;
  std::string reason = {};
};
// For a failed result, `status` with the error as its reason.
inline Outcome outcome_of(const Result<void>& result, Status status = Status::run_error) {
  return result ? Outcome{} : Outcome{status, result.error().message};
}

class Executor {
 public:
  virtual ~Executor() = default;
  virtual Outcome load(const Artifact& artifact) = 0;
  // `seconds` is set to the time of the run, without the kernels that prepare constants.
  Outcome run_once(std::span<std::byte> arena, const ArenaPlan& plan, double& seconds);
  // Each run in sample() starts with the caches in the state `caches`.
  virtual Outcome begin_timing(std::span<const std::byte> arena, const ArenaPlan& plan,
                               Caches caches) = 0;
  virtual Result<double> sample(int64_t runs);
  virtual PeakReply peak(const PeakRequest& request) = 0;

 protected:
  static std::vector<void*> addresses(std::span<std::byte> memory, const ArenaPlan& plan);
  static PeakReply peak_of(ThreadPool& pool, const Target& target, const PeakRequest& request);
  virtual LoadedProgram& program() = 0;
  // Detects writes outside the buffers, on devices with guard zones.
  virtual Outcome check_guards() { return {}; }
};

// The executor of the target's kind; fails if the build has none. The threads of a CPU's program
// run on `cores`; the calling thread is one of them and is pinned.
Result<std::unique_ptr<Executor>> make_executor(const Target& target,
                                                const std::vector<int>& cores);

#if DOVETAIL_HAVE_LLVM
std::unique_ptr<Executor> make_cpu_executor(const Target& target, const std::vector<int>& cores);
#endif
#if DOVETAIL_HAVE_OPENCL
Result<std::unique_ptr<Executor>> make_opencl_executor(const Target& target);
#endif

}  // namespace dovetail
