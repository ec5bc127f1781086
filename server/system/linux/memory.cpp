#include "system/memory.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cstring>

namespace vizd {

void prefer_huge_pages(void* begin, std::size_t size_bytes) { ::madvise(begin, size_bytes, MADV_HUGEPAGE); }

void move_pages(void* from, void* to, std::size_t size_bytes) {
  if (::mremap(from, size_bytes, size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED) return;
  std::memcpy(to, from, size_bytes);
  ::munmap(from, size_bytes);
}

// Not every C library of Linux has more than one heap, or tells of it.
void limit_heaps([[maybe_unused]] std::size_t most) {
#ifdef __GLIBC__
  ::mallopt(M_ARENA_MAX, static_cast<int>(most));
#endif
}

// Left to itself the library takes the largest block that was freed, up to 32 MB, for what is worth keeping.
void give_large_blocks_back([[maybe_unused]] std::size_t size_bytes) {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(size_bytes));
  ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(size_bytes));
#endif
}

std::optional<std::uint64_t> heap_bytes() {
#ifdef __GLIBC__
  const struct mallinfo2 heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
#else
  return std::nullopt;
#endif
}

}  // namespace vizd
