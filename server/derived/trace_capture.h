// TraceCapture: what a GPU recorded of the waves of one run of a program as a capture of its own, whose profile counts
// cycles where others count nanoseconds: a cycle takes less than one. So all that timelines do, tiles, search, figures,
// links, is done with instructions too. Of AMD's thread traces its tracks are shader engines, in them the compute units
// (of RDNA the WGPs), the SIMDs, and in those the wave slots, with the waves and the instructions that they issued, and
// the units that executed them, each execution linked from its dispatch. Of NVIDIA's samples of program counters they
// are graphics clusters, TPCs, multiprocessors and warps, with what each waited for. Read-only, any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "derived/derived.h"
#include "derived/trace_source.h"
#include "session/loaded_capture.h"

namespace vizd {

// "c0~2" names the third run of the capture c0, as recorded_runs() has them; "c0~2.1" the second part of a long one;
// "c0~s2" the third of its recorded_samplings().
struct TraceId {
  std::string capture;
  bool is_sampling = false;
  std::uint32_t run = 0;  // or sampling
  std::uint32_t part = 0;
};
// Nothing where the id is that of a capture as it was read.
std::optional<TraceId> parse_trace_id(std::string_view id);

struct TraceCapture {
  // So many instructions or samples make a part.
  static constexpr std::uint64_t kMostOfPart = 8'000'000;

  LoadedCapture loaded;
  std::uint64_t instructions = 0;  // or samples, of the whole run; of a beginning those in it
  std::uint32_t parts = 1;
  std::uint32_t program = kNoId;  // its place in Rewrites::programs of the capture that it is of
  ClockLine clock;
  // From its first event to its last, since the profile's start: a trace goes on long before and after its waves.
  std::int64_t work_from_cycle = 0, work_to_cycle = 0;

  // What was shown of a long one while it was made; tiles of it may still be asked for.
  std::shared_ptr<const TraceCapture> beginning;

  std::size_t memory_bytes() const;  // about

 private:
  friend class TraceCaptureBuilder;
  // What was made from this is given up with the capture that it is of.
  std::unique_ptr<std::stop_callback<std::function<void()>>> when_unloaded_;
};

// Joins the making of it. The beginning of a long one is there in a moment (Ticket::so_far). Errors: there is no such
// run, no trace of it, no such part.
Derived::Ticket<TraceCapture> trace_capture(Derived& store, const std::shared_ptr<const LoadedCapture>& capture,
                                            const TraceId& id);

}  // namespace vizd
