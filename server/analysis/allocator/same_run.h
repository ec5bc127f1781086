// Whether a memory snapshot and a trace are of the same run, as far as can be told: one clock has both, their times
// overlap, and where both are named for a rank it is the same. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/capture.h"

namespace vizd {

// A memory snapshot, or a trace, as a part of a run.
struct RunPart {
  bool is_memory = false;               // an allocator told of itself, and no thread or device of its work
  std::int64_t from_ns = 0, to_ns = 0;  // Unix time
  std::optional<std::uint32_t> rank;    // as its name has it: "rank0_memory_snapshot", "oom_rank3"
};

// None: it is neither, or its clock or its times are not known.
std::optional<RunPart> run_part(const Capture& capture, std::string_view name);
// One is the memory of the other.
bool are_of_one_run(const RunPart& a, const RunPart& b);

}  // namespace vizd
