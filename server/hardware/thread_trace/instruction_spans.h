// The instructions of a trace's waves as spans of cycles, and what the traced SIMD's units executed: what a timeline
// shows. An instruction has the cycles that the heat counts as its own (heat.h), so the spans of a wave follow each
// other without a gap from its first instruction to its end. Of CDNA, and of a wave whose place in the program is not
// known, they are what the packets call them, each until the next. Pure; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "disasm/amd/code_listing.h"
#include "hardware/thread_trace/packet.h"

namespace vizd::thread_trace {

struct IssuedInstruction {
  std::uint32_t simd = 0, slot = 0;
  std::optional<std::uint32_t> place = {};  // in the listing
  std::string_view operation = {};          // as its packet has it; "" where it has none
  std::int64_t start_cycle = 0;
  std::int64_t issue_cycle = 0;  // of its packet: a wait begins before
};

struct UnitExecution {
  std::string_view unit;    // "VALU", "TFU", "LDS"
  std::string_view source;  // as its packet has it: "VALU", "LDS_ALT"
  std::int64_t start_cycle = 0, end_cycle = 0;
  std::optional<std::uint64_t> instruction = {};  // that it is of, as begin() returned it
};

// Where the spans go.
class SpanSink {
 public:
  virtual ~SpanSink() = default;
  // An instruction begins; what it is told by from now on.
  virtual std::uint64_t begin(const IssuedInstruction& instruction) = 0;
  // It ends. has_ended: else the trace, or what is known of its wave, ended first.
  virtual void end(std::uint64_t instruction, std::int64_t end_cycle, bool has_ended) = 0;
  virtual void execute(const UnitExecution& execution) = 0;
  // Asked after every instruction: whether there is no more room, or time.
  virtual bool is_full() const = 0;
};

// listing: null where none is known. Returns how many executions there were of which no dispatch was seen.
std::uint64_t walk_spans(std::span<const std::byte> trace, amd::Family family, const amd::CodeListing* listing,
                         SpanSink& sink);

}  // namespace vizd::thread_trace
