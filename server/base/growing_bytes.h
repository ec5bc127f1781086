// GrowingBytes: bytes that are written from their beginning on, by one thread, until there are no more. A vector that
// grows holds what it has twice while it copies that; here the pages themselves go to the larger place, so that no more
// memory is taken than was written, and it is not filled before that.
#pragma once

#include <cstddef>
#include <utility>

namespace vizd {

class GrowingBytes {
 public:
  GrowingBytes() = default;
  GrowingBytes(GrowingBytes&& other) noexcept { swap(other); }
  GrowingBytes& operator=(GrowingBytes&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GrowingBytes();

  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::byte* begin() const { return data_; }
  const std::byte* end() const { return data_ + size_; }

  std::byte* data() { return data_; }
  std::byte* begin() { return data_; }
  std::byte* end() { return data_ + size_; }
  // Makes it larger: what is there stays, what is added is unset. Throws std::bad_alloc.
  void grow(std::size_t size);
  // Keeps the first so many, and gives the memory of the others back.
  void shrink(std::size_t size);

 private:
  void swap(GrowingBytes& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
  }

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_bytes_ = 0;  // whole pages of its own; 0 where it is ordinary memory, since there is little of it
};

}  // namespace vizd
