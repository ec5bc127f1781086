// TraceCapture: the thread traces of one run of a program as a capture of its own, whose profile counts cycles of the
// shader's clock where others count nanoseconds: a cycle takes less than one. So all that timelines do, tiles, search,
// figures, links, is done with instructions too. Its tracks are shader engines, in them the compute units (of RDNA the
// WGPs), the SIMDs, and in those the wave slots, with the waves and the instructions that they issued, and the units
// that executed them, each execution linked from its dispatch. Read-only, any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "derived/derived.h"
#include "session/loaded_capture.h"

namespace vizd {

// "c0~2" names the third run of the capture c0, as recorded_runs() has them; "c0~2.1" the second part of a long one.
struct TraceId {
  std::string capture;
  std::uint32_t run = 0;
  std::uint32_t part = 0;
};
// Nothing where the id is that of a capture as it was read.
std::optional<TraceId> parse_trace_id(std::string_view id);

struct TraceCapture {
  // So many instructions make a part.
  static constexpr std::uint64_t kMostInstructions = 8'000'000;

  LoadedCapture loaded;
  std::uint64_t instructions = 0;  // of the whole run
  std::uint32_t parts = 1;
  std::uint32_t program = kNoId;  // its place in Rewrites::programs of the capture that it is of
  // Pairs of cycles since the profile's start and of nanoseconds since the first of them, by the shader's reading of
  // the real-time clock; none where the trace has none.
  std::vector<std::int64_t> clock_cycle, clock_ns;
  // From its first event to its last, since the profile's start: a trace goes on long before and after its waves.
  std::int64_t work_from_cycle = 0, work_to_cycle = 0;

  std::size_t memory_bytes() const;  // about

 private:
  friend class TraceCaptureBuilder;
  // What was made from this is given up with the capture that it is of.
  std::unique_ptr<std::stop_callback<std::function<void()>>> when_unloaded_;
};

// Joins the making of it. Errors: there is no such run, no trace of it, no such part.
Derived::Ticket<TraceCapture> trace_capture(Derived& store, const std::shared_ptr<const LoadedCapture>& capture,
                                            const TraceId& id);

}  // namespace vizd
