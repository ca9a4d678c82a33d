// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/network_code.h"

#include "core/base/fail.h"
#include "core/base/parallel.h"
#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/compile.h"
#endif
#if DOVETAIL_HAVE_OPENCL
#include "core/codegen/opencl/emit.h"
#endif

namespace dovetail {
namespace {

// The launches of one program, in terms of its own buffers, without kernels that run once.
using ProgramKernels = std::vector<ArtifactKernel>;

// Appends the launches of all calls, with program buffers mapped to the network's.
void launch_calls(const NetworkProgram& network, const std::vector<ProgramKernels>& kernels,
                  NetworkCode& code) {
  for (size_t c = 0; c < network.calls.size(); ++c) {
    const NetworkCall& call = network.calls[c];
    for (ArtifactKernel launch : kernels[call.program]) {
      for (int& buffer : launch.buffers)
        buffer = static_cast<int>(call.buffers[static_cast<size_t>(buffer)]);
      code.launches.push_back(std::move(launch));
      code.calls.push_back(c);
    }
  }
}

#if DOVETAIL_HAVE_LLVM
Result<NetworkCode> build_on_cpu(const NetworkProgram& network, const Target& target,
                                 const NetworkCodeOptions& options) {
  NetworkCode code;
  code.objects.resize(network.programs.size());
  std::vector<ProgramKernels> kernels(network.programs.size());
  TRY(try_each_in_parallel(network.programs.size(), [&](size_t p) -> Result<void> {
    const Program& program = network.programs[p];
    const std::string prefix = fmt::format("{}{}_", options.prefix, p);
    CpuObject object = TRY(compile_cpu(
        program, target,
        {.prefix = prefix, .kernels = KernelsToCompile::repeated, .hidden = options.hidden}));
    std::vector<int> all;
    for (size_t b = 0; b < program.buffers.size(); ++b) all.push_back(static_cast<int>(b));
    for (auto k = static_cast<size_t>(kernels_once(program)); k < object.kernels.size(); ++k)
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
Result<NetworkCode> build_on_cpu(const NetworkProgram&, const Target&, const NetworkCodeOptions&) {
  return fail("this dovetail was built without LLVM: no code for cpu targets");
}
#endif

#if DOVETAIL_HAVE_OPENCL
std::vector<Program> without_once(std::vector<Program> programs) {
  for (Program& program : programs)
    std::erase_if(program.kernels, [](const Kernel& kernel) { return kernel.once; });
  return programs;
}

Result<NetworkCode> build_on_opencl(const NetworkProgram& network, const Target& target,
                                    const NetworkCodeOptions& options) {
  NetworkCode code;
  std::vector<ProgramKernels> kernels(network.programs.size());
  OpenclSources sources = TRY(emit_opencl(without_once(network.programs), target, options.prefix));
  for (size_t p = 0; p < network.programs.size(); ++p)
    for (const KernelLaunch& launch : sources.launches[p])
      kernels[p].push_back({.name = launch.name,
                            .global = launch.global,
                            .local = launch.local,
                            .buffers = launch.buffers});
  launch_calls(network, kernels, code);
  code.objects.push_back(std::move(sources.text));
  return code;
}
#else
Result<NetworkCode> build_on_opencl(const NetworkProgram&, const Target&,
                                    const NetworkCodeOptions&) {
  return fail("this dovetail was built without OpenCL: no code for opencl targets");
}
#endif

}  // namespace

Result<NetworkCode> build_network(const NetworkProgram& network, const Target& target,
                                  const NetworkCodeOptions& options) {
  return target.name.kind == TargetKind::cpu ? build_on_cpu(network, target, options)
                                             : build_on_opencl(network, target, options);
}

}  // namespace dovetail
