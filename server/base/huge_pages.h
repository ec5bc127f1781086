// HugePageAllocator: for vectors that may grow to many megabytes and are filled or searched at random. Blocks of a
// megabyte and more come from the system in huge pages where it has them, which saves most of the page faults of
// filling them and of the address translations of searching them, and go back to it at once. Smaller ones are ordinary
// memory.
#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace vizd {

// Memory straight from the system, huge pages preferred; null where there is none. size_bytes is the same for both.
void* allocate_huge(std::size_t size_bytes);
void free_huge(void* block, std::size_t size_bytes);

template <typename T>
class HugePageAllocator {
 public:
  using value_type = T;

  static constexpr std::size_t kLeastBytes = std::size_t{1} << 20;

  HugePageAllocator() = default;
  template <typename U>
  HugePageAllocator(const HugePageAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    if (count * sizeof(T) < kLeastBytes) return static_cast<T*>(::operator new(count * sizeof(T)));
    void* block = allocate_huge(count * sizeof(T));
    if (block == nullptr) throw std::bad_alloc();
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t count) {
    if (count * sizeof(T) < kLeastBytes) {
      ::operator delete(block);
    } else {
      free_huge(block, count * sizeof(T));
    }
  }
  bool operator==(const HugePageAllocator&) const = default;
};

template <typename T>
using LargeVector = std::vector<T, HugePageAllocator<T>>;

// Leaves elements that are made without a value unset, for vectors that are filled at once, perhaps by several threads.
template <typename T>
class UnfilledAllocator : public HugePageAllocator<T> {
 public:
  UnfilledAllocator() = default;
  template <typename U>
  UnfilledAllocator(const UnfilledAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Values>
  void construct(U* at, Values&&... values) {
    ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
  }
};

template <typename T>
using UnfilledVector = std::vector<T, UnfilledAllocator<T>>;

}  // namespace vizd
