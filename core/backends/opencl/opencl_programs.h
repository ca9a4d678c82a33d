// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenclPrograms: an OpenCL driver's compiler, and what it made of texts before.
//
//   const std::string binary = TRY(programs.binary_of(CodeForm::opencl_source, text));
//   const auto program = TRY(programs.program_of(binary));   // often in another process
//
// Candidates of a search share kernels: transforms of filters and images, copies, second kernels of
// split sums. Both steps take a driver long: a kernel's source 0.3 s on an H200, and its binary,
// which is PTX there and is assembled when it is loaded, 0.02 to 0.16 s. So binaries are kept by
// their text and programs by their binary.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/backends/kept_by_text.h"
#include "core/backends/opencl/driver/opencl_memory.h"
#include "core/base/result.h"
#include "core/runtime/executable.h"

namespace dovetail {

struct OpenclProgram {
  OwnedProgram program;
  std::vector<std::string> kernels;  // their names
};

class OpenclPrograms {
 public:
  OpenclPrograms(std::shared_ptr<OpenclQueue> queue, cl_device_id device)
      : queue_(std::move(queue)), device_(device) {}

  // The driver's binary of OpenCL C or PTX.
  Result<std::string> binary_of(CodeForm form, const std::string& text);
  Result<std::shared_ptr<const OpenclProgram>> program_of(const std::string& binary);

  int64_t compiled_texts() const { return compiled_texts_; }

 private:
  static constexpr size_t kMostBinaryBytes = size_t{64} << 20;  // with their texts
  static constexpr size_t kMostProgramBytes = size_t{32} << 20;

  Result<OwnedProgram> from_source(const std::string& source) const;
  // The driver's own, or PTX, which NVIDIA's driver takes for one.
  Result<OwnedProgram> from_binary(const std::string& binary) const;

  std::shared_ptr<OpenclQueue> queue_;
  cl_device_id device_;
  KeptByText<std::string> binaries_{kMostBinaryBytes};
  KeptByText<std::shared_ptr<const OpenclProgram>> programs_{kMostProgramBytes};
  int64_t compiled_texts_ = 0;
};

}  // namespace dovetail
