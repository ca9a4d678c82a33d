// SPDX-License-Identifier: Apache-2.0
#include "measure/transport/shared_memory.h"

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

}  // namespace dovetail
