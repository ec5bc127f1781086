// The numeric gap of a block: to the other run that is given, block by block and value by value, or else to reference
// tensors. Any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "reference/inspector/inspection.h"
#include "reference/inspector/numeric_gap.h"

namespace vizd::inspector {

// That block's gaps. Its partner in the other run has its name, method and bundled input, and the same events where
// one has. Values of the same program are compared event by event; of two programs of one model (portable kernels, and
// parts for a delegate) those of nodes that have the same name and op in both edge graphs.
OutputGaps block_gaps(const DumpBlocks& run, const References& references, std::size_t block);

// The block's gaps to each of what there is to compare with: those references where they are given; and of the
// program's outputs those that the ETRecord keeps for its inputs, where no other run is given.
std::vector<OutputGaps> gaps_of(const Inspection& inspection, std::size_t block);

}  // namespace vizd::inspector
