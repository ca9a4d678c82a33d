// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/opencl/opencl_header.h"

#include <fmt/format.h>

#include <string_view>

#include "deploy/package/c_literal.h"

namespace dovetail {
namespace {

constexpr std::string_view kOpenclHeader = R"(/* SPDX-License-Identifier: Apache-2.0
 * @name@: a network on OpenCL, by @tool@ from the model with
 * sha256 @model@,
 * tuned for @processor@. C99, C11, C++11 and up. Build @id8@. */
#ifndef @NAME@_H
#define @NAME@_H

#include <stddef.h>
#include <stdint.h>

#if defined(__APPLE__)
#include @of_apple@
#else
#if !defined(CL_TARGET_OPENCL_VERSION)
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include @of_others@
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define @NAME@_ABI @abi@ /* of this header's shape */
#define @NAME@_DEVICE_BYTES @device_bytes@ /* on the device beside weights: a buffer, and images */
#define @NAME@_WEIGHTS_BYTES @weights_bytes@ /* of the weights: of the file, and on the device */

@tensor_sizes@

/* Row-major, at any address of the host.@indices@ */
@inputs@
@outputs@
typedef enum @name@_status {
  @NAME@_OK = 0,
  @NAME@_NULL = -1, /* a pointer is missing, or the model is not open */
  @NAME@_WEIGHTS = -3, /* not this package's weights: magic, version, id, length or hash */
  @NAME@_CHECKSUM = -4, /* a byte of the weights is another one */
  @NAME@_DEVICE = -5, /* no such device, or it lacks images, their sizes or work-items */
  @NAME@_OPENCL = -7, /* an OpenCL call failed: opencl_call and opencl_error say which, and how */
  @NAME@_CONTEXT = -8 /* context, device and queue: all or none, of each other, queue in order */
} @name@_status;
const char* @name@_status_text(@name@_status status);

/* Belongs to the one that opened it: a copy is the same model, to be freed once. */
typedef struct @name@ {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernels[@launch_count@]; /* one a launch */
  cl_mem memories[@memory_count@];
  const char* opencl_call; /* that failed last, "clCreateBuffer"; NULL: none */
  cl_int opencl_error; /* what it gave; CL_SUCCESS: none failed */
} @name@;

/* Header and source of two builds do not link. */
#define @name@_init @name@_init_@id8@

int @name@_abi(void); /* @NAME@_ABI of the source */
const char* @name@_metadata(void); /* metadata.json, less calls, accuracy, files, log and options */

/* Compiles the program, takes the device's memory, checks every byte of the weights and uploads
 * them: they may go afterwards. Context, device and an in-order queue are the caller's, which it
 * retains, or all three NULL: then it looks for the first device that is called
 * "@device@",
 * among the first 16 of each of the first 16 platforms, and makes a context and a queue.
 * What fails leaves nothing behind but opencl_call and opencl_error. What the model held before is
 * not looked at: one that is open is freed first. */
@name@_status @name@_init(
    @name@* model, cl_context context, cl_device_id device, cl_command_queue queue,
    const void* weights, size_t bytes);

/* Writes the inputs, launches all kernels, reads the outputs and waits until the queue is empty.
 * Not re-entrant: a model has one queue, and its buffers hold one run at a time. */
@name@_status @name@_run(
    @name@* model, const @name@_inputs* inputs, const @name@_outputs* outputs);

/* Of a model that is open, or of one that init or free has left; NULL does no harm. */
void @name@_free(@name@* model);

#ifdef __cplusplus
}
#endif

#endif /* @NAME@_H */
)";

}  // namespace

TextWords opencl_words(const PackageInterface& interface, const BuildNames& build) {
  return {{"name", interface.name},
          {"NAME", interface.macro},
          {"id", build.id},
          {"id8", build.id.substr(0, 8)},
          {"tool", in_comment(build.tool)},
          {"model", build.model},
          {"processor", in_comment(build.processor)}};
}

std::string opencl_header(const PackageInterface& interface, const BuildNames& build,
                          const OpenclTables& tables) {
  TextWords words = opencl_words(interface, build);
  words["of_apple"] = "<OpenCL/opencl.h>";
  words["of_others"] = "<CL/cl.h>";
  words["abi"] = std::to_string(kPackageAbi);
  words["device"] = in_comment(build.processor);
  words["device_bytes"] = size_literal(interface.workspaces.at(0).bytes);
  words["weights_bytes"] = size_literal(interface.weights.at(0).bytes);
  words["tensor_sizes"] = tensor_sizes(interface);
  words["launch_count"] = std::to_string(tables.launches.size());
  words["memory_count"] = std::to_string(tables.memories.size());
  add_tensor_structs(words, interface);
  return with_aligned_comments(filled(kOpenclHeader, words));
}

}  // namespace dovetail
