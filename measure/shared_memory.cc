// SPDX-License-Identifier: Apache-2.0
#include "measure/shared_memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "core/base/fail.h"

namespace dovetail {
namespace {

constexpr size_t kPageBytes = 4096;

}  // namespace

Result<MappedMemory> MappedMemory::shared(int descriptor, uint64_t bytes) {
  void* address =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (address == MAP_FAILED)
    return fail("cannot map {} bytes of shared memory: {}", bytes, strerror(errno));
  return MappedMemory({static_cast<std::byte*>(address), bytes});
}

MappedMemory& MappedMemory::operator=(MappedMemory&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

MappedMemory::~MappedMemory() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

Result<SharedMemory> SharedMemory::create(const std::string& name) {
  Descriptor file(::memfd_create(name.c_str(), MFD_CLOEXEC));
  if (!file.valid()) return fail("cannot create shared memory: {}", strerror(errno));
  return SharedMemory(std::move(file));
}

Result<void> SharedMemory::resize(uint64_t bytes) {
  const uint64_t rounded = (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  if (rounded <= mapped_.bytes().size()) return {};
  if (::ftruncate(file_.get(), static_cast<off_t>(rounded)) != 0)
    return fail("cannot get {} bytes of shared memory: {}", rounded, strerror(errno));
  mapped_ = TRY(MappedMemory::shared(file_.get(), rounded));
  return {};
}

namespace {

constexpr size_t kHugePageBytes = size_t{2} << 20;

}  // namespace

Result<std::span<std::byte>> HugePages::at_least(uint64_t bytes) {
  if (bytes <= mapped_.bytes().size()) return mapped_.bytes();
  mapped_ = MappedMemory();  // before the larger one is there
  // One page more than needed, so that an aligned stretch lies inside; the ends are given back.
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
  ::madvise(memory.data(), wanted, MADV_HUGEPAGE);  // refused by systems without: ordinary pages
  std::memset(memory.data(), 0, wanted);
  mapped_ = MappedMemory(memory);
  return memory;
}

}  // namespace dovetail
