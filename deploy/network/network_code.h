// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkCode: a network's programs compiled for one target, and the launches of their kernels.
//
//   const NetworkCode code = TRY(build_network(network, target));
//   code.code.objects     cpu: an object a program, whose symbols begin with dovetail_p3_; opencl:
//                         one source of all programs
//   code.code.launches    every launch of every call; their buffers are numbers of the network's
//
// Kernels that run once are left out: they prepare constants, on the host that links the network
// (constant_packer.h).

#include <vector>

#include "core/backends/backend.h"
#include "core/base/result.h"
#include "core/ir/network/network_program.h"
#include "core/ir/target.h"
#include "core/runtime/executable.h"

namespace dovetail {

struct NetworkCode {
  Code code;
  std::vector<size_t> calls;  // by launch: its call's number
};

Result<NetworkCode> build_network(const NetworkProgram& network, const Target& target,
                                  const EmitOptions& options = {});

}  // namespace dovetail
