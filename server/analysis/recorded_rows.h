// What GPUs' own recorders tell of the runs of programs, as rows: waves, instructions, counters, samples. Plain data,
// which derived/recorded_rows makes and SQL's tables show; texts are the rows' own. Any thread may read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace vizd {

struct RecordedRows {
  // As the recorder ran it: a program's run, numbered over the capture.
  struct Run {
    std::string kernel;
    std::int64_t number = 0;
    std::uint32_t program = kNoId;  // its place in Rewrites::programs
  };
  struct Wave {
    std::uint32_t run = 0;  // place in runs
    std::int64_t engine = 0;
    std::uint32_t unit = 0, simd = 0, slot = 0;
    std::int64_t start_cycle = 0, end_cycle = 0;
    bool has_ended = false;
  };
  struct Instruction {
    std::uint32_t run = 0;
    std::uint64_t address = 0;
    std::string text;
    std::uint64_t hits = 0;
    std::int64_t cycles = 0, median_cycles = 0, least_cycles = 0, most_cycles = 0;
    std::int64_t issue_cycles = 0, wait_cycles = 0, barrier_cycles = 0, end_cycles = 0;
    std::optional<std::int64_t> execute_median_cycles;  // from its dispatch on
    std::string waits_for;                              // the instruction that its waits for memory were mostly for
  };
  struct Count {
    std::uint32_t run = 0;
    std::string name;
    std::uint32_t xcc = 0, instance = 0, engine = 0, array = 0, group = 0;
    std::uint64_t value = 0;
  };

  // What a sampling of program counters found at an address, and what the warps waited for there.
  struct Sample {
    std::uint32_t sampling = 0;            // place in samplings
    std::optional<std::uint64_t> address;  // in the program's listing; nothing where its place in memory is not known
    std::uint64_t gpu_address = 0;
    std::string_view stall;  // lives for ever
    std::uint64_t samples = 0;
  };
  struct Sampling {
    std::string kernel;
    std::uint32_t program = kNoId;  // its place in Rewrites::programs
  };

  std::vector<Run> runs;
  std::vector<Wave> waves;                // run by run, engine by engine, as they began
  std::vector<Instruction> instructions;  // run by run, by address
  std::vector<Count> counts;
  std::vector<Sampling> samplings;
  std::vector<Sample> samples;  // sampling by sampling, by address, the most frequent stall first

  std::size_t memory_bytes() const;  // about
};

}  // namespace vizd
