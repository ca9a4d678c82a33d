// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/build_role.h"

#include <chrono>

#include "core/ir/program.h"
#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/compile.h"
#endif

namespace dovetail {
namespace {

BuildReply refused(std::string reason) {
  return {.status = Status::build_error, .reason = std::move(reason), .seconds = 0, .artifact = {}};
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

BuildReply build_opencl(const Program&, const Target&) { return refused("no OpenCL build yet"); }

}  // namespace

BuildReply build(const BuildRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  const Result<Target> target = parse_target(request.target);
  if (!target) return refused(target.error().message);
  const Result<Program> program = parse_program(request.program);
  if (!program) return refused(program.error().message);
  BuildReply reply = target->name.kind == TargetKind::cpu ? build_cpu(*program, *target)
                                                          : build_opencl(*program, *target);
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

}  // namespace dovetail
