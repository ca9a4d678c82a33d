// SPDX-License-Identifier: Apache-2.0
#pragma once

// Device: allocates arrays in its memory, copies between any two arrays, loads code and runs it.
//
//   const std::unique_ptr<Device> device = TRY(open_device(target, {.cores = {0, 1}}));
//   const NDArray x = TRY(device->allocate(ElementType::f32, {64, 56, 56}));
//   const NDArray w = TRY(device->allocate(ElementType::f16, {64, 144, 4}, MemoryScope::texture));
//   TRY(device->copy(numbers, x));                // from the host, from another part of x, …
//   const auto kernels = TRY(device->load(TRY(device->build(code))));
//   TRY(kernels->bind({{x, w, y}}));              // the buffers that launches refer to
//   const double seconds = TRY(kernels->run(0, 2, /*repetitions=*/10));
//   TRY(device->copy(y, result));
//
// A memory scope that the device does not have, or cannot give in that size or type, is an error
// that names the scope and the limit; there is no fallback to another scope. Why copies are one
// function: an array knows where it lies and how it is strided, so that uploads, downloads, parts
// and changes of order are the same request. Code is bound to arrays and not to addresses, so that
// nothing outside a backend's folder asks whose memory it is.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "core/ir/value/ndarray.h"
#include "core/runtime/executable.h"
#include "core/runtime/thread_pool.h"

namespace dovetail {

// Kernels that are ready to run on their device, which must outlive them.
class LoadedCode {
 public:
  virtual ~LoadedCode() = default;
  // Later runs work on these arrays: dense, in the order that launches count them, from multiples
  // of Target::buffer_alignment on. They are kept alive until the next call.
  virtual Result<void> bind(std::span<const NDArray> buffers) = 0;
  // Runs the launches `first` to `last` (exclusive) in order, all of them `repetitions` times,
  // waits, and returns the seconds per repetition, by the device's own clock where it has one.
  virtual Result<double> run(size_t first, size_t last, int64_t repetitions = 1) = 0;
  // The same, of what the device takes alone: where launches wait in a queue, it starts once the
  // host has enqueued them all, so that a kernel may be shorter than its enqueuing.
  virtual Result<double> time(size_t first, size_t last, int64_t repetitions) {
    return run(first, last, repetitions);
  }
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  virtual const Target& target() const = 0;

  // Row-major, with undefined contents. In a texture scope, `shape` is that of the image's elements
  // (core/ir/layout/image_shape.h). Exceeding a limit is ErrorKind::device_limit.
  virtual Result<NDArray> allocate(ElementType type, std::vector<int64_t> shape,
                                   MemoryScope scope = MemoryScope::global) = 0;
  // Between arrays of one type and shape, each on the host or this device, whatever their strides.
  // They must not overlap. Returns when it is done.
  Result<void> copy(const NDArray& from, const NDArray& to);

  // Compiles sources with the driver, for later loads; returns code that needs no driver as it is.
  // The driver's answer to a text is kept, up to some bytes. An error names the kernel, where an
  // object has one alone.
  virtual Result<Code> build(Code code) { return code; }
  // Texts that build() gave to a driver so far; the others were known.
  virtual int64_t compiled_texts() const { return 0; }
  virtual Result<std::unique_ptr<LoadedCode>> load(const Code& code) = 0;

  // Runs in a row that take less than this are timed too inaccurately. 0: any can be timed.
  virtual double least_sample_seconds() const { return 0; }

  // True if kernels work on host memory as it is, so that nothing needs to be copied for them.
  virtual bool uses_host_memory() const { return false; }
  // The threads that run its kernels, on host memory; null for other devices.
  virtual ThreadPool* threads() { return nullptr; }

 protected:
  // Bytes from `first` on of an allocation that the host cannot read, in the elements' order.
  virtual Result<void> read(const ArrayMemory& memory, int64_t first, std::span<std::byte> bytes);
  virtual Result<void> write(const ArrayMemory& memory, int64_t first,
                             std::span<const std::byte> bytes);

 private:
  Result<NDArray> on_host(const NDArray& array);
  Result<void> write_to(const NDArray& host, const NDArray& to);
};

}  // namespace dovetail
