// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/unused_memory.h"

#ifdef __linux__
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace dovetail {

void give_large_blocks_back() {
#ifdef __GLIBC__
  constexpr int kLargeBytes = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargeBytes);
#endif
}

#ifdef __linux__
namespace {

// Best effort: where madvise fails, the pages stay.
void release_segment(const dl_phdr_info& library, const ElfW(Phdr) & segment) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t first = library.dlpi_addr + segment.p_vaddr;
  const uintptr_t start = (first + page - 1) / page * page;
  const uintptr_t end = (first + segment.p_memsz) / page * page;
  if (start < end) ::madvise(reinterpret_cast<void*>(start), end - start, MADV_DONTNEED);
}

}  // namespace

void release_unused_memory() {
  const auto visit = [](dl_phdr_info* library, size_t, void*) {
    for (int s = 0; s < library->dlpi_phnum; ++s) {
      const ElfW(Phdr)& segment = library->dlpi_phdr[s];
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) == 0)
        release_segment(*library, segment);
    }
    return 0;
  };
  dl_iterate_phdr(visit, nullptr);
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}
#else
void release_unused_memory() {}
#endif

}  // namespace dovetail
