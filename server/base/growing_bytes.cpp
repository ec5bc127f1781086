#include "base/growing_bytes.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "base/huge_pages.h"
#include "system/memory.h"

namespace vizd {
namespace {

constexpr std::size_t kLeastMappedBytes = std::size_t{1} << 20;
constexpr std::size_t kUnitBytes = 4096;  // a page

std::size_t whole_pages(std::size_t size_bytes) { return (size_bytes + kUnitBytes - 1) / kUnitBytes * kUnitBytes; }

}  // namespace

GrowingBytes::~GrowingBytes() {
  if (mapped_bytes_ == 0) {
    std::free(data_);
  } else {
    ::munmap(data_, mapped_bytes_);
  }
}

void GrowingBytes::grow(std::size_t size) {
  if (size < kLeastMappedBytes) {
    void* const larger = std::realloc(data_, size);
    if (larger == nullptr) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(larger);
    size_ = size;
    return;
  }
  const std::size_t pages_bytes = whole_pages(size);
  auto* const larger = static_cast<std::byte*>(allocate_huge(pages_bytes));
  if (larger == nullptr) throw std::bad_alloc();
  if (mapped_bytes_ != 0) {
    move_pages(data_, larger, mapped_bytes_);
  } else if (size_ != 0) {
    std::memcpy(larger, data_, size_);
    std::free(data_);
  }
  data_ = larger;
  size_ = size;
  mapped_bytes_ = pages_bytes;
}

void GrowingBytes::shrink(std::size_t size) {
  size_ = size;
  if (mapped_bytes_ == 0 || size == 0) return;
  const std::size_t kept_bytes = whole_pages(size);
  if (kept_bytes < mapped_bytes_) ::munmap(data_ + kept_bytes, mapped_bytes_ - kept_bytes);
  mapped_bytes_ = kept_bytes;
}

}  // namespace vizd
