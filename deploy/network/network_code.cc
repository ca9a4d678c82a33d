// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/network_code.h"

#include "core/base/fail.h"
#include "core/base/parallel.h"
#include "core/runtime/opencl_context.h"
#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/compile.h"
#endif
#if DOVETAIL_HAVE_OPENCL
#include "core/codegen/opencl/emit.h"
#endif

namespace dovetail {
namespace {

// The launches of one program, in terms of its own buffers.
using ProgramKernels = std::vector<ArtifactKernel>;

// Every symbol begins with it, and the number of its program.
constexpr std::string_view kPrefix = "dovetail_p";

// Kernels of all calls: with the network's buffers, those that run once in front.
void launch_calls(const NetworkProgram& network, const std::vector<ProgramKernels>& kernels,
                  NetworkCode& code) {
  for (const bool once : {true, false}) {
    for (size_t c = 0; c < network.calls.size(); ++c) {
      const NetworkCall& call = network.calls[c];
      const Program& program = network.programs[call.program];
      for (size_t k = 0; k < program.kernels.size(); ++k) {
        if (program.kernels[k].once != once) continue;
        ArtifactKernel launch = kernels[call.program][k];
        for (int& buffer : launch.buffers)
          buffer = static_cast<int>(call.buffers[static_cast<size_t>(buffer)]);
        code.artifact.kernels.push_back(std::move(launch));
        if (!once) code.calls.push_back(c);
      }
    }
    if (once) code.artifact.kernels_once = std::ssize(code.artifact.kernels);
  }
}

#if DOVETAIL_HAVE_LLVM
Result<NetworkCode> build_on_cpu(const NetworkProgram& network, const Target& target) {
  NetworkCode code;
  code.objects.resize(network.programs.size());
  std::vector<ProgramKernels> kernels(network.programs.size());
  TRY(try_each_in_parallel(network.programs.size(), [&](size_t p) -> Result<void> {
    const Program& program = network.programs[p];
    const std::string prefix = fmt::format("{}{}_", kPrefix, p);
    CpuObject object = TRY(compile_cpu(program, target, {.prefix = prefix}));
    std::vector<int> all;
    for (size_t b = 0; b < program.buffers.size(); ++b) all.push_back(static_cast<int>(b));
    for (size_t k = 0; k < object.kernels.size(); ++k)
      kernels[p].push_back({.name = std::move(object.kernels[k]),
                            .extent = object.parallel_extents[k],
                            .buffers = all});
    code.objects[p] = std::move(object.bytes);
    return {};
  }));
  launch_calls(network, kernels, code);
  return code;
}
#else
Result<NetworkCode> build_on_cpu(const NetworkProgram&, const Target&) {
  return fail("this dovetail was built without LLVM: no code for cpu targets");
}
#endif

#if DOVETAIL_HAVE_OPENCL
Result<NetworkCode> build_on_opencl(const NetworkProgram& network, const Target& target) {
  NetworkCode code;
  std::vector<ProgramKernels> kernels(network.programs.size());
  const OpenclSources sources = TRY(emit_opencl(network.programs, target, kPrefix));
  for (size_t p = 0; p < network.programs.size(); ++p)
    for (const KernelLaunch& launch : sources.launches[p])
      kernels[p].push_back({.name = launch.name,
                            .global = launch.global,
                            .local = launch.local,
                            .buffers = launch.buffers});
  launch_calls(network, kernels, code);
  OpenclContext context = TRY(OpenclContext::open(target.name));
  code.artifact.bytes = TRY(context.binary(TRY(context.build(sources.text))));
  Program held;
  for (const NetworkBuffer& buffer : network.buffers) held.buffers.push_back(buffer.buffer);
  code.artifact.program = print(held);
  return code;
}
#else
Result<NetworkCode> build_on_opencl(const NetworkProgram&, const Target&) {
  return fail("this dovetail was built without OpenCL: no code for opencl targets");
}
#endif

}  // namespace

Result<NetworkCode> build_network(const NetworkProgram& network, const Target& target) {
  return target.name.kind == TargetKind::cpu ? build_on_cpu(network, target)
                                             : build_on_opencl(network, target);
}

}  // namespace dovetail
