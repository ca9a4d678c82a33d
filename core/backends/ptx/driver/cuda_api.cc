// SPDX-License-Identifier: Apache-2.0
#include "core/backends/ptx/driver/cuda_api.h"

#include <dlfcn.h>

#include <string>

#include "core/base/fail.h"

namespace dovetail {
namespace {

constexpr const char* kLibrary = "libcuda.so.1";

// In the order of CudaApi's members. Those that ended in _v2 are the ones that cuda.h means.
constexpr const char* kSymbols[] = {"cuInit",
                                    "cuDriverGetVersion",
                                    "cuGetErrorName",
                                    "cuDeviceGetCount",
                                    "cuDeviceGet",
                                    "cuDeviceGetName",
                                    "cuDeviceGetAttribute",
                                    "cuDevicePrimaryCtxRetain",
                                    "cuDevicePrimaryCtxRelease_v2",
                                    "cuCtxSetCurrent",
                                    "cuMemAlloc_v2",
                                    "cuMemFree_v2",
                                    "cuMemcpyHtoD_v2",
                                    "cuMemcpyDtoH_v2",
                                    "cuLinkCreate_v2",
                                    "cuLinkAddData_v2",
                                    "cuLinkComplete",
                                    "cuLinkDestroy",
                                    "cuModuleLoadData",
                                    "cuModuleUnload",
                                    "cuModuleGetFunction",
                                    "cuFuncSetAttribute",
                                    "cuStreamCreate",
                                    "cuStreamDestroy_v2",
                                    "cuStreamSynchronize",
                                    "cuGraphCreate",
                                    "cuGraphAddKernelNode_v2",
                                    "cuGraphAddDependencies_v2",
                                    "cuGraphInstantiateWithFlags",
                                    "cuGraphUpload",
                                    "cuGraphLaunch",
                                    "cuGraphExecDestroy",
                                    "cuGraphDestroy",
                                    "cuEventCreate",
                                    "cuEventDestroy_v2",
                                    "cuEventRecord",
                                    "cuEventElapsedTime"};
static_assert(sizeof kSymbols / sizeof *kSymbols == sizeof(CudaApi) / sizeof(void*));

Result<const CudaApi*> load(CudaApi& api) {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  auto** place = reinterpret_cast<void**>(&api);
  for (const char* symbol : kSymbols) {
    *place = dlsym(library, symbol);
    if (*place == nullptr)
      return fail("{} has no {}; expected CUDA 12.3 or later", kLibrary, symbol);
    ++place;
  }
  constexpr CudaResult kNoDevice = 100;
  const CudaResult code = api.init(0);
  if (code == kNoDevice) return nullptr;
  TRY(check_cuda(api, "cuInit", code));
  return &api;
}

}  // namespace

Result<const CudaApi*> cuda_api() {
  static CudaApi api;
  static const Result<const CudaApi*> kFound = load(api);
  return kFound;
}

Result<void> check_cuda(const CudaApi& cuda, std::string_view call, CudaResult code,
                        std::string_view what) {
  if (code == 0) return {};
  const char* name = nullptr;
  cuda.error_name(code, &name);
  std::string text =
      fmt::format("CUDA: {} gives {}", call, name == nullptr ? std::to_string(code) : name);
  if (!what.empty()) text += fmt::format(" ({})", what);
  constexpr CudaResult kOutOfMemory = 2;
  if (code == kOutOfMemory) return fail_by_limit("{}", text);
  return fail("{}", text);
}

}  // namespace dovetail
