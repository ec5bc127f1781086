// The lanes of a thread trace as tinygrad's viewer has them: dispatches of each wave, executions of each unit of the
// traced SIMD, and the shader's clock. Times are cycles. An execution leads to the dispatch that it is of.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "disasm/amd/code_listing.h"

namespace vizd::thread_trace {

struct LaneEvent {
  std::uint32_t name = 0;   // into Lanes::names
  std::uint32_t order = 0;  // among the events of all lanes, as they were recorded
  std::int64_t start_cycle = 0, end_cycle = 0;
  std::optional<std::uint64_t> address = {};  // of the instruction that was dispatched
  // The dispatch that was executed, as places in Lanes::lanes and Lane::events.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> dispatch = {};
};

struct Lane {
  std::string name;  // "WAVE:3", "ALUEXEC:0 VALU"
  std::vector<LaneEvent> events;
};

struct ClockPoint {
  std::int64_t at_cycle = 0;
  std::uint64_t hz = 0;
};

struct Lanes {
  std::vector<std::string> names;
  std::vector<Lane> lanes;  // in order of first appearance
  std::vector<ClockPoint> clock;
  std::uint64_t unlinked = 0;  // executions of which no dispatch was seen
  bool is_cut = false;         // at the most records that were asked for
};

// As many records as told: events, points of the clock, one for each lane and one for the trace.
Lanes lanes_of(std::span<const std::byte> trace, const amd::CodeListing* listing,
               std::uint64_t most_records = std::numeric_limits<std::uint64_t>::max());

// The shader's clock alone, as those lanes have it.
std::vector<ClockPoint> clock_of(std::span<const std::byte> trace);

}  // namespace vizd::thread_trace
