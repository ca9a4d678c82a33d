// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/build_role.h"

#include <chrono>
#include <optional>

#include "core/ir/program/program.h"
#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/compile.h"
#endif
#if DOVETAIL_HAVE_OPENCL
#include "core/codegen/opencl/emit.h"
#include "core/runtime/opencl_context.h"
#include "measure/worker/opencl_launches.h"
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
  reply.artifact.kernels = std::move(object->kernels);
  reply.artifact.extents = std::move(object->parallel_extents);
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
    artifact.launches = print(source.launches);
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
  const auto start = std::chrono::steady_clock::now();
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
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

}  // namespace dovetail
