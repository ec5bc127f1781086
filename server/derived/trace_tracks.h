// Fills a profile that counts cycles with the waves, instructions and executions of a run's thread traces. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "derived/trace_source.h"
#include "disasm/amd/code_listing.h"
#include "hardware/records.h"
#include "hardware/thread_trace/instruction_spans.h"
#include "hardware/thread_trace/waves.h"
#include "model/capture.h"
#include "model/named_tracks.h"

namespace vizd {

class TraceTracks {
 public:
  // listing: null where the program's code cannot be read.
  TraceTracks(Capture& capture, amd::Family family, const amd::CodeListing* listing, TraceWindow window);

  // shift_cycles: from the trace's own cycles to those of the axis.
  void add(const hardware::ThreadTrace& trace, std::int64_t shift_cycles, const SourceReading& reading);
  // In the capture's notes.
  void note_what_is_missing();

 private:
  class Sink;

  std::uint32_t slot_track(std::uint32_t engine, std::uint32_t unit, std::uint32_t simd, std::uint32_t slot);
  std::uint32_t unit_track(std::uint32_t engine, std::string_view unit);
  void add_waves(const thread_trace::Waves& waves, std::uint32_t engine, std::int64_t shift_cycles);
  void add_clock(const hardware::ThreadTrace& trace, std::uint32_t engine, std::int64_t shift_cycles);

  Capture& capture_;
  NamedTracks named_;
  const amd::Family family_;
  const amd::CodeListing* const listing_;
  const TraceWindow window_;
  struct Line {
    StringId text{}, pc{}, category{};
  };
  std::vector<Line> lines_;  // by place in the listing
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> slots_;
  std::uint64_t seen_ = 0;  // instructions
  std::uint64_t unlinked_ = 0, unplaced_ = 0, begun_before_ = 0, impossible_ = 0;
};

}  // namespace vizd
