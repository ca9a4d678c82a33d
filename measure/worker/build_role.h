// SPDX-License-Identifier: Apache-2.0
#pragma once

// The build role: a printed program in, what the device runs out.

#include <memory>

#include "measure/messages.h"

namespace dovetail {

class BuildRole {
 public:
  BuildRole();
  ~BuildRole();
  BuildReply build(const BuildRequest& request);

 private:
  struct Device;  // an OpenCL context, once one is needed
  std::unique_ptr<Device> device_;
};

}  // namespace dovetail
