// Lists of terms and factors of expressions, for the ExprGraph of any version: what their rules do with them differs,
// how they are found does not. Pure, any thread.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace vizd::tinygrad {

// The operands of nested ops of one kind, from left to right (UOp.split_uop); the expression alone where the graph's
// work is spent.
template <typename Graph, typename Id, typename Op>
std::vector<Id> split_terms(Graph& graph, Id id, Op separator) {
  std::vector<Id> parts, stack{id};
  while (!stack.empty()) {
    const Id next = stack.back();
    stack.pop_back();
    if (graph.op(next) != separator) {
      parts.push_back(next);
    } else {
      const auto sources = graph.src(next);
      stack.insert(stack.end(), sources.rbegin(), sources.rend());
    }
    if (!graph.spend_work()) return {id};
  }
  return parts;
}

// A multiset that remembers the order in which its members came, as Python's Counter.
template <typename Id>
using Counts = std::vector<std::pair<Id, int>>;

template <typename Id>
Counts<Id> count_terms(const std::vector<Id>& terms) {
  Counts<Id> counts;
  for (const Id term : terms) {
    const auto found = std::ranges::find(counts, term, &Counts<Id>::value_type::first);
    if (found == counts.end()) {
      counts.emplace_back(term, 1);
    } else {
      ++found->second;
    }
  }
  return counts;
}

template <typename Id>
int count_of(const Counts<Id>& counts, Id term) {
  const auto found = std::ranges::find(counts, term, &Counts<Id>::value_type::first);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace vizd::tinygrad
