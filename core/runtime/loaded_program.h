// SPDX-License-Identifier: Apache-2.0
#pragma once

// LoadedProgram: an artifact loaded on its device: code loaded, buffers placed, kernels launched in
// order.
//
//   const auto program = TRY(load_on_cpu(artifact, find, threads));
//   TRY(program->place(buffers));   // an address for each of Program::buffers
//   TRY(program->prepare());        // the kernels that prepare constants
//   TRY(program->run());            // all others, as often as one likes
//   TRY(program->fetch());          // outputs to the addresses they were placed at
//
// On a CPU, kernels work on the given addresses directly; an OpenCL device holds copies of the
// buffers. Nothing here measures: callers that time a program or detect stray writes do so around
// these calls.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/runtime/artifact.h"
#include "core/runtime/thread_pool.h"

namespace dovetail {

class LoadedProgram {
 public:
  virtual ~LoadedProgram() = default;
  // Later runs work on the data at `buffers`: addresses in the program's order, 64-byte aligned,
  // with data in the program's layouts. They must stay valid until the next place().
  virtual Result<void> place(std::span<void* const> buffers) = 0;
  virtual Result<void> prepare() = 0;
  // Runs the preparation kernels `first` to `last` (exclusive), for callers that prepare constants
  // piece by piece.
  virtual Result<void> prepare_part(size_t first, size_t last) = 0;
  // Runs all other kernels `repetitions` times in a row, waits, and returns the seconds per
  // repetition, by the device's own clock where it has one.
  virtual Result<double> run(int64_t repetitions = 1) = 0;
  virtual Result<void> fetch() = 0;

  // Runs the kernels `first` to `last` (exclusive) of those that run() launches and returns their
  // seconds, for callers that inspect intermediate results.
  virtual Result<double> run_part(size_t first, size_t last) = 0;
  // Copies one buffer from, or to, the address it was placed at.
  virtual Result<void> give_buffer(size_t buffer) = 0;
  virtual Result<void> fetch_buffer(size_t buffer) = 0;
};

// Looks up a kernel's code by name. The code must stay loaded as long as the program exists.
using FindKernel = std::function<Result<CpuKernel>(const std::string& name)>;

// Kernels run on `threads`, which must outlive the program. Why the code comes from a function:
// core/codegen/llvm/loader.h, which this folder may not include, loads objects, and a program that
// links its kernels statically has them already. core/runtime/loaded_opencl_program.h is for OpenCL
// devices.
Result<std::unique_ptr<LoadedProgram>> load_on_cpu(const Artifact& artifact, FindKernel find,
                                                   ThreadPool& threads);

}  // namespace dovetail
