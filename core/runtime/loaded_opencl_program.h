// SPDX-License-Identifier: Apache-2.0
#pragma once

// LoadedOpenclProgram: an artifact on an OpenCL device, with all of its buffers in device memory.
//
//   const auto program = TRY(LoadedOpenclProgram::load(artifact, context));
//   TRY(program->allocate());       // fails where the device has no such memory
//   TRY(program->place(buffers));   // copies to the device; see core/runtime/loaded_program.h

#include "core/ir/program/program.h"
#include "core/runtime/loaded_program.h"
#include "core/runtime/opencl_context.h"

namespace dovetail {

class LoadedOpenclProgram : public LoadedProgram {
 public:
  static Result<std::unique_ptr<LoadedOpenclProgram>> load(const Artifact& artifact,
                                                           OpenclContext context);

  // Call once, before any other member.
  Result<void> allocate(const AllocationOptions& options = {});
  // The first guarded buffer of which a guard zone was overwritten; null when there is none.
  Result<const Buffer*> breached();

  Result<void> place(std::span<void* const> buffers) override;
  Result<void> prepare() override { return prepare_part(0, preparations_.size()); }
  Result<void> prepare_part(size_t first, size_t last) override;
  Result<double> run(int64_t repetitions) override;
  Result<void> fetch() override;
  Result<double> run_part(size_t first, size_t last) override;
  Result<void> give_buffer(size_t buffer) override;
  Result<void> fetch_buffer(size_t buffer) override;

 private:
  LoadedOpenclProgram(OpenclContext context, OpenclProgram code, std::vector<Buffer> buffers,
                      const Artifact& artifact)
      : context_(std::move(context)),
        code_(std::move(code)),
        buffers_(std::move(buffers)),
        kernels_(artifact.kernels),
        kernels_once_(static_cast<size_t>(artifact.kernels_once)) {}

  OpenclContext context_;
  OpenclProgram code_;
  std::vector<Buffer> buffers_;
  std::vector<ArtifactKernel> kernels_;
  size_t kernels_once_ = 0;
  std::vector<OpenclMemory> memories_;  // one per buffer; launches point to these
  std::vector<OpenclLaunch> preparations_, launches_;
  std::vector<void*> places_;
};

}  // namespace dovetail
