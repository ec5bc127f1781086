// NameShare, BackendShare: where the time of a block's iterations went, by name and by backend. Of what lies in
// something else only the inner counts, so that the rows of one block add up to its whole. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formats/etdump/blocks.h"

namespace vizd::inspector {

using namespace etdump;

struct NameShare {
  std::string name;     // "native_call_addmm.out", "Transpose (ND, X32)" of all of its numbers, "DELEGATE_CALL"
  std::string backend;  // that ran it; "" where the runtime did
  bool is_delegated = false;
  // Timed by a clock of its own: what lies in its call too, and not part of the whole.
  bool is_apart = false;
  std::size_t calls = 0;       // in an iteration
  double total = 0, self = 0;  // averages of an iteration, in target units; self: without what lies in it
};

// The most self time first.
std::vector<NameShare> by_name(const Block& block);

struct BackendShare {
  std::string backend;               // "" of the runtime's own kernels
  std::size_t calls = 0, nodes = 0;  // in an iteration; of the method's graph, each once
  double total = 0;                  // likewise
};

// Delegates in order of first appearance, the runtime's kernels last.
std::vector<BackendShare> by_backend(const Block& block);

// The average time of an iteration: of Method::execute, or where there is none of its work.
double whole_of(const Block& block);

}  // namespace vizd::inspector
