#include "system/memory.h"

#include <sys/mman.h>

#include <cstring>

namespace vizd {

void prefer_huge_pages(void*, std::size_t) {}

void move_pages(void* from, void* to, std::size_t size_bytes) {
  std::memcpy(to, from, size_bytes);
  ::munmap(from, size_bytes);
}

void limit_heaps(std::size_t) {}

void give_large_blocks_back(std::size_t) {}

std::optional<std::uint64_t> heap_bytes() { return std::nullopt; }

}  // namespace vizd
