// Reads arbitrary bytes as an XPlane file, makes its tables, and prepares the timeline of what comes out.
#include <cstddef>
#include <cstdint>
#include <string>

#include "analysis/xla/xla_breakdown.h"
#include "analysis/xla/xla_kernels.h"
#include "base/assert.h"
#include "formats/xplane/format.h"
#include "timeline/timeline.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Capture capture;
  OpenSet set({"fuzz", {reinterpret_cast<const std::byte*>(data), size}});
  if (!xplane::read(set, capture)) return 0;
  VIZD_ASSERT(capture.profile.start_ns <= capture.profile.end_ns);
  for (const XlaHost& host : capture.profile.xla->hosts) {
    VIZD_ASSERT(!host.planes.empty());
    for (const XlaWork& work : host.work) {
      VIZD_ASSERT(work.kind < host.kinds.size());
      VIZD_ASSERT(work.call == kNoId || work.call < host.calls.size());
      VIZD_ASSERT(work.drawn.start_ps <= work.drawn.end_ps && work.timed.start_ps <= work.timed.end_ps);
    }
  }
  xla_kernels(capture);
  xla_steps(capture);
  for (const XlaBreakdown& row : xla_breakdown(capture, 30'000))
    VIZD_ASSERT(row.busy_ns + row.idle_ns == row.end_ns - row.start_ns);
  prepare_timeline(capture, 1);
  return 0;
}

#ifdef VIZD_FUZZ
#include "fuzz/protobuf_mutation.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return fuzz::change_input(data, size, max_size, seed, fuzz::change_protobuf);
}
#endif
