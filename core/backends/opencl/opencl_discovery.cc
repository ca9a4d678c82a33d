// SPDX-License-Identifier: Apache-2.0
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>

#include "core/backends/named_device.h"
#include "core/backends/opencl/driver/opencl_api.h"
#include "core/backends/opencl/opencl_targets.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

// `ask` is clGetPlatformInfo or clGetDeviceInfo. Empty where the driver does not answer.
template <typename Ask, typename Handle>
std::string text_of(Ask ask, Handle of, cl_uint what) {
  size_t size = 0;
  if (ask(of, what, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::string text(size, '\0');
  if (ask(of, what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  // Some drivers include the terminating zero in the size, or pad with spaces.
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string device_text(cl_device_id device, cl_device_info what) {
  return text_of(clGetDeviceInfo, device, what);
}

// 0 where the driver does not support the query.
template <typename Number>
int64_t device_number(cl_device_id device, cl_device_info what) {
  Number number = 0;
  if (clGetDeviceInfo(device, what, sizeof number, &number, nullptr) != CL_SUCCESS) return 0;
  return static_cast<int64_t>(number);
}

// Zeros where the driver does not support the query.
std::array<int64_t, 3> work_item_sizes(cl_device_id device) {
  std::array<int64_t, 3> sizes = {0, 0, 0};
  size_t bytes = 0;
  constexpr cl_device_info kWhat = CL_DEVICE_MAX_WORK_ITEM_SIZES;
  if (clGetDeviceInfo(device, kWhat, 0, nullptr, &bytes) != CL_SUCCESS) return sizes;
  std::vector<size_t> along(bytes / sizeof(size_t));  // one per axis; a device may have more than 3
  if (clGetDeviceInfo(device, kWhat, bytes, along.data(), nullptr) != CL_SUCCESS) return sizes;
  std::copy_n(along.begin(), std::min(along.size(), sizes.size()), sizes.begin());
  return sizes;
}

// cl_nv_device_attribute_query. What is resident on a unit cannot be asked for: NVIDIA's CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability".
void describe_nvidia_unit(cl_device_id device, Target& target) {
  struct Unit {
    int64_t capability, work_items, local_kib;
  };
  constexpr std::array kUnits = {Unit{70, 2048, 96},   Unit{75, 1024, 64},  Unit{80, 2048, 164},
                                 Unit{86, 1536, 100},  Unit{89, 1536, 100}, Unit{90, 2048, 228},
                                 Unit{100, 2048, 228}, Unit{120, 1536, 100}};
  const int64_t capability =
      10 * device_number<cl_uint>(device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV) +
      device_number<cl_uint>(device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
  target.lockstep_work_items = device_number<cl_uint>(device, CL_DEVICE_WARP_SIZE_NV);
  // Asked of a group, which may have a unit's.
  target.unit_registers = device_number<cl_uint>(device, CL_DEVICE_REGISTERS_PER_BLOCK_NV);
  for (const Unit& unit : kUnits) {
    if (unit.capability > capability) break;
    target.unit_work_items = unit.work_items;
    target.unit_local_bytes = unit.local_kib << 10;
  }
  constexpr int64_t kMostRegisters = 255, kVectorElements = 4;  // a work-item has
  if (target.unit_registers > 0) target.vector_registers = kMostRegisters / kVectorElements;
}

OpenclHandle describe(cl_platform_id platform, cl_device_id device) {
  OpenclHandle found;
  found.platform = platform;
  found.device = device;
  const auto type =
      static_cast<cl_device_type>(device_number<cl_device_type>(device, CL_DEVICE_TYPE));
  found.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  Target& target = found.target;
  target.name.backend = kOpencl;
  target.execution = ExecutionModel::work_groups;
  target.name.device = text_of(clGetPlatformInfo, platform, CL_PLATFORM_NAME);
  target.device = device_text(device, CL_DEVICE_NAME);
  target.driver = fmt::format("{} {}", target.name.device, device_text(device, CL_DRIVER_VERSION));
  target.vector_bytes = 16;  // one texel, and the widest load of GPUs
  target.has_images = device_number<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT) != 0;
  target.image2d_max_width = device_number<size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
  target.image2d_max_height = device_number<size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  target.image_array_max_layers = device_number<size_t>(device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  target.max_work_group_size = device_number<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  target.max_work_item_sizes = work_item_sizes(device);
  target.local_memory_bytes = device_number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  target.compute_units = device_number<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  const std::string extensions = device_text(device, CL_DEVICE_EXTENSIONS);
  if (extensions.find("cl_nv_device_attribute_query") != std::string::npos)
    describe_nvidia_unit(device, target);
  constexpr int64_t kBits = 8;
  target.buffer_alignment =
      std::max(target.buffer_alignment,
               device_number<cl_uint>(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / kBits);
  target.has_fp16 = extensions.find("cl_khr_fp16") != std::string::npos;
  target.has_fp64 = extensions.find("cl_khr_fp64") != std::string::npos;
  return found;
}

Result<std::vector<OpenclHandle>> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (code == CL_DEVICE_NOT_FOUND) return std::vector<OpenclHandle>{};
  if (code != CL_SUCCESS) return opencl_error("clGetDeviceIDs", code);
  std::vector<cl_device_id> ids(count);
  code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr);
  if (code != CL_SUCCESS) return opencl_error("clGetDeviceIDs", code);
  std::vector<OpenclHandle> devices;
  for (const cl_device_id id : ids) devices.push_back(describe(platform, id));
  return devices;
}

}  // namespace

Result<std::vector<OpenclHandle>> find_opencl_devices() {
  cl_uint count = 0;
  cl_int code = clGetPlatformIDs(0, nullptr, &count);
  constexpr cl_int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR, from the ICD loader
  if (code == kNoPlatform || (code == CL_SUCCESS && count == 0)) return std::vector<OpenclHandle>{};
  if (code != CL_SUCCESS) return opencl_error("clGetPlatformIDs", code);
  std::vector<cl_platform_id> platforms(count);
  code = clGetPlatformIDs(count, platforms.data(), nullptr);
  if (code != CL_SUCCESS) return opencl_error("clGetPlatformIDs", code);
  std::vector<OpenclHandle> devices;
  for (const cl_platform_id platform : platforms) {
    const std::vector<OpenclHandle> found = TRY(devices_of(platform));
    devices.insert(devices.end(), found.begin(), found.end());
  }
  std::ranges::stable_partition(devices, [](const OpenclHandle& d) { return !d.is_cpu; });
  return devices;
}

Result<OpenclHandle> find_opencl_device(const TargetName& name) {
  return named_device(TRY(find_opencl_devices()), name,
                      "no OpenCL device on this machine (no platform is installed)");
}

}  // namespace dovetail
