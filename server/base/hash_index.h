// HashIndex: finds the records of a table kept elsewhere by their hash: open addressing over (hash, index) pairs, eight
// bytes each. The caller hashes, and compares the records themselves. Not thread-safe while adding; finding is.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vizd {

// Mixes one word into a hash; the low bits of the result are as good as the high ones.
constexpr std::uint32_t mix_hash(std::uint32_t hash, std::uint32_t word) {
  const std::uint64_t product = (std::uint64_t{hash ^ word} + 0x9E3779B9u) * 0x9E3779B97F4A7C15u;
  return static_cast<std::uint32_t>(product >> 32) ^ static_cast<std::uint32_t>(product);
}

class HashIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  // The index added under this hash for which same(index) holds, else kNone.
  template <typename Same>
  std::uint32_t find(std::uint32_t hash, Same&& same) const {
    if (slots_.empty()) return kNone;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask; slots_[i].index != kNone; i = (i + 1) & mask) {
      if (slots_[i].hash == hash && same(slots_[i].index)) return slots_[i].index;
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
    const std::size_t mask = slots_.size() - 1;
    std::size_t hole = hash & mask;
    while (slots_[hole].index != index) hole = (hole + 1) & mask;
    // Moves back what would no longer be found past the hole.
    for (std::size_t i = (hole + 1) & mask; slots_[i].index != kNone; i = (i + 1) & mask) {
      if (((i - slots_[i].hash) & mask) < ((i - hole) & mask)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole] = Slot{};
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
    std::uint32_t index = kNone;
  };

  void place(Slot slot) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = slot.hash & mask;
    while (slots_[i].index != kNone) i = (i + 1) & mask;
    slots_[i] = slot;
  }

  void resize(std::size_t slot_count) {
    std::vector<Slot> old(slot_count);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.index != kNone) place(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace vizd
