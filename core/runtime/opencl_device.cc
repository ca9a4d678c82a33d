// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/opencl_device.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/runtime/opencl_api.h"

#if DOVETAIL_HAVE_OPENCL
#include <CL/cl.h>
#endif

namespace dovetail {
namespace {

// Names of the error codes -1, -2, … and -30, -31, …, without CL_; a dash marks an unused code.
constexpr std::string_view kNamesFrom1 =
    "DEVICE_NOT_FOUND DEVICE_NOT_AVAILABLE COMPILER_NOT_AVAILABLE "
    "MEM_OBJECT_ALLOCATION_FAILURE OUT_OF_RESOURCES OUT_OF_HOST_MEMORY "
    "PROFILING_INFO_NOT_AVAILABLE MEM_COPY_OVERLAP IMAGE_FORMAT_MISMATCH "
    "IMAGE_FORMAT_NOT_SUPPORTED BUILD_PROGRAM_FAILURE MAP_FAILURE "
    "MISALIGNED_SUB_BUFFER_OFFSET EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST "
    "COMPILE_PROGRAM_FAILURE LINKER_NOT_AVAILABLE LINK_PROGRAM_FAILURE "
    "DEVICE_PARTITION_FAILED KERNEL_ARG_INFO_NOT_AVAILABLE";
constexpr std::string_view kNamesFrom30 =
    "INVALID_VALUE INVALID_DEVICE_TYPE INVALID_PLATFORM INVALID_DEVICE INVALID_CONTEXT "
    "INVALID_QUEUE_PROPERTIES INVALID_COMMAND_QUEUE INVALID_HOST_PTR INVALID_MEM_OBJECT "
    "INVALID_IMAGE_FORMAT_DESCRIPTOR INVALID_IMAGE_SIZE INVALID_SAMPLER INVALID_BINARY "
    "INVALID_BUILD_OPTIONS INVALID_PROGRAM INVALID_PROGRAM_EXECUTABLE INVALID_KERNEL_NAME "
    "INVALID_KERNEL_DEFINITION INVALID_KERNEL INVALID_ARG_INDEX INVALID_ARG_VALUE "
    "INVALID_ARG_SIZE INVALID_KERNEL_ARGS INVALID_WORK_DIMENSION INVALID_WORK_GROUP_SIZE "
    "INVALID_WORK_ITEM_SIZE INVALID_GLOBAL_OFFSET INVALID_EVENT_WAIT_LIST INVALID_EVENT "
    "INVALID_OPERATION - INVALID_BUFFER_SIZE - INVALID_GLOBAL_WORK_SIZE INVALID_PROPERTY "
    "INVALID_IMAGE_DESCRIPTOR";
constexpr int kNoPlatform = -1001;  // the ICD loader's code

}  // namespace

std::string first_error_line(const std::string& log) {
  std::string first;
  for (size_t at = 0; at < log.size();) {
    const size_t end = std::min(log.find('\n', at), log.size());
    const std::string line = log.substr(at, end - at);
    at = end + 1;
    if (line.find("error") != std::string::npos) return line;
    if (first.empty() && line.find_first_not_of(" \t\r") != std::string::npos) first = line;
  }
  return first;
}

std::string opencl_error_name(int code) {
  if (code == kNoPlatform) return "CL_PLATFORM_NOT_FOUND_KHR";
  const int first = code <= -30 ? 30 : 1;
  const std::vector<std::string_view> names = split(first == 30 ? kNamesFrom30 : kNamesFrom1, ' ');
  const auto place = static_cast<size_t>(-code - first);
  if (code >= 0 || place >= names.size() || names[place] == "-")
    return fmt::format("error {}", code);
  return fmt::format("CL_{}", names[place]);
}

Unexpected opencl_error(std::string_view call, int code, std::string_view what) {
  std::string message = fmt::format("OpenCL: {} gives {}", call, opencl_error_name(code));
  if (!what.empty()) message += fmt::format(" ({})", what);
  return fail(std::move(message));
}

namespace {

Result<Target> profile_target(const TargetName& name) {
  const Result<std::string> text = read_file(name.profile, "a device profile");
  if (!text) return fail("device profile: {}", text.error().message);
  Result<Target> target = parse_target(*text);
  if (!target) return fail("device profile {}: {}", name.profile, target.error().message);
  if (target->name.kind != TargetKind::opencl) {
    return fail("device profile {}: describes {}, expected an OpenCL device", name.profile,
                print(target->name));
  }
  target->name = name;
  return target;
}

}  // namespace

void prepare_opencl_environment() {
  constexpr int kKeep = 0;  // do not overwrite the user's settings
  setenv("POCL_AFFINITY", "1", kKeep);
  setenv("POCL_WORK_GROUP_SPECIALIZATION", "0", kKeep);
}

#if DOVETAIL_HAVE_OPENCL
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

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

OpenclDevice describe(cl_platform_id platform, cl_device_id device) {
  OpenclDevice found;
  found.platform = platform;
  found.device = device;
  const auto type =
      static_cast<cl_device_type>(device_number<cl_device_type>(device, CL_DEVICE_TYPE));
  found.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  Target& target = found.target;
  target.name.kind = TargetKind::opencl;
  target.name.platform = text_of(clGetPlatformInfo, platform, CL_PLATFORM_NAME);
  target.device = device_text(device, CL_DEVICE_NAME);
  target.driver =
      fmt::format("{} {}", target.name.platform, device_text(device, CL_DRIVER_VERSION));
  target.vector_lanes = 4;  // one texel, and the widest load of GPUs
  target.has_images = device_number<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT) != 0;
  target.image2d_max_width = device_number<size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
  target.image2d_max_height = device_number<size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  target.image_array_max_layers = device_number<size_t>(device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  target.max_work_group_size = device_number<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  target.max_work_item_sizes = work_item_sizes(device);
  target.local_memory_bytes = device_number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  target.compute_units = device_number<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  const std::string extensions = device_text(device, CL_DEVICE_EXTENSIONS);
  target.has_fp16 = extensions.find("cl_khr_fp16") != std::string::npos;
  target.has_fp64 = extensions.find("cl_khr_fp64") != std::string::npos;
  return found;
}

Result<std::vector<OpenclDevice>> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (code == CL_DEVICE_NOT_FOUND) return std::vector<OpenclDevice>{};
  if (code != CL_SUCCESS) return opencl_error("clGetDeviceIDs", code);
  std::vector<cl_device_id> ids(count);
  code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr);
  if (code != CL_SUCCESS) return opencl_error("clGetDeviceIDs", code);
  std::vector<OpenclDevice> devices;
  for (const cl_device_id id : ids) devices.push_back(describe(platform, id));
  return devices;
}

}  // namespace

Result<std::vector<OpenclDevice>> find_opencl_devices() {
  prepare_opencl_environment();
  cl_uint count = 0;
  cl_int code = clGetPlatformIDs(0, nullptr, &count);
  constexpr cl_int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR, from the ICD loader
  if (code == kNoPlatform || (code == CL_SUCCESS && count == 0)) return std::vector<OpenclDevice>{};
  if (code != CL_SUCCESS) return opencl_error("clGetPlatformIDs", code);
  std::vector<cl_platform_id> platforms(count);
  code = clGetPlatformIDs(count, platforms.data(), nullptr);
  if (code != CL_SUCCESS) return opencl_error("clGetPlatformIDs", code);
  std::vector<OpenclDevice> devices;
  for (const cl_platform_id platform : platforms) {
    const std::vector<OpenclDevice> found = TRY(devices_of(platform));
    devices.insert(devices.end(), found.begin(), found.end());
  }
  std::ranges::stable_partition(devices, [](const OpenclDevice& d) { return !d.is_cpu; });
  return devices;
}

Result<OpenclDevice> find_opencl_device(const TargetName& name) {
  if (!name.profile.empty()) {
    return fail("target {} describes a device that is not here; nothing can run on it",
                print(name));
  }
  std::vector<OpenclDevice> devices = TRY(find_opencl_devices());
  const std::string wanted = lower_case(name.platform);
  std::string known;
  for (OpenclDevice& device : devices) {
    const std::string names = device.target.name.platform + " / " + device.target.device;
    if (lower_case(names).find(wanted) != std::string::npos) {
      device.target.name = name;
      return std::move(device);
    }
    known += (known.empty() ? "" : "; ") + names;
  }
  if (devices.empty()) return fail("no OpenCL device on this machine (no platform is installed)");
  return fail("no OpenCL device's name contains \"{}\"; found: {}", name.platform, known);
}

#else

Result<std::vector<OpenclDevice>> find_opencl_devices() { return std::vector<OpenclDevice>{}; }

Result<OpenclDevice> find_opencl_device(const TargetName& name) {
  return fail("target {}: this program was built without OpenCL (DOVETAIL_OPENCL=OFF)",
              print(name));
}

#endif

Result<std::vector<Target>> list_opencl_devices() {
  std::vector<OpenclDevice> devices = TRY(find_opencl_devices());
  std::vector<Target> targets;
  for (OpenclDevice& device : devices) targets.push_back(std::move(device.target));
  return targets;
}

Result<Target> opencl_target(const TargetName& name) {
  if (name.kind != TargetKind::opencl) return fail("target {} is no OpenCL device", print(name));
  if (!name.profile.empty()) return profile_target(name);
  OpenclDevice device = TRY(find_opencl_device(name));
  return std::move(device.target);
}

}  // namespace dovetail
