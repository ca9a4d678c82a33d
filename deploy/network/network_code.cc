// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/network_code.h"

#include "core/backends/backends.h"

namespace dovetail {
namespace {

std::vector<Program> without_once(std::vector<Program> programs) {
  for (Program& program : programs)
    std::erase_if(program.kernels, [](const Kernel& kernel) { return kernel.prepares; });
  return programs;
}

}  // namespace

Result<NetworkCode> build_network(const NetworkProgram& network, const Target& target,
                                  const EmitOptions& options) {
  const Backend& backend = *TRY(find_backend(target.name));
  EmittedCode emitted = TRY(backend.emit(without_once(network.programs), target, options));
  NetworkCode made{
      .code = {.form = emitted.form, .objects = std::move(emitted.objects), .launches = {}},
      .calls = {}};
  for (size_t c = 0; c < network.calls.size(); ++c) {
    const NetworkCall& call = network.calls[c];
    for (Launch launch : emitted.launches[call.program]) {
      for (std::vector<int>* list : {&launch.buffers, &launch.written})
        for (int& buffer : *list)
          buffer = static_cast<int>(call.buffers[static_cast<size_t>(buffer)]);
      made.code.launches.push_back(std::move(launch));
      made.calls.push_back(c);
    }
  }
  return made;
}

}  // namespace dovetail
