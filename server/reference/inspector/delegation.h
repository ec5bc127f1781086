// DelegationPart: what of a method's graph one call of a delegate took, and what was left between the calls, with what
// the graph tells of why: whether nodes of that op went to a delegate elsewhere, and of which types. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/etdump/blocks.h"

namespace vizd::inspector {

using namespace etdump;

// A call of a delegate, or a node that went to none.
struct DelegationPart {
  std::uint32_t partition = 0;  // from 1; 0: the node went to none
  std::string backend;          // of a call
  std::optional<std::int64_t> instruction;
  std::vector<std::uint32_t> nodes;                      // places in the edge program
  std::vector<std::pair<std::string, std::size_t>> ops;  // how many nodes of which, in the order of the graph
  std::optional<double> total;  // average of an iteration, in target units; none: it did not run by itself

  // For a node that went to none:
  std::string dtype;                           // of its first output; "" where the graph does not tell
  std::vector<std::uint32_t> before, after;    // the nearest calls that it reads of, and that read of it
  std::size_t delegated_of_op = 0, of_op = 0;  // nodes of the same op that went to a delegate, of all
  bool is_type_delegated = false;              // whether one of those is of the same type
};

// In the order of the graph, a call where its first node stands. Empty where no delegate took anything, or the block is
// of no method with an edge program.
std::vector<DelegationPart> delegation_of(const Block& block);

// Why a node went to no delegate, as far as the graph tells: "no node of this op was delegated"; "2 of 3 nodes of this
// op were delegated, none of them int64". "" of a call.
std::string reason_of(const DelegationPart& part);

}  // namespace vizd::inspector
