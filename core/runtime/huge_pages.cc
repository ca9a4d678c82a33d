// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/huge_pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "core/base/fail.h"

namespace dovetail {
namespace {

constexpr size_t kHugePageBytes = size_t{2} << 20;

}  // namespace

HugePages& HugePages::operator=(HugePages&& other) noexcept {
  release();
  bytes_ = std::exchange(other.bytes_, {});
  return *this;
}

HugePages::~HugePages() { release(); }

void HugePages::release() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
  bytes_ = {};
}

Result<std::span<std::byte>> HugePages::at_least(uint64_t bytes, PagesCome come) {
  if (bytes <= bytes_.size()) return bytes_;
  release();  // frees the old block before the larger one is mapped
  // Maps one huge page more than needed for an aligned block inside, and unmaps the rest.
  const size_t wanted = (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  const size_t reserved = wanted + kHugePageBytes;
  void* address =
      ::mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED)
    return fail("cannot get {} bytes for operands: {}", wanted, strerror(errno));
  auto* start = static_cast<std::byte*>(address);
  const size_t skipped =
      (kHugePageBytes - reinterpret_cast<uintptr_t>(start) % kHugePageBytes) % kHugePageBytes;
  if (skipped > 0) ::munmap(start, skipped);
  const std::span<std::byte> memory(start + skipped, wanted);
  ::munmap(memory.data() + wanted, reserved - skipped - wanted);
  ::madvise(memory.data(), wanted, MADV_HUGEPAGE);  // may be refused: ordinary pages
  if (come == PagesCome::at_once) std::memset(memory.data(), 0, wanted);
  bytes_ = memory;
  return memory;
}

}  // namespace dovetail
