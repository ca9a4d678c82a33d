// SPDX-License-Identifier: Apache-2.0
#pragma once

// NVIDIA's driver as this folder uses it, found at run time: libcuda.so.1 comes with the driver,
// and no header or library of CUDA's is needed to build.
//
//   const CudaApi* cuda = TRY(cuda_api());
//   TRY(check_cuda(*cuda, "cuMemAlloc", cuda->memory_alloc(&address, bytes)));
//
// Names and types are those of cuda.h (CUDA Driver API); the numbers are part of its ABI. A table
// of functions, so that a test can give its own.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

using CudaResult = int;        // CUresult
using CudaDeviceNumber = int;  // CUdevice
using CudaAddress = uint64_t;  // CUdeviceptr
using CudaContext = struct CudaContextObject*;
using CudaModule = struct CudaModuleObject*;
using CudaFunction = struct CudaFunctionObject*;
using CudaStream = struct CudaStreamObject*;
using CudaEvent = struct CudaEventObject*;
using CudaGraph = struct CudaGraphObject*;
using CudaGraphNode = struct CudaGraphNodeObject*;
using CudaGraphRun = struct CudaGraphRunObject*;  // CUgraphExec
using CudaLink = struct CudaLinkObject*;          // CUlinkState

// CUDA_KERNEL_NODE_PARAMS_v2.
struct CudaKernelNode {
  CudaFunction function = nullptr;
  std::array<unsigned, 3> groups = {1, 1, 1}, work_items = {1, 1, 1};
  unsigned shared_bytes = 0;  // beside what the kernel declares
  void** arguments = nullptr;
  void** extra = nullptr;
  void* kernel = nullptr;  // in place of the function
  CudaContext context = nullptr;
};

// CUgraphEdgeData.
struct CudaGraphEdge {
  unsigned char from_port = 0, to_port = 0, type = 0;
  std::array<unsigned char, 5> reserved = {};
};

struct CudaApi {
  CudaResult (*init)(unsigned flags);
  CudaResult (*driver_version)(int* version);
  CudaResult (*error_name)(CudaResult code, const char** name);
  CudaResult (*device_count)(int* count);
  CudaResult (*device_get)(CudaDeviceNumber* device, int ordinal);
  CudaResult (*device_name)(char* name, int size, CudaDeviceNumber device);
  CudaResult (*device_attribute)(int* value, int attribute, CudaDeviceNumber device);
  CudaResult (*context_retain)(CudaContext* context, CudaDeviceNumber device);
  CudaResult (*context_release)(CudaDeviceNumber device);
  CudaResult (*context_set)(CudaContext context);
  CudaResult (*memory_alloc)(CudaAddress* address, size_t bytes);
  CudaResult (*memory_free)(CudaAddress address);
  CudaResult (*copy_to_device)(CudaAddress to, const void* from, size_t bytes);
  CudaResult (*copy_from_device)(void* to, CudaAddress from, size_t bytes);
  CudaResult (*link_create)(unsigned options, int* keys, void** values, CudaLink* link);
  CudaResult (*link_add)(CudaLink link, int type, void* data, size_t size, const char* name,
                         unsigned options, int* keys, void** values);
  CudaResult (*link_complete)(CudaLink link, void** binary, size_t* size);
  CudaResult (*link_destroy)(CudaLink link);
  CudaResult (*module_load)(CudaModule* module, const void* image);
  CudaResult (*module_unload)(CudaModule module);
  CudaResult (*module_function)(CudaFunction* function, CudaModule module, const char* name);
  CudaResult (*function_set)(CudaFunction function, int attribute, int value);
  CudaResult (*stream_create)(CudaStream* stream, unsigned flags);
  CudaResult (*stream_destroy)(CudaStream stream);
  CudaResult (*stream_wait)(CudaStream stream);
  CudaResult (*graph_create)(CudaGraph* graph, unsigned flags);
  CudaResult (*graph_add_kernel)(CudaGraphNode* node, CudaGraph graph, const CudaGraphNode* awaited,
                                 size_t num_awaited, const CudaKernelNode* kernel);
  CudaResult (*graph_add_edges)(CudaGraph graph, const CudaGraphNode* from, const CudaGraphNode* to,
                                const CudaGraphEdge* edges, size_t num_edges);
  CudaResult (*graph_instantiate)(CudaGraphRun* run, CudaGraph graph, unsigned long long flags);
  CudaResult (*graph_upload)(CudaGraphRun run, CudaStream stream);
  CudaResult (*graph_launch)(CudaGraphRun run, CudaStream stream);
  CudaResult (*graph_run_destroy)(CudaGraphRun run);
  CudaResult (*graph_destroy)(CudaGraph graph);
  CudaResult (*event_create)(CudaEvent* event, unsigned flags);
  CudaResult (*event_destroy)(CudaEvent event);
  CudaResult (*event_record)(CudaEvent event, CudaStream stream);
  CudaResult (*event_milliseconds)(float* milliseconds, CudaEvent first, CudaEvent last);
};

// The table is null where this machine has no libcuda.so.1. A driver that does not start, or lacks
// a function that is needed, is an error.
Result<const CudaApi*> cuda_api();

// `CUDA: cuMemAlloc gives CUDA_ERROR_OUT_OF_MEMORY (4096 bytes)`
Result<void> check_cuda(const CudaApi& cuda, std::string_view call, CudaResult code,
                        std::string_view what = {});

}  // namespace dovetail
