// SPDX-License-Identifier: Apache-2.0
#pragma once

// Executor: how the run worker runs a program on one kind of device.
//
//   executor->load(artifact);
//   executor->run_once(arena, plan);      // operands and output in shared memory: for the check;
//                                         // also runs the kernels that prepare constants
//   executor->begin_timing(arena, plan);  // operands to where they are timed
//   executor->sample(runs);               // seconds of `runs` runs of the whole program
//
// A seam, so that a further backend is one more file (cpu_executor.cc, opencl_executor.cc).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "measure/messages.h"

namespace dovetail {

struct Outcome {
  Status status = Status::ok;
  std::string reason = {};
};

class Executor {
 public:
  virtual ~Executor() = default;
  virtual Outcome load(const Artifact& artifact) = 0;
  // The seconds of the one run, without the kernels that prepare constants, are in `seconds`.
  virtual Outcome run_once(std::span<std::byte> arena, const ArenaPlan& plan, double& seconds) = 0;
  // `cold`: every run in sample() starts with nothing of the operands in the caches.
  virtual Outcome begin_timing(std::span<const std::byte> arena, const ArenaPlan& plan,
                               bool cold) = 0;
  virtual double sample(int64_t runs) = 0;
  // Says what went wrong in sample() since begin_timing().
  virtual Outcome timing_outcome() const { return {}; }
  virtual PeakReply peak(const PeakRequest& request) = 0;
};

// That of the target's kind; an error where this build has none. `cores`: where the threads of a
// CPU's program run; the calling thread is one of them and is pinned.
Result<std::unique_ptr<Executor>> make_executor(const Target& target,
                                                const std::vector<int>& cores);

#if DOVETAIL_HAVE_LLVM
std::unique_ptr<Executor> make_cpu_executor(const Target& target, const std::vector<int>& cores);
#endif
#if DOVETAIL_HAVE_OPENCL
Result<std::unique_ptr<Executor>> make_opencl_executor(const Target& target);
#endif

}  // namespace dovetail
