#include "support/failing_allocation.h"

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// Allocations, of any thread, before the one that fails; below 0 none does.
std::atomic<std::int64_t> allocations_left{-1};

// While HeldMemory lives: what is held more than when it was made, and the most of that.
std::atomic<bool> is_counting{false};
std::atomic<std::int64_t> held_bytes{0}, most_held_bytes{0};

void count(std::int64_t bytes) {
  const std::int64_t held = held_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::int64_t most = most_held_bytes.load(std::memory_order_relaxed);
  while (held > most && !most_held_bytes.compare_exchange_weak(most, held, std::memory_order_relaxed)) {
  }
}

void release(void* block) noexcept {
  if (is_counting.load(std::memory_order_relaxed)) count(-static_cast<std::int64_t>(::malloc_usable_size(block)));
  std::free(block);
}

void* allocate(std::size_t size, std::size_t alignment) {
  if (allocations_left.load(std::memory_order_relaxed) >= 0 && allocations_left.fetch_sub(1) == 0)
    throw std::bad_alloc();
  void* block = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    block = std::malloc(size == 0 ? 1 : size);
  } else if (::posix_memalign(&block, alignment, size == 0 ? 1 : size) != 0) {
    block = nullptr;
  }
  if (block == nullptr) throw std::bad_alloc();
  if (is_counting.load(std::memory_order_relaxed)) count(static_cast<std::int64_t>(::malloc_usable_size(block)));
  return block;
}

// For whoever asks for a null in place of an exception.
void* allocate_or_null(std::size_t size, std::size_t alignment) noexcept {
  try {
    return allocate(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

// All of them: a sanitizer's own would not go with the operators below that free.
void* operator new(std::size_t size) { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size) { return allocate(size, 1); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_or_null(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_or_null(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete(void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { release(block); }

namespace vizd {

FailingAllocation::FailingAllocation(std::int64_t place) { allocations_left = place; }
FailingAllocation::~FailingAllocation() { allocations_left = -1; }
bool FailingAllocation::happened() const { return allocations_left < 0; }

HeldMemory::HeldMemory() {
  held_bytes = most_held_bytes = 0;
  is_counting = true;
}
HeldMemory::~HeldMemory() { is_counting = false; }
std::int64_t HeldMemory::most_bytes() const { return most_held_bytes; }

}  // namespace vizd
