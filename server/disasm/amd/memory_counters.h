// What a wave of AMD's waits for: the counters of memory operations that are on their way, which instructions raise
// them, and which wait until no more than so many are left. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "disasm/amd/instruction.h"

namespace vizd::amd {

enum class MemoryCounter : std::uint8_t {
  kLoad,    // of vector memory
  kStore,   // to it
  kShared,  // LDS; of RDNA 3 also scalar loads and messages, which it counts together with LDS
  kScalar,  // scalar loads, where they have a counter of their own
};
inline constexpr std::size_t kMemoryCounters = 4;

struct CounterWait {
  MemoryCounter counter{};
  std::uint32_t most = 0;  // may still be on their way
};

// An instruction whose packet tells when the wait was over: s_waitcnt, s_wait_loadcnt, …
bool is_wait(const Instruction& instruction);
// Returns the waits of the instruction. Empty for other instructions, and for waits for something else (exports, the
// pipeline).
std::vector<CounterWait> waits_of(Family family, const Instruction& instruction);
// Returns the counters that the instruction raises.
std::vector<MemoryCounter> raised_by(Family family, const Instruction& instruction);

}  // namespace vizd::amd
