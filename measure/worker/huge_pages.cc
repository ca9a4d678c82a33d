// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/huge_pages.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace dovetail {
namespace {

constexpr size_t kHugePageBytes = size_t{2} << 20;

}  // namespace

HugePages::~HugePages() { release(); }

void HugePages::release() {
  if (data_ != nullptr) ::munmap(data_, size_);
  data_ = nullptr;
  size_ = 0;
}

Result<std::span<std::byte>> HugePages::at_least(uint64_t bytes) {
  if (bytes <= size_) return std::span(data_, size_);
  release();
  // One page more than needed, so that an aligned stretch lies inside; the ends are given back.
  const size_t wanted = (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  const size_t reserved = wanted + kHugePageBytes;
  void* address =
      ::mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) {
    return fail(fmt::format("cannot get {} bytes for operands: {}", wanted, strerror(errno)));
  }
  auto* start = static_cast<std::byte*>(address);
  const size_t skipped =
      (kHugePageBytes - reinterpret_cast<uintptr_t>(start) % kHugePageBytes) % kHugePageBytes;
  if (skipped > 0) ::munmap(start, skipped);
  data_ = start + skipped;
  size_ = wanted;
  ::munmap(data_ + size_, reserved - skipped - wanted);
  ::madvise(data_, size_, MADV_HUGEPAGE);  // refused on systems without: ordinary pages then
  std::memset(data_, 0, size_);
  return std::span(data_, size_);
}

}  // namespace dovetail
