// What of a program's instructions decides whose the cycles of its waves are: which of them wait, for what, and which a
// trace has no packet of. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "disasm/amd/code_listing.h"
#include "disasm/amd/memory_counters.h"

namespace vizd::thread_trace {

inline constexpr std::uint32_t kNoPlace = 0xFFFFFFFF;  // in a listing

struct LineTraits {
  bool is_wait = false;          // its packet comes when the wait is over
  bool is_barrier = false;       // its packet comes when it is reached
  bool is_barrier_wait = false;  // it has no packet
  bool is_hidden = false;
  std::uint32_t loop = kNoPlace;  // that it is the head of, where somebody counts loops
  std::vector<amd::CounterWait> waits;
  std::vector<amd::MemoryCounter> raises;
};

// By place in the listing.
std::vector<LineTraits> traits_of(amd::Family family, const amd::CodeListing& listing);

// From one packet of a trace to a later one. A damaged trace may turn its clock round: no wave stands longer than 2^40.
std::int64_t cycles_between(std::int64_t from_cycle, std::int64_t to_cycle);

// Whose the cycles between two packets of a wave are.
struct SharedCycles {
  std::int64_t own = 0;              // of the instruction that was issued by the first
  std::int64_t waited = 0;           // after those: of the barrier, or else of the next instruction
  std::uint32_t barrier = kNoPlace;  // the s_barrier_wait that the wave passed between them
  bool is_waited = false;            // the next instruction's packet came when its wait was over
};

// last, next: places in the listing; next may be kNoPlace. is_end: the second packet is the wave's end, which comes
// when all that it wrote has arrived.
SharedCycles share_cycles(std::span<const LineTraits> traits, std::uint32_t last, std::uint32_t next,
                          std::int64_t passed, bool is_end);

}  // namespace vizd::thread_trace
