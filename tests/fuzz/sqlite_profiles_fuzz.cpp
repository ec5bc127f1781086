// Reads arbitrary bytes as a profile in SQLite, and prepares the timeline of what comes out.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "formats/sqlite_profiles/format.h"
#include "timeline/timeline.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Capture capture;
  if (!sqlite_profiles::read({"fuzz", {reinterpret_cast<const std::byte*>(data), size}}, capture)) return 0;
  VIZD_ASSERT(capture.profile.start_ns <= capture.profile.end_ns);
  for (const Track& track : capture.profile.tracks) {
    for (const Event event : track.events) {
      VIZD_ASSERT(event.dur_ns >= 0 && event.start_ns >= capture.profile.start_ns);
      VIZD_ASSERT(event.start_ns + event.dur_ns <= capture.profile.end_ns);
    }
    for (const std::uint32_t stack : track.samples.stack.span()) VIZD_ASSERT(stack < capture.stacks.size());
  }
  prepare_timeline(capture, 1);
  return 0;
}
