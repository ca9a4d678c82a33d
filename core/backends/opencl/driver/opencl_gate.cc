// SPDX-License-Identifier: Apache-2.0
#include "core/backends/opencl/driver/opencl_gate.h"

#include <algorithm>

#include "core/backends/opencl/driver/opencl_api.h"

namespace dovetail {
namespace {

constexpr const char* kSource =
    "__kernel void gate(__global float* sink, int rounds) {\n"
    "  float x = *sink;\n"
    "  for (int i = 0; i < rounds; ++i) x = fma(x, 0.5f, 1.0f);\n"  // each waits for the last one
    "  *sink = x;\n"
    "}\n";

// An H100's driver takes 4.6 µs to enqueue a launch, and 22 µs for each of the two with an event.
constexpr double kSecondsOfLaunch = 8e-6, kSecondsOfEvents = 100e-6;
constexpr int64_t kTrialRounds = 1 << 16;  // some 200 µs
constexpr int64_t kMostRounds = 1 << 30;   // fits an int

}  // namespace

Result<void> OpenclGate::close(const OpenclQueue& queue, size_t launches) {
  if (!kernel_) TRY(prepare(queue));
  const double seconds = kSecondsOfEvents + kSecondsOfLaunch * static_cast<double>(launches);
  const double rounds = std::min(seconds * rounds_per_second_, static_cast<double>(kMostRounds));
  return enqueue(queue.queue.get(), static_cast<int64_t>(rounds), nullptr);
}

Result<void> OpenclGate::prepare(const OpenclQueue& queue) {
  cl_int code = CL_SUCCESS;
  const char* source = kSource;
  program_.reset(clCreateProgramWithSource(queue.context.get(), 1, &source, nullptr, &code));
  TRY(check_opencl("clCreateProgramWithSource", code));
  TRY(check_opencl("clBuildProgram",
                   clBuildProgram(program_.get(), 1, &device_, "", nullptr, nullptr)));
  sink_.reset(
      clCreateBuffer(queue.context.get(), CL_MEM_READ_WRITE, sizeof(float), nullptr, &code));
  TRY(check_opencl("clCreateBuffer", code));
  OwnedKernel kernel(clCreateKernel(program_.get(), "gate", &code));
  TRY(check_opencl("clCreateKernel", code));
  cl_mem sink = sink_.get();
  TRY(check_opencl("clSetKernelArg", clSetKernelArg(kernel.get(), 0, sizeof sink, &sink)));
  kernel_ = std::move(kernel);
  for (int attempt = 0; attempt < 2; ++attempt) {  // the first run loads the code
    cl_event event = nullptr;
    TRY(enqueue(queue.queue.get(), kTrialRounds, &event));
    const OwnedEvent ended(event);
    TRY(check_opencl("clFinish", clFinish(queue.queue.get())));
    rounds_per_second_ = static_cast<double>(kTrialRounds) / TRY(opencl_seconds(event, event));
  }
  return {};
}

Result<void> OpenclGate::enqueue(cl_command_queue queue, int64_t rounds, cl_event* event) {
  const auto count = static_cast<cl_int>(rounds);
  TRY(check_opencl("clSetKernelArg", clSetKernelArg(kernel_.get(), 1, sizeof count, &count)));
  constexpr size_t kOne = 1;
  return check_opencl(
      "clEnqueueNDRangeKernel",
      clEnqueueNDRangeKernel(queue, kernel_.get(), 1, nullptr, &kOne, &kOne, 0, nullptr, event));
}

}  // namespace dovetail
