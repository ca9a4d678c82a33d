// SPDX-License-Identifier: Apache-2.0
#pragma once

// SharedMemory: an anonymous file in memory that the tuner and a worker both map.
//
//   SharedMemory arena = TRY(SharedMemory::create("arena"));
//   TRY(arena.resize(bytes));        // grows or keeps; a worker maps the new size when told of it
//   std::memcpy(arena.data(), ...);  // arena.descriptor() is inherited by the worker
//
// Why a file and not the socket: operands and outputs of a large convolution are hundreds of
// megabytes, and the output must survive the worker that wrote it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/descriptor.h"
#include "core/base/result.h"

namespace dovetail {

class SharedMemory {
 public:
  static Result<SharedMemory> create(const std::string& name);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  Result<void> resize(uint64_t bytes);  // never shrinks
  std::span<std::byte> bytes() const { return {data_, size_}; }
  int descriptor() const { return file_.get(); }

 private:
  explicit SharedMemory(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

// The mapping of another process's SharedMemory, for as long as the object lives.
class SharedView {
 public:
  static Result<SharedView> map(int descriptor, uint64_t bytes);
  SharedView(SharedView&& other) noexcept;
  SharedView& operator=(SharedView&&) = delete;
  ~SharedView();
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  explicit SharedView(std::span<std::byte> bytes) : bytes_(bytes) {}
  std::span<std::byte> bytes_;
};

}  // namespace dovetail
