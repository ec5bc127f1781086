#include "base/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

#include "system/memory.h"

namespace vizd {
namespace {

constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
constexpr std::size_t kPageBytes = 4096;

std::size_t round_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

}  // namespace

void* allocate_huge(std::size_t size_bytes) {
  // Huge pages begin at multiples of their size: takes one more and gives back what is left over at both ends.
  const std::size_t size = round_up(size_bytes, kPageBytes);
  const std::size_t taken = size + kHugePageBytes;
  void* mapping = ::mmap(nullptr, taken, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(mapping);
  const std::size_t before =
      round_up(reinterpret_cast<std::uintptr_t>(begin), kHugePageBytes) - reinterpret_cast<std::uintptr_t>(begin);
  if (before != 0) ::munmap(begin, before);
  if (const std::size_t after = kHugePageBytes - before; after != 0) ::munmap(begin + before + size, after);
  prefer_huge_pages(begin + before, size);
  return begin + before;
}

void free_huge(void* block, std::size_t size_bytes) { ::munmap(block, round_up(size_bytes, kPageBytes)); }

}  // namespace vizd
