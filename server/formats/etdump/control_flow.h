// Control flow of a program, told from its blocks: passes of a loop, and branches. ETDumps have no instructions but
// those that ran, so that a branch is told by another block of the same method that ran otherwise. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/etdump/blocks.h"

namespace vizd::etdump {

// Whether the runtime ran the same more than once in a run, by event.
std::vector<bool> repeated_events(const Block& block);

// Events after a jump whose instructions no other run of the method that came to that jump did.
struct Branch {
  std::int32_t jump = 0;            // the instruction that chose it
  std::vector<std::size_t> events;  // places, in the block's order
};
std::vector<Branch> branches_of(std::span<const Block> blocks, std::size_t block);

}  // namespace vizd::etdump
