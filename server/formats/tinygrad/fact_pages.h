// FactPages: what is found of each op of a graph from what was found of its sources, for any version's facts; in pages,
// which are made when an op of theirs is first asked for. Belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "model/op_graph.h"

namespace vizd::tinygrad {

// Facts has a `known`, which is set once they are found.
template <typename Facts>
class FactPages {
 public:
  // The facts as they are. Valid until those of another op are asked for.
  Facts& operator[](OpId id) {
    const std::size_t page = index(id) / kPageSize;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<std::array<Facts, kPageSize>>();
    return (*pages_[page])[index(id) % kPageSize];
  }

  // The same, found first where they are not known: calls find(op) for each unknown op from this one down, sources
  // first and without recursion. find makes them known, and may lead back here.
  template <typename Find>
  Facts& found(const OpGraph& graph, OpId id, Find&& find) {
    if (Facts& facts = (*this)[id]; facts.known) return facts;
    const std::size_t bottom = stack_.size();
    stack_.push_back(id);
    while (stack_.size() > bottom) {
      const OpId next = stack_.back();
      const std::size_t before = stack_.size();
      if (!(*this)[next].known) {
        for (const OpId source : graph.src(next)) {
          if (!(*this)[source].known) stack_.push_back(source);
        }
      }
      if (stack_.size() > before) continue;
      stack_.pop_back();
      if (!(*this)[next].known) find(next);
    }
    return (*this)[id];
  }

 private:
  static constexpr std::size_t kPageSize = 256;

  std::vector<std::unique_ptr<std::array<Facts, kPageSize>>> pages_;
  std::vector<OpId> stack_;
};

}  // namespace vizd::tinygrad
