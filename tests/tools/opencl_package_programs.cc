// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/opencl_package_programs.h"

namespace dovetail::testing {

const char* const kOpenclStatusesProgram = R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                \
  if (!(what)) {                                   \
    printf("line %d: %s\n", __LINE__, #what);      \
    return 1;                                      \
  }

static unsigned char* content(const char* path, size_t* bytes) {
  FILE* const file = fopen(path, "rb");
  unsigned char* all = malloc(1 << 24);
  *bytes = fread(all, 1, 1 << 24, file);
  fclose(file);
  return all;
}

static int runs(net* model, const void* in, const unsigned char* expected) {
  unsigned char* const out = malloc(1 << 20);
  net_inputs inputs;
  net_outputs outputs;
  size_t first = 16 * 6 * 6 * sizeof(float), second = 32 * 6 * 6 * sizeof(float);
  void* pointers[2];
  memset(out, 0, 1 << 20);
  memcpy(&inputs, &in, sizeof in);
  pointers[0] = out + 1; /* any address */
  pointers[1] = out + (1 << 19);
  memcpy(&outputs, pointers, sizeof pointers);
  CHECK(net_run(model, &inputs, &outputs) == NET_OK);
  CHECK(model->opencl_call == NULL);
  CHECK(memcmp(pointers[0], expected, first) == 0);
  CHECK(memcmp(pointers[1], expected + first, second) == 0);
  CHECK(net_run(NULL, &inputs, &outputs) == NET_NULL);
  CHECK(net_run(model, NULL, &outputs) == NET_NULL);
  CHECK(net_run(model, &inputs, NULL) == NET_NULL);
  pointers[1] = NULL;
  memcpy(&outputs, pointers, sizeof pointers);
  CHECK(net_run(model, &inputs, &outputs) == NET_NULL);
  free(out);
  return 0;
}

static int wrong_weights(net* model, unsigned char* weights, size_t bytes) {
  CHECK(net_init(NULL, NULL, NULL, NULL, weights, bytes) == NET_NULL);
  CHECK(net_init(model, NULL, NULL, NULL, NULL, bytes) == NET_NULL);
  CHECK(net_init(model, NULL, NULL, NULL, weights, bytes - 1) == NET_WEIGHTS);
  CHECK(net_init(model, NULL, NULL, NULL, weights, 0) == NET_WEIGHTS);
  for (size_t i = 0; i < 64; ++i) {
    weights[i] ^= 1;
    CHECK(net_init(model, NULL, NULL, NULL, weights, bytes) == NET_WEIGHTS);
    weights[i] ^= 1;
  }
  for (size_t i = 64; i < bytes; i += 97) {
    weights[i] ^= 16;
    CHECK(net_init(model, NULL, NULL, NULL, weights, bytes) == NET_CHECKSUM);
    weights[i] ^= 16;
  }
  return 0;
}

/* Those of the first model's device. */
static int own_queue(
    net* model, cl_device_id device, const void* weights, size_t bytes, const void* in,
    const unsigned char* expected) {
  cl_int code;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  cl_command_queue unordered = clCreateCommandQueue(
      context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
  CHECK(net_init(model, context, NULL, NULL, weights, bytes) == NET_CONTEXT);
  CHECK(net_init(model, context, device, NULL, weights, bytes) == NET_CONTEXT);
  CHECK(net_init(model, NULL, device, queue, weights, bytes) == NET_CONTEXT);
  CHECK(net_init(model, other, device, queue, weights, bytes) == NET_CONTEXT);
  if (code == CL_SUCCESS) {
    CHECK(net_init(model, context, device, unordered, weights, bytes) == NET_CONTEXT);
    clReleaseCommandQueue(unordered);
  }
  CHECK(net_init(model, context, device, queue, weights, bytes) == NET_OK);
  CHECK(runs(model, in, expected) == 0);
  net_free(model);
  /* They are the caller's, and alive. */
  CHECK(clFinish(queue) == CL_SUCCESS);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  clReleaseContext(other);
  return 0;
}

int main(int argc, char** argv) {
  net model, second;
  net_inputs inputs = {0};
  net_outputs outputs = {0};
  size_t bytes, in_bytes, expected_bytes;
  unsigned char *weights, *in, *expected;
  CHECK(argc == 4);
  weights = content(argv[1], &bytes);
  in = content(argv[2], &in_bytes);
  expected = content(argv[3], &expected_bytes);
  CHECK(bytes == NET_WEIGHTS_BYTES && net_abi() == NET_ABI);
  CHECK(strstr(net_metadata(), "\"name\":\"net\"") != NULL);
  for (int i = 0; i >= -9; --i) CHECK(strlen(net_status_text((net_status)i)) > 0);
  if (wrong_weights(&model, weights, bytes) != 0) return 1;
  net_free(NULL);
  net_free(&model);
  CHECK(net_run(&model, &inputs, &outputs) == NET_NULL); /* it is not open */
  CHECK(net_init(&model, NULL, NULL, NULL, weights, bytes) == NET_OK);
  CHECK(net_init(&second, NULL, NULL, NULL, weights, bytes) == NET_OK);
  memset(weights, 0, bytes); /* they are on the device */
  if (runs(&model, in, expected) != 0 || runs(&second, in, expected) != 0) return 1;
  if (runs(&model, in, expected) != 0) return 1;
  free(weights);
  weights = content(argv[1], &bytes);
  net_free(&second);
  if (own_queue(&second, model.device, weights, bytes, in, expected) != 0) return 1;
  net_free(&model);
  net_free(&model);
  return 0;
}
)";

const char* const kOpenclWrapped[15] = {
    "clCreateContext",        "clCreateCommandQueue", "clCreateProgramWithSource",
    "clBuildProgram",         "clCreateBuffer",       "clCreateSubBuffer",
    "clCreateKernel",         "clSetKernelArg",       "clEnqueueWriteBuffer",
    "clEnqueueNDRangeKernel", "clEnqueueReadBuffer",  "clReleaseContext",
    "clReleaseCommandQueue",  "clReleaseMemObject",   "clReleaseKernel"};

const char* const kOpenclFailuresProgram = R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int left = -1;  /* calls that still succeed; below 0: all do */
static int failed = 0; /* one did not */
static int alive = 0;  /* contexts, queues, buffers and kernels */

static int fails(void) {
  if (left < 0 || left-- > 0) return 0;
  failed = 1;
  return 1;
}

#define MAKER(type, name, parameters, arguments) \
  type __real_##name parameters;                 \
  type __wrap_##name parameters;                 \
  type __wrap_##name parameters {                \
    type made = NULL;                            \
    *code = CL_OUT_OF_HOST_MEMORY;               \
    if (!fails()) made = __real_##name arguments; \
    alive += made != NULL;                       \
    return made;                                 \
  }
#define CALL(name, parameters, arguments)                           \
  cl_int __real_##name parameters;                                  \
  cl_int __wrap_##name parameters;                                  \
  cl_int __wrap_##name parameters {                                 \
    return fails() ? CL_OUT_OF_HOST_MEMORY : __real_##name arguments; \
  }
#define RELEASE(type, name)         \
  cl_int __real_##name(type it);    \
  cl_int __wrap_##name(type it);    \
  cl_int __wrap_##name(type it) {   \
    --alive;                        \
    return __real_##name(it);       \
  }

typedef void(CL_CALLBACK* context_note)(const char*, const void*, size_t, void*);
typedef void(CL_CALLBACK* program_note)(cl_program, void*);
typedef const cl_event* events;
MAKER(cl_context, clCreateContext,
      (const cl_context_properties* p, cl_uint n, const cl_device_id* d, context_note f, void* u,
       cl_int* code), (p, n, d, f, u, code))
MAKER(cl_command_queue, clCreateCommandQueue,
      (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int* code), (c, d, p, code))
MAKER(cl_kernel, clCreateKernel, (cl_program p, const char* n, cl_int* code), (p, n, code))
RELEASE(cl_context, clReleaseContext)
RELEASE(cl_command_queue, clReleaseCommandQueue)
RELEASE(cl_kernel, clReleaseKernel)
CALL(clBuildProgram,
     (cl_program p, cl_uint n, const cl_device_id* d, const char* o, program_note f, void* u),
     (p, n, d, o, f, u))
CALL(clSetKernelArg, (cl_kernel k, cl_uint i, size_t n, const void* v), (k, i, n, v))
CALL(clEnqueueWriteBuffer,
     (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t n, const void* p, cl_uint c,
      events w, cl_event* e), (q, m, b, o, n, p, c, w, e))
CALL(clEnqueueReadBuffer,
     (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t n, void* p, cl_uint c, events w,
      cl_event* e), (q, m, b, o, n, p, c, w, e))
CALL(clEnqueueNDRangeKernel,
     (cl_command_queue q, cl_kernel k, cl_uint d, const size_t* o, const size_t* g,
      const size_t* l, cl_uint c, events w, cl_event* e), (q, k, d, o, g, l, c, w, e))

cl_program __real_clCreateProgramWithSource(
    cl_context c, cl_uint n, const char** t, const size_t* l, cl_int* code);
cl_program __wrap_clCreateProgramWithSource(
    cl_context c, cl_uint n, const char** t, const size_t* l, cl_int* code);
cl_program __wrap_clCreateProgramWithSource(
    cl_context c, cl_uint n, const char** t, const size_t* l, cl_int* code) {
  *code = CL_OUT_OF_HOST_MEMORY;
  return fails() ? NULL : __real_clCreateProgramWithSource(c, n, t, l, code);
}

static cl_mem made[1 << 10]; /* memory that is alive, as it was created */
static int made_count = 0;
static int buffers = 0;         /* that were created since the last failure */
static size_t buffer_bytes = 0; /* in them */
static int disorder = 0;        /* a memory was released before a later one */

static cl_mem noted(cl_mem it) {
  alive += it != NULL;
  if (it != NULL) made[made_count++] = it;
  return it;
}

cl_mem __real_clCreateBuffer(cl_context c, cl_mem_flags f, size_t n, void* h, cl_int* code);
cl_mem __wrap_clCreateBuffer(cl_context c, cl_mem_flags f, size_t n, void* h, cl_int* code);
cl_mem __wrap_clCreateBuffer(cl_context c, cl_mem_flags f, size_t n, void* h, cl_int* code) {
  *code = CL_OUT_OF_HOST_MEMORY;
  ++buffers;
  buffer_bytes += n;
  return fails() ? NULL : noted(__real_clCreateBuffer(c, f, n, h, code));
}

cl_mem __real_clCreateSubBuffer(
    cl_mem m, cl_mem_flags f, cl_buffer_create_type t, const void* r, cl_int* code);
cl_mem __wrap_clCreateSubBuffer(
    cl_mem m, cl_mem_flags f, cl_buffer_create_type t, const void* r, cl_int* code);
cl_mem __wrap_clCreateSubBuffer(
    cl_mem m, cl_mem_flags f, cl_buffer_create_type t, const void* r, cl_int* code) {
  *code = CL_OUT_OF_HOST_MEMORY;
  return fails() ? NULL : noted(__real_clCreateSubBuffer(m, f, t, r, code));
}

cl_int __real_clReleaseMemObject(cl_mem it);
cl_int __wrap_clReleaseMemObject(cl_mem it);
cl_int __wrap_clReleaseMemObject(cl_mem it) {
  --alive;
  if (made[--made_count] != it) disorder = 1;
  return __real_clReleaseMemObject(it);
}

static char weights[1 << 24], in[1 << 20], out[2][1 << 20];

int main(int argc, char** argv) {
  net model;
  net_inputs inputs;
  net_outputs outputs;
  const void* const input = in;
  void* const pointers[2] = {out[0], out[1]};
  FILE* const file = fopen(argc > 1 ? argv[1] : "", "rb");
  const size_t bytes = fread(weights, 1, sizeof weights, file);
  int calls = 0;
  memcpy(&inputs, &input, sizeof input);
  memcpy(&outputs, pointers, sizeof pointers);
  fclose(file);
  do {
    net_status status;
    left = calls++;
    failed = buffers = 0;
    buffer_bytes = 0;
    status = net_init(&model, NULL, NULL, NULL, weights, bytes);
    if ((status == NET_OK) == failed) return printf("call %d: init gives %d\n", calls, status), 1;
    if (status != NET_OK && alive != 0) return printf("call %d: %d alive\n", calls, alive), 1;
    if (status == NET_OK) status = net_run(&model, &inputs, &outputs);
    if (failed && status != NET_OPENCL) return printf("call %d gives %d\n", calls, status), 1;
    if (failed && (model.opencl_error != CL_OUT_OF_HOST_MEMORY || model.opencl_call == NULL))
      return printf("call %d: no word of what failed\n", calls), 1;
    net_free(&model);
    if (alive != 0) return printf("call %d: %d alive\n", calls, alive), 1;
  } while (failed);
  if (disorder) return printf("a memory was released before a later one\n"), 1;
  /* The plan's workspace and its constants, which lie behind the header of their file. */
  if (buffers != 2 || buffer_bytes != NET_DEVICE_BYTES + NET_WEIGHTS_BYTES - CONSTANTS_BEGIN)
    return printf("%d buffers of %d bytes\n", buffers, (int)buffer_bytes), 1;
  return calls > 20 ? 0 : 1;
}
)";

}  // namespace dovetail::testing
