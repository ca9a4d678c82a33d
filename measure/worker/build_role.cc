// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/build_role.h"

#include "core/base/stopwatch.h"
#include "core/ir/program/program.h"
#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/compile.h"
#endif
#if DOVETAIL_HAVE_OPENCL
#include "core/codegen/opencl/emit.h"
#endif

namespace dovetail {
namespace {

// A program beyond a limit of this device may run on another one.
BuildReply refused(const Error& error) {
  const bool is_limit = error.kind == ErrorKind::device_limit;
  return {.status = is_limit ? Status::device_limit : Status::build_error, .reason = error.message};
}

#if DOVETAIL_HAVE_LLVM
Result<Artifact> build_cpu(const Program& program, const Target& target) {
  CpuObject object = TRY(compile_cpu(program, target));
  Artifact artifact{.bytes = std::move(object.bytes)};
  for (size_t k = 0; k < object.kernels.size(); ++k) {
    artifact.kernels.push_back(
        {.name = std::move(object.kernels[k]), .extent = object.parallel_extents[k]});
  }
  return artifact;
}
#else
Result<Artifact> build_cpu(const Program&, const Target&) {
  return fail("this dovetail was built without LLVM: no code for cpu targets");
}
#endif

}  // namespace

#if DOVETAIL_HAVE_OPENCL
Result<Artifact> BuildRole::build_opencl(const Program& program, const Target& target) {
  const OpenclSource source = TRY(emit_opencl(program, target));
  if (!context_) context_.emplace(TRY(OpenclContext::open(target.name)));
  const OpenclProgram kernels = TRY(context_->build(source.text));
  Artifact artifact{.bytes = TRY(context_->binary(kernels)), .program = print(program)};
  for (const KernelLaunch& launch : source.launches) {
    artifact.kernels.push_back({.name = launch.name,
                                .global = launch.global,
                                .local = launch.local,
                                .buffers = launch.buffers});
  }
  return artifact;
}
#else
Result<Artifact> BuildRole::build_opencl(const Program&, const Target&) {
  return fail("this dovetail was built without OpenCL: no code for opencl targets");
}
#endif

BuildReply BuildRole::build(const BuildRequest& request) {
  const Stopwatch watch;
  const Result<Target> target = parse_target(request.target);
  if (!target) return refused(target.error());
  const Result<Program> program = parse_program(request.program);
  if (!program) return refused(program.error());
  const bool on_cpu = target->name.kind == TargetKind::cpu;
  Result<Artifact> artifact =
      on_cpu ? build_cpu(*program, *target) : build_opencl(*program, *target);
  if (!artifact) return refused(artifact.error());
  artifact->kernels_once = kernels_once(*program);
  return {.seconds = watch.seconds(), .artifact = *std::move(artifact)};
}

}  // namespace dovetail
