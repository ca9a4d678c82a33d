// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/opencl/opencl_runtime_text.h"

namespace dovetail {

const std::string_view kOpenclHead = R"(/* SPDX-License-Identifier: Apache-2.0
 * @name@: opens a device, uploads weights, launches kernels. C99; needs an OpenCL library of
 * version 1.2 (-lOpenCL: any ICD loader) and nothing else, not even memory of the host.
 * Written by @tool@, build @id8@. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue, which every driver has */
#include @header@

/* ---- Tables --------------------------------------------------------------- */

enum {
  @NAME@_INPUTS = @inputs_count@,
  @NAME@_TENSORS = @tensors_count@, /* inputs, then outputs */
  @NAME@_MEMORIES = @memory_count@,
  @NAME@_LAUNCHES = @launch_count@,
  @NAME@_SOURCES = @source_count@, /* strings that the program's text is in */
  @NAME@_WEIGHTS_HEADER = 64, /* bytes in front of a file of weights */
  @NAME@_MOST_PLATFORMS = 16,
  @NAME@_MOST_DEVICES = 16, /* of one platform */
  @NAME@_MOST_LETTERS = 256 /* of a device's name */
};

/* Device memory: first the arenas of the memory plan, then their parts and the images. */
typedef struct @name@_memory {
  size_t bytes;
  int whole; /* the arena that it is a part of; -1: it is an object of its own */
  size_t offset; /* in that arena */
  size_t constant; /* where its bytes begin in the file of weights; 0: none are uploaded */
  size_t image[3]; /* width, height, layers, of texels of four numbers each */
  cl_mem_object_type type;
  cl_channel_type channel; /* of an image */
} @name@_memory;

typedef struct @name@_launch {
  const char* kernel;
  size_t global[3], local[3]; /* work-items: all, and of a group */
  uint32_t first, count; /* of the arguments */
} @name@_launch;

/* The first bytes of the file of weights: magic, version, file, id, length, hash. */
static const unsigned char @name@_headers[1][@NAME@_WEIGHTS_HEADER] = {
@headers@
};

static const uint32_t @name@_tensor_memories[] = {
@tensor_memories@
};

static const @name@_memory @name@_memories[@NAME@_MEMORIES] = {
@memory_rows@
};

static const @name@_launch @name@_launches[@NAME@_LAUNCHES] = {
@launch_rows@
};

/* One line, or more, for each launch: the memories that its kernel is given. */
static const uint32_t @name@_arguments[] = {
@argument_rows@
};

/* ---- The program: OpenCL C 1.2, also in share/@name@/@name@.cl ------------------ */

static const char* const @name@_source[@NAME@_SOURCES] = {
@source@
};

)";

const std::string_view kOpenclDevice =
    R"(/* ---- Device --------------------------------------------------------------- */

/* Keeps which call failed, and how. */
static @name@_status @name@_said(@name@* model, const char* call, cl_int code) {
  if (code == CL_SUCCESS) return @NAME@_OK;
  model->opencl_call = call;
  model->opencl_error = code;
  return @NAME@_OPENCL;
}

/* Whether the device has the name that the program was tuned on; drivers pad names with blanks. */
static int @name@_is_named(cl_device_id device) {
  static const char wanted[] =
@device_name@;
  char name[@NAME@_MOST_LETTERS];
  size_t length = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, &length) != CL_SUCCESS) return 0;
  while (length > 0 && (name[length - 1] == '\0' || name[length - 1] == ' ')) --length;
  if (length != sizeof wanted - 1) return 0;
  for (size_t i = 0; i < length; ++i)
    if (name[i] != wanted[i]) return 0;
  return 1;
}

static @name@_status @name@_find_device(@name@* model, cl_platform_id* platform) {
  cl_platform_id platforms[@NAME@_MOST_PLATFORMS];
  cl_device_id devices[@NAME@_MOST_DEVICES];
  cl_uint platform_count = 0, count;
  const cl_int code = clGetPlatformIDs(@NAME@_MOST_PLATFORMS, platforms, &platform_count);
  if (code == -1001) return @NAME@_DEVICE; /* the loader's word for: no platform is installed */
  if (code != CL_SUCCESS) return @name@_said(model, "clGetPlatformIDs", code);
  for (cl_uint i = 0; i < platform_count && i < @NAME@_MOST_PLATFORMS; ++i) {
    count = 0;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, @NAME@_MOST_DEVICES, devices, &count) !=
        CL_SUCCESS)
      continue; /* a platform without devices, or one that is out of order */
    for (cl_uint j = 0; j < count && j < @NAME@_MOST_DEVICES; ++j)
      if (@name@_is_named(devices[j])) {
        model->device = devices[j];
        *platform = platforms[i];
        return @NAME@_OK;
      }
  }
  return @NAME@_DEVICE;
}

static @name@_status @name@_open_own(@name@* model) {
  cl_platform_id platform = NULL;
  cl_context_properties properties[3] = {CL_CONTEXT_PLATFORM, 0, 0};
  cl_int code = CL_SUCCESS;
  const @name@_status status = @name@_find_device(model, &platform);
  if (status != @NAME@_OK) return status;
  properties[1] = (cl_context_properties)platform;
  model->context = clCreateContext(properties, 1, &model->device, NULL, NULL, &code);
  if (code != CL_SUCCESS) return @name@_said(model, "clCreateContext", code);
  model->queue = clCreateCommandQueue(model->context, model->device, 0, &code);
  return @name@_said(model, "clCreateCommandQueue", code);
}

/* Kernels follow each other by the order of the queue alone. */
static @name@_status @name@_open_given(
    @name@* model, cl_context context, cl_device_id device, cl_command_queue queue) {
  cl_context its_context = NULL;
  cl_device_id its_device = NULL;
  cl_command_queue_properties properties = 0;
  cl_int code;
  code = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof its_context, &its_context, NULL);
  if (code == CL_SUCCESS)
    code = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof its_device, &its_device, NULL);
  if (code == CL_SUCCESS)
    code = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  if (code != CL_SUCCESS) return @name@_said(model, "clGetCommandQueueInfo", code);
  if (its_context != context || its_device != device) return @NAME@_CONTEXT;
  if ((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0) return @NAME@_CONTEXT;
  code = clRetainContext(context);
  if (code != CL_SUCCESS) return @name@_said(model, "clRetainContext", code);
  model->context = context;
  code = clRetainCommandQueue(queue);
  if (code != CL_SUCCESS) return @name@_said(model, "clRetainCommandQueue", code);
  model->queue = queue;
  model->device = device;
  return @NAME@_OK;
}

/* A number of the device's; 0 where the driver does not say. */
static size_t @name@_limit(cl_device_id device, cl_device_info what) {
  size_t limit = 0;
  return clGetDeviceInfo(device, what, sizeof limit, &limit, NULL) == CL_SUCCESS ? limit : 0;
}

static int @name@_has_images(cl_device_id device) {
  cl_bool has = CL_FALSE;
  size_t most[3];
  most[0] = @name@_limit(device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
  most[1] = @name@_limit(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  most[2] = @name@_limit(device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  if (clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL) != CL_SUCCESS)
    has = CL_FALSE;
  for (int i = 0; i < @NAME@_MEMORIES; ++i) {
    const @name@_memory* const memory = &@name@_memories[i];
    if (memory->type == CL_MEM_OBJECT_BUFFER) continue;
    if (!has || memory->image[0] > most[0] || memory->image[1] > most[1]) return 0;
    if (memory->type == CL_MEM_OBJECT_IMAGE2D_ARRAY && memory->image[2] > most[2]) return 0;
  }
  return 1;
}

static int @name@_has_groups(cl_device_id device) {
  const size_t most = @name@_limit(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  for (int i = 0; i < @NAME@_LAUNCHES; ++i) {
    const size_t* const local = @name@_launches[i].local;
    if (local[0] * local[1] * local[2] > most) return 0;
  }
  return 1;
}

)";

const std::string_view kOpenclMemories =
    R"(/* ---- Weights, memory, kernels --------------------------------------------- */

static @name@_status @name@_check_weights(const unsigned char* weights, size_t bytes) {
  const unsigned char* const header = @name@_headers[0];
  if (weights == NULL) return @NAME@_NULL;
  if (bytes != @NAME@_WEIGHTS_BYTES) return @NAME@_WEIGHTS;
  for (int i = 0; i < @NAME@_WEIGHTS_HEADER; ++i)
    if (weights[i] != header[i]) return @NAME@_WEIGHTS;
  if (@name@_hash(weights + @NAME@_WEIGHTS_HEADER, bytes - @NAME@_WEIGHTS_HEADER) !=
      @name@_word(header + 56))
    return @NAME@_CHECKSUM;
  return @NAME@_OK;
}

static @name@_status @name@_build(@name@* model) {
  cl_int code = CL_SUCCESS;
  const char* texts[@NAME@_SOURCES];
  for (int i = 0; i < @NAME@_SOURCES; ++i) texts[i] = @name@_source[i];
  model->program =
      clCreateProgramWithSource(model->context, @NAME@_SOURCES, texts, NULL, &code);
  if (code != CL_SUCCESS) return @name@_said(model, "clCreateProgramWithSource", code);
  code = clBuildProgram(model->program, 1, &model->device, "-cl-std=CL1.2", NULL, NULL);
  return @name@_said(model, "clBuildProgram", code);
}

static @name@_status @name@_make_image(@name@* model, int number) {
  const @name@_memory* const memory = &@name@_memories[number];
  const int is_array = memory->type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  cl_int code = CL_SUCCESS;
  cl_image_format format;
  cl_image_desc description = {0};
  format.image_channel_order = CL_RGBA;
  format.image_channel_data_type = memory->channel;
  description.image_type = memory->type;
  description.image_width = memory->image[0];
  description.image_height = memory->image[1];
  description.image_array_size = is_array ? memory->image[2] : 0;
  model->memories[number] =
      clCreateImage(model->context, CL_MEM_READ_WRITE, &format, &description, NULL, &code);
  return @name@_said(model, "clCreateImage", code);
}

/* An arena, or a part of one: whole words, as kernels may store them. */
static @name@_status @name@_make_buffer(@name@* model, int number) {
  const @name@_memory* const memory = &@name@_memories[number];
  cl_int code = CL_SUCCESS;
  cl_buffer_region region;
  region.origin = memory->offset;
  region.size = (memory->bytes + 3) / 4 * 4;
  if (memory->whole < 0) {
    model->memories[number] =
        clCreateBuffer(model->context, CL_MEM_READ_WRITE, region.size, NULL, &code);
    return @name@_said(model, "clCreateBuffer", code);
  }
  model->memories[number] =
      clCreateSubBuffer(model->memories[memory->whole], CL_MEM_READ_WRITE,
                        CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  return @name@_said(model, "clCreateSubBuffer", code);
}

static @name@_status @name@_write(
    @name@* model, uint32_t number, const void* from, cl_bool is_waiting) {
  const @name@_memory* const memory = &@name@_memories[number];
  const size_t origin[3] = {0, 0, 0};
  const cl_mem to = model->memories[number];
  if (memory->type != CL_MEM_OBJECT_BUFFER)
    return @name@_said(model, "clEnqueueWriteImage",
                       clEnqueueWriteImage(model->queue, to, is_waiting, origin, memory->image, 0,
                                           0, from, 0, NULL, NULL));
  return @name@_said(model, "clEnqueueWriteBuffer",
                     clEnqueueWriteBuffer(model->queue, to, is_waiting, 0, memory->bytes, from, 0,
                                          NULL, NULL));
}

static @name@_status @name@_read(@name@* model, uint32_t number, void* to) {
  const @name@_memory* const memory = &@name@_memories[number];
  const size_t origin[3] = {0, 0, 0};
  const cl_mem from = model->memories[number];
  if (memory->type != CL_MEM_OBJECT_BUFFER)
    return @name@_said(model, "clEnqueueReadImage",
                       clEnqueueReadImage(model->queue, from, CL_FALSE, origin, memory->image, 0,
                                          0, to, 0, NULL, NULL));
  return @name@_said(model, "clEnqueueReadBuffer",
                     clEnqueueReadBuffer(model->queue, from, CL_FALSE, 0, memory->bytes, to, 0,
                                         NULL, NULL));
}

static @name@_status @name@_make_memories(@name@* model, const unsigned char* weights) {
  @name@_status status = @NAME@_OK;
  for (int i = 0; i < @NAME@_MEMORIES && status == @NAME@_OK; ++i) {
    const @name@_memory* const memory = &@name@_memories[i];
    status = memory->type == CL_MEM_OBJECT_BUFFER ? @name@_make_buffer(model, i)
                                                  : @name@_make_image(model, i);
    if (status == @NAME@_OK && memory->constant != 0)
      status = @name@_write(model, (uint32_t)i, weights + memory->constant, CL_TRUE);
  }
  return status;
}

/* A kernel for each launch, so that a run sets no argument. */
static @name@_status @name@_make_kernels(@name@* model) {
  for (int i = 0; i < @NAME@_LAUNCHES; ++i) {
    const @name@_launch* const launch = &@name@_launches[i];
    cl_int code = CL_SUCCESS;
    model->kernels[i] = clCreateKernel(model->program, launch->kernel, &code);
    if (code != CL_SUCCESS) return @name@_said(model, "clCreateKernel", code);
    for (uint32_t j = 0; j < launch->count; ++j) {
      const cl_mem* const memory = &model->memories[@name@_arguments[launch->first + j]];
      code = clSetKernelArg(model->kernels[i], j, sizeof *memory, memory);
      if (code != CL_SUCCESS) return @name@_said(model, "clSetKernelArg", code);
    }
  }
  return @NAME@_OK;
}

)";

const std::string_view kOpenclOpening =
    R"(/* ---- Opening and closing -------------------------------------------------- */

static void @name@_clear(@name@* model) {
  model->context = NULL;
  model->device = NULL;
  model->queue = NULL;
  model->program = NULL;
  for (int i = 0; i < @NAME@_LAUNCHES; ++i) model->kernels[i] = NULL;
  for (int i = 0; i < @NAME@_MEMORIES; ++i) model->memories[i] = NULL;
}

/* Memory goes in the reverse order of its creation: a driver of NVIDIA's corrupts its memory where
 * overlapping parts of a buffer are released in other orders. */
void @name@_free(@name@* model) {
  if (model == NULL) return;
  for (int i = 0; i < @NAME@_LAUNCHES; ++i)
    if (model->kernels[i] != NULL) clReleaseKernel(model->kernels[i]);
  for (int i = @NAME@_MEMORIES - 1; i >= 0; --i)
    if (model->memories[i] != NULL) clReleaseMemObject(model->memories[i]);
  if (model->program != NULL) clReleaseProgram(model->program);
  if (model->queue != NULL) clReleaseCommandQueue(model->queue);
  if (model->context != NULL) clReleaseContext(model->context);
  @name@_clear(model);
}

static @name@_status @name@_open(
    @name@* model, cl_context context, cl_device_id device, cl_command_queue queue) {
  const int given = (context != NULL) + (device != NULL) + (queue != NULL);
  if (given == 0) return @name@_open_own(model);
  if (given != 3) return @NAME@_CONTEXT;
  return @name@_open_given(model, context, device, queue);
}

/* The header renames @name@_init; the plain name is there for who loads the library by names. */
@name@_status @name@_init(
    @name@* model, cl_context context, cl_device_id device, cl_command_queue queue,
    const void* weights, size_t bytes) {
  @name@_status status;
  if (model == NULL) return @NAME@_NULL;
  @name@_clear(model);
  model->opencl_call = NULL;
  model->opencl_error = CL_SUCCESS;
  status = @name@_check_weights((const unsigned char*)weights, bytes);
  if (status == @NAME@_OK) status = @name@_open(model, context, device, queue);
  if (status == @NAME@_OK && !@name@_has_images(model->device)) status = @NAME@_DEVICE;
  if (status == @NAME@_OK && !@name@_has_groups(model->device)) status = @NAME@_DEVICE;
  if (status == @NAME@_OK) status = @name@_build(model);
  if (status == @NAME@_OK) status = @name@_make_memories(model, (const unsigned char*)weights);
  if (status == @NAME@_OK) status = @name@_make_kernels(model);
  if (status != @NAME@_OK) @name@_free(model);
  return status;
}

#undef @name@_init
@name@_status @name@_init(
    @name@* model, cl_context context, cl_device_id device, cl_command_queue queue,
    const void* weights, size_t bytes);
@name@_status @name@_init(
    @name@* model, cl_context context, cl_device_id device, cl_command_queue queue,
    const void* weights, size_t bytes) {
  return @name@_init_@id8@(model, context, device, queue, weights, bytes);
}

int @name@_abi(void) { return @NAME@_ABI; }

const char* @name@_metadata(void) {
@metadata@
}

const char* @name@_status_text(@name@_status status) {
  switch (status) {
    case @NAME@_OK: return "all is well";
    case @NAME@_NULL: return "a pointer is missing, or the model is not open";
    case @NAME@_WEIGHTS: return "these are not the weights of this build";
    case @NAME@_CHECKSUM: return "a byte of the weights is another one";
    case @NAME@_DEVICE: return "no such device, or one without what kernels need";
    case @NAME@_OPENCL: return "an OpenCL call failed";
    case @NAME@_CONTEXT:
      return "context, device and queue do not belong together, or the queue is out of order";
  }
  return "no status of this package";
}

)";

const std::string_view kOpenclRun =
    R"(/* ---- A run ---------------------------------------------------------------- */

static @name@_status @name@_enqueue(@name@* model, const void* const* tensors, cl_event* last) {
  @name@_status status = @NAME@_OK;
  for (int i = 0; i < @NAME@_INPUTS && status == @NAME@_OK; ++i)
    status = @name@_write(model, @name@_tensor_memories[i], tensors[i], CL_FALSE);
  for (int i = 0; i < @NAME@_LAUNCHES && status == @NAME@_OK; ++i) {
    const @name@_launch* const launch = &@name@_launches[i];
    cl_event* const event = i + 1 == @NAME@_LAUNCHES ? last : NULL;
    status = @name@_said(model, "clEnqueueNDRangeKernel",
                         clEnqueueNDRangeKernel(model->queue, model->kernels[i], 3, NULL,
                                                launch->global, launch->local, 0, NULL, event));
  }
  for (int i = @NAME@_INPUTS; i < @NAME@_TENSORS && status == @NAME@_OK; ++i)
    status = @name@_read(model, @name@_tensor_memories[i], (void*)tensors[i]);
  return status;
}

/* Also after a failure: what is enqueued still reads the caller's inputs. A kernel that failed says
 * so in its event alone. */
static @name@_status @name@_wait(@name@* model, @name@_status status, cl_event last) {
  cl_int code = clFinish(model->queue), state = CL_COMPLETE;
  if (status == @NAME@_OK) status = @name@_said(model, "clFinish", code);
  if (last == NULL) return status;
  code = clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
  if (status == @NAME@_OK) status = @name@_said(model, "clGetEventInfo", code);
  if (status == @NAME@_OK && state < 0) status = @name@_said(model, "a kernel", state);
  clReleaseEvent(last);
  return status;
}

@name@_status @name@_run(
    @name@* model, const @name@_inputs* inputs, const @name@_outputs* outputs) {
  const void* tensors[@NAME@_TENSORS];
  cl_event last = NULL;
  if (model == NULL || inputs == NULL || outputs == NULL) return @NAME@_NULL;
  if (model->queue == NULL) return @NAME@_NULL;
@tensors_given@
  for (int i = 0; i < @NAME@_TENSORS; ++i)
    if (tensors[i] == NULL) return @NAME@_NULL;
  model->opencl_call = NULL;
  model->opencl_error = CL_SUCCESS;
  return @name@_wait(model, @name@_enqueue(model, tensors, &last), last);
}
)";

}  // namespace dovetail
