// SPDX-License-Identifier: Apache-2.0
#pragma once

// The build role: compiles a printed program for the device.

#include <optional>

#include "core/runtime/opencl_context.h"
#include "measure/messages.h"

namespace dovetail {

class BuildRole {
 public:
  BuildReply build(const BuildRequest& request);

 private:
  Result<Artifact> build_opencl(const Program& program, const Target& target);
  std::optional<OpenclContext> context_;  // opened on first use
};

}  // namespace dovetail
