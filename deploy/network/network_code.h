// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkCode: a network's programs compiled for one target, and the launches of their kernels.
//
//   const NetworkCode code = TRY(build_network(network, target));
//   code.objects     cpu: an object a program, whose symbols begin with dovetail_p3_; opencl: one
//                    source of all programs
//   code.launches    every launch of every call; their buffers are numbers of the network's
//
// Kernels that run once are left out: they prepare constants, on the host that links the network
// (constant_packer.h).

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/network/network_program.h"
#include "core/ir/target.h"
#include "core/runtime/artifact.h"

namespace dovetail {

struct NetworkCode {
  std::vector<std::string> objects;
  std::vector<ArtifactKernel> launches;
  std::vector<size_t> calls;  // by launch: its call's number
};

struct NetworkCodeOptions {
  std::string_view prefix = "dovetail_p";  // begins symbols, before the program's number
  bool hidden = false;  // symbols link statically; no shared library exports them
};

Result<NetworkCode> build_network(const NetworkProgram& network, const Target& target,
                                  const NetworkCodeOptions& options = {});

}  // namespace dovetail
