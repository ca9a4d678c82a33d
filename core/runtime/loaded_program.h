// SPDX-License-Identifier: Apache-2.0
#pragma once

// LoadedProgram: an artifact on its device: its code loaded, its buffers held, its kernels launched
// in order.
//
//   const auto program = TRY(load_on_cpu(artifact, find, threads));
//   TRY(program->place(buffers));   // an address for each of Program::buffers
//   TRY(program->prepare());        // the kernels that prepare constants
//   TRY(program->run());            // all others, as often as one likes
//   TRY(program->fetch());          // outputs to the addresses they were placed at
//
// On a CPU kernels work at the addresses themselves; a device of its own has copies of the buffers.
// Nothing here is about measuring: whoever times a program, or looks for stray writes, does it
// around these calls.

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
  // The following runs work on what lies at `buffers`, addresses in the program's order, 64-byte
  // aligned, with data in the program's layouts. They stay where they are until the next place().
  virtual Result<void> place(std::span<void* const> buffers) = 0;
  virtual Result<void> prepare() = 0;
  // It runs the kernels of prepare() from `first` to before `last`, for whoever lets their data
  // follow each other.
  virtual Result<void> prepare_part(size_t first, size_t last) = 0;
  // It runs all kernels but those of prepare(), `repetitions` times in a row, and returns when they
  // are done, with the seconds that one repetition took, by the device's own clock where it has
  // one.
  virtual Result<double> run(int64_t repetitions = 1) = 0;
  virtual Result<void> fetch() = 0;

  // Whoever looks inside runs kernels one by one: those from `first` to before `last` of the ones
  // that run() launches, with the seconds that they took.
  virtual Result<double> run_part(size_t first, size_t last) = 0;
  // One buffer from the address it was placed at, or to it.
  virtual Result<void> give_buffer(size_t buffer) = 0;
  virtual Result<void> fetch_buffer(size_t buffer) = 0;
};

// It finds the code of a kernel by its name, and keeps that code as long as the program lives.
using FindKernel = std::function<Result<CpuKernel>(const std::string& name)>;

// Kernels run on `threads`, which must live longer. Why the code comes from a function: objects are
// loaded by core/codegen/llvm/loader.h, which this folder may not know, and a program that links
// its kernels has them already. core/runtime/loaded_opencl_program.h is for OpenCL devices.
Result<std::unique_ptr<LoadedProgram>> load_on_cpu(const Artifact& artifact, FindKernel find,
                                                   ThreadPool& threads);

}  // namespace dovetail
