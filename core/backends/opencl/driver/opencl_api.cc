// SPDX-License-Identifier: Apache-2.0
#include "core/backends/opencl/driver/opencl_api.h"

#include <algorithm>

#include "core/base/fail.h"
#include "core/base/text.h"

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

}  // namespace dovetail
