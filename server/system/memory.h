// What a system can be told of memory beyond taking it and giving it back; nothing goes wrong where it cannot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace vizd {

// That these pages are better had in fewer, larger ones.
void prefer_huge_pages(void* begin, std::size_t size_bytes);
// Whole pages to another place, of which as many are given up.
void move_pages(void* from, void* to, std::size_t size_bytes);
// That threads share so many heaps.
void limit_heaps(std::size_t most);
// That blocks of so many bytes and more go back to the system as soon as they are freed.
void give_large_blocks_back(std::size_t size_bytes);
// What was asked of the allocator and not given back; none where it does not say.
std::optional<std::uint64_t> heap_bytes();

}  // namespace vizd
