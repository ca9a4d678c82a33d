// SPDX-License-Identifier: Apache-2.0
#pragma once

// SharedMemory: an anonymous file in memory that the tuner and a worker both map.
//
//   SharedMemory arena = TRY(SharedMemory::create("arena"));
//   TRY(arena.resize(bytes));        // grows or keeps; a worker maps the new size when told of it
//   std::memcpy(arena.data(), ...);  // arena.descriptor() is inherited by the worker
//
// Why a file and not the socket: operands and outputs of a large convolution are hundreds of
// megabytes, and the output must outlive the worker that wrote it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/result.h"

namespace dovetail {

// The mapping's lifetime is the object's.
class MappedMemory {
 public:
  MappedMemory() = default;
  explicit MappedMemory(std::span<std::byte> bytes) : bytes_(bytes) {}
  // Maps the SharedMemory of another process.
  static Result<MappedMemory> shared(int descriptor, uint64_t bytes);
  MappedMemory(MappedMemory&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedMemory& operator=(MappedMemory&& other) noexcept;
  ~MappedMemory();
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

class SharedMemory {
 public:
  static Result<SharedMemory> create(const std::string& name);
  Result<void> resize(uint64_t bytes);  // never shrinks
  std::span<std::byte> bytes() const { return mapped_.bytes(); }
  int descriptor() const { return file_.get(); }

 private:
  explicit SharedMemory(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
  MappedMemory mapped_;
};

}  // namespace dovetail
