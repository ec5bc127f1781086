// The waves of a thread trace, all of its shader engine: where each ran, from when until when, and what tells the time
// of its cycles. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "hardware/thread_trace/packet.h"

namespace vizd::thread_trace {

// Small: a large trace has millions.
struct Wave {
  std::uint16_t unit = 0;  // Packet::compute_unit
  std::uint8_t simd = 0, slot = 0;
  bool has_ended = false;  // else it was still running when the trace ended, or its slot began another
  std::int64_t start_cycle = 0, end_cycle = 0;
};

struct Waves {
  Layout layout = Layout::kRdna3;
  std::deque<Wave> waves;          // by start; grows without being copied
  std::uint64_t begun_before = 0;  // waves that ended, and began before the trace
  // Signs of damage, or of a GPU that is not known.
  bool begins_as_a_trace = true;         // with a LAYOUT_HEADER; true of one without packets
  std::uint64_t unknown_operations = 0;  // packets of instructions
};

// "CU 3"; of RDNA "SA 1 WGP 2".
std::string unit_name(Layout layout, std::uint32_t unit);

// What there is of them once the budget is over is no answer.
Waves waves_of(std::span<const std::byte> trace, const Budget& budget = {});

// When cycles were, by the real-time clock that the shader reads now and then.
class CycleClock {
 public:
  static constexpr std::int64_t kTick_ns = 10;  // 100 MHz

  // The clock's counter is cut to so many bits that it begins anew every few minutes; the time near which the trace was
  // recorded says which of them it was.
  CycleClock(std::span<const std::byte> trace, std::int64_t near_ns);

  // Whether the trace has two readings or more.
  bool is_known() const { return readings_.size() >= 2; }
  // By the device's clock. Between two readings the shader is taken to have run evenly.
  std::int64_t ns_at(std::int64_t cycle) const;

  struct Reading {
    std::int64_t cycle, at_ns;
  };
  // Both rising.
  const std::vector<Reading>& readings() const { return readings_; }

 private:
  std::vector<Reading> readings_;
};

}  // namespace vizd::thread_trace
