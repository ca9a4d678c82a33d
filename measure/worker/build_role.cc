// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/build_role.h"

#include <optional>

#include "core/base/stopwatch.h"
#include "core/ir/program/program.h"
#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/compile.h"
#endif
#if DOVETAIL_HAVE_OPENCL
#include "core/codegen/opencl/emit.h"
#include "core/runtime/opencl_context.h"
#endif

namespace dovetail {
namespace {

// Emitters say "is over the limit of ..." of what another device may well run.
BuildReply refused(const std::string& reason) {
  const bool is_limit = reason.find("over the limit") != std::string::npos;
  return {.status = is_limit ? Status::device_limit : Status::build_error, .reason = reason};
}

#if DOVETAIL_HAVE_LLVM
BuildReply build_cpu(const Program& program, const Target& target) {
  Result<CpuObject> object = compile_cpu(program, target);
  if (!object) return refused(object.error().message);
  BuildReply reply;
  reply.artifact.bytes = std::move(object->bytes);
  for (size_t k = 0; k < object->kernels.size(); ++k) {
    reply.artifact.kernels.push_back(
        {.name = std::move(object->kernels[k]), .extent = object->parallel_extents[k]});
  }
  return reply;
}
#else
BuildReply build_cpu(const Program&, const Target&) {
  return refused("this dovetail was built without LLVM: no code for cpu targets");
}
#endif

}  // namespace

#if DOVETAIL_HAVE_OPENCL

struct BuildRole::Device {
  std::optional<OpenclContext> context;

  Result<Artifact> build(const Program& program, const Target& target) {
    const OpenclSource source = TRY(emit_opencl(program, target));
    if (!context) context.emplace(TRY(OpenclContext::open(target.name)));
    const OpenclProgram kernels = TRY(context->build(source.text));
    Artifact artifact;
    artifact.bytes = TRY(context->binary(kernels));
    for (const KernelLaunch& launch : source.launches) {
      artifact.kernels.push_back({.name = launch.name,
                                  .global = launch.global,
                                  .local = launch.local,
                                  .buffers = launch.buffers});
    }
    artifact.program = print(program);
    return artifact;
  }
};

#else

struct BuildRole::Device {
  Result<Artifact> build(const Program&, const Target&) {
    return fail("this dovetail was built without OpenCL: no code for opencl targets");
  }
};

#endif

BuildRole::BuildRole() : device_(std::make_unique<Device>()) {}
BuildRole::~BuildRole() = default;

BuildReply BuildRole::build(const BuildRequest& request) {
  const Stopwatch watch;
  const Result<Target> target = parse_target(request.target);
  if (!target) return refused(target.error().message);
  const Result<Program> program = parse_program(request.program);
  if (!program) return refused(program.error().message);
  BuildReply reply;
  if (target->name.kind == TargetKind::cpu) {
    reply = build_cpu(*program, *target);
  } else {
    Result<Artifact> artifact = device_->build(*program, *target);
    if (!artifact) return refused(artifact.error().message);
    reply.artifact = *std::move(artifact);
  }
  reply.artifact.kernels_once = kernels_once(*program);
  reply.seconds = watch.seconds();
  return reply;
}

}  // namespace dovetail
