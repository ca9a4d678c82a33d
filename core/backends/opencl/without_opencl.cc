// SPDX-License-Identifier: Apache-2.0
//
// In place of the files that call OpenCL, in a build without it (DOVETAIL_OPENCL=OFF).
#include "core/backends/opencl/driver/opencl_api.h"
#include "core/backends/opencl/opencl_device.h"
#include "core/base/fail.h"

namespace dovetail {

Result<std::vector<OpenclHandle>> find_opencl_devices() { return std::vector<OpenclHandle>{}; }

Result<OpenclHandle> find_opencl_device(const TargetName& name) {
  return fail("target {}: this program was built without OpenCL (DOVETAIL_OPENCL=OFF)",
              print(name));
}

Result<std::unique_ptr<Device>> open_opencl_device(const TargetName& name) {
  return Unexpected(find_opencl_device(name).error());
}
Result<std::unique_ptr<Device>> open_opencl_device(OpenclHandle handle) {
  return open_opencl_device(handle.target.name);
}

}  // namespace dovetail
