// What is found of an op from what was found of its sources: sources first, without recursion, for any version's facts.
#pragma once

#include <cstddef>
#include <vector>

#include "model/op_graph.h"

namespace vizd::tinygrad {

// Calls find(op) for each op from id down that is_known() does not know yet; find makes it known, and may lead back
// here with the same stack, which is empty between calls.
template <typename IsKnown, typename Find>
void find_sources_first(const OpGraph& graph, OpId id, std::vector<OpId>& stack, IsKnown&& is_known, Find&& find) {
  const std::size_t bottom = stack.size();
  stack.push_back(id);
  while (stack.size() > bottom) {
    const OpId next = stack.back();
    const std::size_t before = stack.size();
    if (!is_known(next)) {
      for (const OpId source : graph.src(next)) {
        if (!is_known(source)) stack.push_back(source);
      }
    }
    if (stack.size() > before) continue;
    stack.pop_back();
    if (!is_known(next)) find(next);
  }
}

}  // namespace vizd::tinygrad
