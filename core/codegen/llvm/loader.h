// SPDX-License-Identifier: Apache-2.0
//
// LoadedObject: an object of compile_cpu in executable memory of this process.
//
//   const LoadedObject code = TRY(LoadedObject::load(object.bytes));
//   const LoadedObject::KernelFunction kernel = TRY(code.find("dovetail_kernel_0_c2d"));
//   kernel(buffers, 0, 4);
//
// Why LLVM's in-process linker and not dlopen: no file, no linker process, and no stale code when a
// name is loaded twice; loading takes less than a millisecond and the destructor frees the memory.
// Nothing here generates code, so a worker that only runs kernels needs no compiler.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

class LoadedObject {
 public:
  using KernelFunction = void (*)(void* const* buffers, int64_t first, int64_t last);

  // Fails for bytes that are not an ELF object, objects of another architecture, and undefined
  // symbols.
  static Result<LoadedObject> load(std::string_view bytes);

  LoadedObject(LoadedObject&&) noexcept;
  LoadedObject& operator=(LoadedObject&&) noexcept;
  ~LoadedObject();

  // The function is valid for the lifetime of this object.
  Result<KernelFunction> find(const std::string& symbol) const;

 private:
  struct Impl;
  explicit LoadedObject(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace dovetail
