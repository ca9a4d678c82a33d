// SPDX-License-Identifier: Apache-2.0
#pragma once

// The build role: compiles a printed program for the device.

#include <memory>

#include "core/runtime/device.h"
#include "measure/messages/worker_messages.h"

namespace dovetail {

class BuildRole {
 public:
  BuildReply build(const BuildRequest& request);

 private:
  Result<Executable> compile(const Program& program, const Target& target);
  std::unique_ptr<Device> device_;  // opened on first use: its driver compiles
};

}  // namespace dovetail
