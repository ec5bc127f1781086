// Where the cycles of a program's waves went, instruction by instruction, as thread traces tell it. Every cycle of a
// wave from its first instruction to its end is some instruction's, so that the sums over instructions are the waves'.
//
// An instruction has the cycles from its issue to the wave's next issue. But the packet of an instruction that waits
// for memory (s_waitcnt) or for the other waves of its group (s_barrier_wait of RDNA 4) comes when the wait is over,
// and that of a wave's end when its memory is written: the cycles before it are its own, all but one, which the
// instruction before it took. Pure; one thread builds.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "disasm/amd/code_listing.h"

namespace vizd::thread_trace {

// How often each number of cycles was seen, from which follows any quantile. Small numbers are the usual ones.
class CycleCounts {
 public:
  void add(std::int64_t cycles);
  std::uint64_t count() const { return count_; }
  std::int64_t total() const { return total_; }
  // 0 where nothing was added. Of an even number, the lower of the two in the middle.
  std::int64_t median() const;
  std::int64_t least() const;
  std::int64_t most() const;

 private:
  static constexpr std::int64_t kSmall = 64;
  // Calls visit(cycles, how often) for each, the least first, until it returns false.
  template <typename Visit>
  void each(Visit&& visit) const;

  std::uint64_t count_ = 0;
  std::int64_t total_ = 0;
  std::vector<std::uint32_t> small_;  // by cycles, kSmall of them once there is one
  std::map<std::int64_t, std::uint32_t> large_;
};

struct InstructionHeat {
  std::uint32_t place = 0;  // in the listing
  std::uint64_t hits = 0;
  CycleCounts cycles;  // of those that another of the wave followed
  // The part of these cycles in which the wave stalled:
  std::int64_t issue_cycles = 0;    // until its next instruction was issued, beyond the one that any takes
  std::int64_t wait_cycles = 0;     // for memory
  std::int64_t barrier_cycles = 0;  // for the other waves of its group
  std::int64_t end_cycles = 0;      // for the wave's end
  // Where the trace tells of executions: from the dispatch to the execution's beginning, which other instructions
  // overlap.
  CycleCounts execute_delay;
};

// What an instruction that waits waited for: of the operations that had to arrive, the last.
struct LoadWait {
  std::uint32_t wait = 0, load = 0;  // places in the listing
  std::uint64_t hits = 0;
  std::int64_t cycles = 0;
};

// From its head to the jump back to it, both included. An iteration lasts until the head is issued again, or the first
// instruction after the loop.
struct LoopHeat {
  std::uint32_t head = 0, last = 0;  // places in the listing
  std::uint64_t entries = 0;
  CycleCounts iterations;
};

struct WaveHeat {
  std::uint32_t trace = 0;  // counted as they were added
  std::uint32_t slot = 0;
  std::int64_t start_cycle = 0, end_cycle = 0;  // from its first instruction on
  bool has_ended = false;
  std::uint64_t instructions = 0;
  std::int64_t issue_cycles = 0, wait_cycles = 0, barrier_cycles = 0, end_cycles = 0;
};

struct Heat {
  std::vector<InstructionHeat> instructions;  // those that ran, as they stand in the listing
  std::vector<LoadWait> waits;                // as they stand there
  std::vector<LoopHeat> loops;                // those that ran, an outer one first
  std::vector<WaveHeat> waves;                // of all traces, as they began, whatever is chosen
  std::uint64_t unplaced = 0;  // dispatches of waves whose place in the program was not known, of all waves
};

class HeatBuilder {
 public:
  // only: of that wave alone, by its place in Heat::waves. The listing must outlive the builder.
  HeatBuilder(amd::Family family, const amd::CodeListing& listing, std::optional<std::uint32_t> only = {});
  ~HeatBuilder();
  HeatBuilder(const HeatBuilder&) = delete;
  HeatBuilder& operator=(const HeatBuilder&) = delete;

  // Another trace of the same program. What there is once the budget is over is no answer.
  void add(std::span<const std::byte> trace, const Budget& budget = {});
  Heat finish();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace vizd::thread_trace
