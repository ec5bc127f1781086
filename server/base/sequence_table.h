// SequenceTable: each distinct sequence of 32-bit words once, known by an id; ids count up from 0 in order of first
// use, and 0 is the empty sequence. Views are valid until the next add(). Not thread-safe while adding; reading is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash_index.h"

namespace vizd {

class SequenceTable {
 public:
  SequenceTable() { add({}); }

  // words must be no view into this table.
  std::uint32_t add(std::span<const std::uint32_t> words) {
    auto hash = static_cast<std::uint32_t>(words.size());
    for (const std::uint32_t word : words) hash = mix_hash(hash, word);
    const auto found = index_.find(hash, [&](std::uint32_t id) { return std::ranges::equal(get(id), words); });
    if (found != HashIndex::kNone) return found;
    const auto id = static_cast<std::uint32_t>(ends_.size());
    words_.insert(words_.end(), words.begin(), words.end());
    ends_.push_back(words_.size());
    index_.add(hash, id);
    return id;
  }

  std::span<const std::uint32_t> get(std::uint32_t id) const {
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    return std::span(words_).subspan(begin, ends_[id] - begin);
  }

  std::size_t size() const { return ends_.size(); }

 private:
  std::vector<std::uint32_t> words_;
  std::vector<std::size_t> ends_;
  HashIndex index_;
};

}  // namespace vizd
