// Reads arbitrary bytes as an ETDump, with the same bytes as its debug buffer: as vizd does and as the Inspector does,
// as records, as a table, and as a timeline.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "formats/etdump/format.h"
#include "formats/etdump/tracks.h"
#include "reference/inspector/summary.h"
#include "reference/inspector/table.h"
#include "timeline/timeline.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  (void)etdump::sniff({bytes});
  const auto file = etdump::EtdumpFile::open(bytes, "fuzz");
  if (!file) return 0;
  const auto ignore = [](std::string_view) {};
  (void)inspector::write_runs(*file, ignore);
  const etdump::Sources sources{.file = &*file, .debug_buffer = bytes};
  for (const bool is_reference : {false, true}) {
    etdump::Settings settings;
    settings.is_reference = is_reference;
    const auto inspection = inspector::inspect(sources, settings);
    if (!inspection) continue;
    inspector::write_summary(*inspection, nullptr, ignore);
    inspector::write_table(*inspection, '\t', ignore);
  }
  Capture capture;
  if (!etdump::add_tracks(sources, {}, {}, capture)) return 0;
  VIZD_ASSERT(capture.profile.start_ns <= capture.profile.end_ns);
  for (const Track& track : capture.profile.tracks) {
    for (const Event event : track.events) {
      VIZD_ASSERT(event.dur_ns >= 0 && event.start_ns >= capture.profile.start_ns);
      VIZD_ASSERT(event.start_ns + event.dur_ns <= capture.profile.end_ns);
    }
  }
  prepare_timeline(capture, 1);
  return 0;
}
