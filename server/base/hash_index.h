// HashIndex: finds the records of a table kept elsewhere by their hash: open addressing over (hash, index) pairs. The
// caller hashes, and compares the records themselves. Beside each pair lies one byte of its hash: nearly all that a
// search looks at, so that the searches of a large table stay in the cache. Not thread-safe while adding; finding is.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/huge_pages.h"

namespace vizd {

// Mixes one word into a hash; the low bits of the result are as good as the high ones.
constexpr std::uint32_t mix_hash(std::uint32_t hash, std::uint32_t word) {
  const std::uint64_t product = (std::uint64_t{hash ^ word} + 0x9E3779B9u) * 0x9E3779B97F4A7C15u;
  return static_cast<std::uint32_t>(product >> 32) ^ static_cast<std::uint32_t>(product);
}

// The hash of an id: an enum class over std::uint32_t, as OpId is.
template <typename Id>
constexpr std::uint32_t hash_of_id(Id id) {
  return mix_hash(0, static_cast<std::uint32_t>(id));
}

class HashIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  // The index added under this hash for which same(index) holds, else kNone.
  template <typename Same>
  std::uint32_t find(std::uint32_t hash, Same&& same) const {
    if (slots_.empty()) return kNone;
    const std::uint8_t tag = tag_of(hash);
    for (std::size_t i = hash & mask(); tags_[i] != kEmpty; i = (i + 1) & mask()) {
      if (tags_[i] == tag && slots_[i].hash == hash && same(slots_[i].index)) return slots_[i].index;
    }
    return kNone;
  }

  // index must not be kNone. Nothing checks whether it is there already.
  void add(std::uint32_t hash, std::uint32_t index) {
    if ((size_ + 1) * 3 > slots_.size() * 2) resize(slots_.empty() ? 64 : slots_.size() * 2);
    place({hash, index});
    ++size_;
  }

  // Takes out an index that was added under this hash.
  void erase(std::uint32_t hash, std::uint32_t index) {
    std::size_t hole = hash & mask();
    while (slots_[hole].index != index) hole = (hole + 1) & mask();
    // Moves back what would no longer be found past the hole.
    for (std::size_t i = (hole + 1) & mask(); tags_[i] != kEmpty; i = (i + 1) & mask()) {
      if (((i - slots_[i].hash) & mask()) < ((i - hole) & mask())) continue;
      slots_[hole] = slots_[i];
      tags_[hole] = tags_[i];
      hole = i;
    }
    tags_[hole] = kEmpty;
    --size_;
  }

  // Makes room for so many, so that adding them moves nothing.
  void reserve(std::size_t count) {
    const std::size_t wanted = std::bit_ceil(count + count / 2 + 1);
    if (wanted > slots_.size()) resize(wanted);
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t index = 0;
  };

  static constexpr std::uint8_t kEmpty = 0;

  // The places come from a hash's low bits, the tags from its high ones.
  static std::uint8_t tag_of(std::uint32_t hash) { return static_cast<std::uint8_t>(hash >> 24 | 1); }
  std::size_t mask() const { return slots_.size() - 1; }

  void place(Slot slot) {
    std::size_t i = slot.hash & mask();
    while (tags_[i] != kEmpty) i = (i + 1) & mask();
    tags_[i] = tag_of(slot.hash);
    slots_[i] = slot;
  }

  void resize(std::size_t slot_count) {
    LargeVector<Slot> slots(slot_count);
    LargeVector<std::uint8_t> tags(slot_count, kEmpty);
    slots.swap(slots_);
    tags.swap(tags_);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (tags[i] != kEmpty) place(slots[i]);
    }
  }

  LargeVector<Slot> slots_;
  LargeVector<std::uint8_t> tags_;
  std::size_t size_ = 0;
};

}  // namespace vizd
