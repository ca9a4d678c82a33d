// SPDX-License-Identifier: Apache-2.0
#include "measure/shared_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace dovetail {
namespace {

constexpr size_t kPageBytes = 4096;

Result<std::byte*> map_shared(int descriptor, size_t bytes) {
  void* address =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (address == MAP_FAILED) {
    return fail(fmt::format("cannot map {} bytes of shared memory: {}", bytes, strerror(errno)));
  }
  return static_cast<std::byte*>(address);
}

}  // namespace

Result<SharedMemory> SharedMemory::create(const std::string& name) {
  Descriptor file(::memfd_create(name.c_str(), MFD_CLOEXEC));
  if (!file.valid()) return fail(fmt::format("cannot create shared memory: {}", strerror(errno)));
  return SharedMemory(std::move(file));
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : file_(std::move(other.file_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

Result<void> SharedMemory::resize(uint64_t bytes) {
  const uint64_t rounded = (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  if (rounded <= size_) return {};
  if (::ftruncate(file_.get(), static_cast<off_t>(rounded)) != 0) {
    return fail(fmt::format("cannot get {} bytes of shared memory: {}", rounded, strerror(errno)));
  }
  std::byte* mapped = TRY(map_shared(file_.get(), rounded));
  if (data_ != nullptr) ::munmap(data_, size_);
  data_ = mapped;
  size_ = rounded;
  return {};
}

Result<SharedView> SharedView::map(int descriptor, uint64_t bytes) {
  std::byte* mapped = TRY(map_shared(descriptor, bytes));
  return SharedView(std::span(mapped, bytes));
}

SharedView::SharedView(SharedView&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

SharedView::~SharedView() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

}  // namespace dovetail
