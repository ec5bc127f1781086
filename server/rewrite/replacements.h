// Replacements: what tinygrad calls dvars: for each op replaced so far in a pass, the op that stands for it. Both are
// ops of the capture. A later match of the same op overwrites, and one that gives the op back erases (tinygrad's
// UOp.substitute drops identities at each call).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash_index.h"
#include "model/op_graph.h"

namespace vizd {

class Replacements {
 public:
  void set(OpId before, OpId after) {
    const OpId kept = before == after ? OpId{kNoId} : after;
    if (const std::uint32_t i = find(before); i != HashIndex::kNone) {
      active_ += (kept != OpId{kNoId}) - (pairs_[i].after != OpId{kNoId});
      pairs_[i].after = kept;
    } else if (kept != OpId{kNoId}) {
      index_.add(hash_of_id(before), static_cast<std::uint32_t>(pairs_.size()));
      pairs_.push_back({before, kept});
      ++active_;
    }
  }

  bool empty() const { return active_ == 0; }

  // The op that replaces it, or none.
  OpId get(OpId before) const {
    const std::uint32_t i = find(before);
    return i == HashIndex::kNone ? OpId{kNoId} : pairs_[i].after;
  }
  bool contains(OpId before) const { return get(before) != OpId{kNoId}; }

  // Follows replacements from the op on until one is not replaced; none where they run in a circle.
  OpId last(OpId op) const {
    std::size_t followed = 0;
    for (OpId next = get(op); next != OpId{kNoId}; next = get(op)) {
      if (++followed > pairs_.size()) return OpId{kNoId};
      op = next;
    }
    return op;
  }

 private:
  struct Pair {
    OpId before;
    OpId after;
  };

  std::uint32_t find(OpId before) const {
    return index_.find(hash_of_id(before), [&](std::uint32_t i) { return pairs_[i].before == before; });
  }

  std::ptrdiff_t active_ = 0;
  HashIndex index_;  // of pairs_
  std::vector<Pair> pairs_;
};

}  // namespace vizd
