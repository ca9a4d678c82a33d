// SPDX-License-Identifier: Apache-2.0
#pragma once

// HugePages: memory for operands, in 2 MiB pages where the system provides them.
//
//   HugePages memory;
//   std::span<std::byte> bytes = TRY(memory.at_least(1 << 20));
//
// With 4 KiB pages, the physical pages of a buffer decide which sets of the L2 cache it occupies,
// and the same kernel runs 20 % faster or slower from one process to the next (a depthwise
// convolution: 57 or 71 microseconds). One mapping, kept and grown, also gives every candidate the
// same memory.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/result.h"

namespace dovetail {

// at_once: all pages are faulted in at allocation, so that no timed run page-faults. when_written:
// each page on its first write.
enum class PagesCome { at_once, when_written };

class HugePages {
 public:
  HugePages() = default;
  HugePages(HugePages&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  HugePages& operator=(HugePages&& other) noexcept;
  ~HugePages();

  // At least this many bytes, zeros at first. Growing discards the previous contents.
  Result<std::span<std::byte>> at_least(uint64_t bytes, PagesCome come = PagesCome::at_once);

 private:
  void release();

  std::span<std::byte> bytes_;
};

}  // namespace dovetail
