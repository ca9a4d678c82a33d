// SPDX-License-Identifier: Apache-2.0
#pragma once

// HugePages: memory for operands, in 2 MiB pages where the system gives them.
//
//   HugePages memory;
//   std::span<std::byte> bytes = TRY(memory.at_least(1 << 20));
//
// On 4 KiB pages, which physical pages a buffer gets decides how it falls into the second-level
// cache, and the same kernel is 20 % faster or slower from one process to the next (a depthwise
// convolution was: 57 or 71 microseconds). One mapping, kept and grown, is also the same memory for
// every candidate.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/result.h"

namespace dovetail {

// Pages come all when memory is asked for, so that no timed run waits for one, or each when it is
// first written.
enum class PagesCome { at_once, when_written };

class HugePages {
 public:
  HugePages() = default;
  HugePages(HugePages&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  HugePages& operator=(HugePages&& other) noexcept;
  ~HugePages();

  // It has at least this many bytes, zeros at first; what was there before is lost when it grows.
  Result<std::span<std::byte>> at_least(uint64_t bytes, PagesCome come = PagesCome::at_once);

 private:
  void release();

  std::span<std::byte> bytes_;
};

}  // namespace dovetail
