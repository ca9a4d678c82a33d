// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkCode: a network's programs as code for one target, and how its kernels are launched.
//
//   const NetworkCode code = TRY(build_network(network, target));
//   code.objects               cpu: an object a program, whose symbols begin with dovetail_p3_
//   code.artifact.kernels      every launch of every call, those that run once first;
//                              their buffers are numbers of the network's
//
// On an OpenCL device the sources of all programs make one binary.

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/network/network_program.h"
#include "core/ir/target.h"
#include "core/runtime/artifact.h"

namespace dovetail {

struct NetworkCode {
  std::vector<std::string> objects;
  Artifact artifact;
  std::vector<size_t> calls;  // of each kernel after those that run once: the call's number
};

Result<NetworkCode> build_network(const NetworkProgram& network, const Target& target);

}  // namespace dovetail
