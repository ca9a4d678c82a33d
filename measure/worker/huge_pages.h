// SPDX-License-Identifier: Apache-2.0
#pragma once

// HugePages: memory for operands while they are timed, in 2 MiB pages where the system gives them.
//
// On 4 KiB pages, which physical pages a buffer gets decides how it falls into the second-level
// cache, and the same kernel is 20 % faster or slower from one process to the next (a depthwise
// convolution was: 57 or 71 microseconds). One mapping, kept and grown, is also the same memory for
// every candidate.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "measure/shared_memory.h"

namespace dovetail {

class HugePages {
 public:
  // At least this many bytes; what was there before is lost when it grows.
  Result<std::span<std::byte>> at_least(uint64_t bytes);

 private:
  MappedMemory mapped_;
};

}  // namespace dovetail
