// Reads arbitrary bytes as a core's file of a TPU profile and as a CDMA port's, as vizd does and as the originals do,
// and prepares the timeline of what comes out.
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/assert.h"
#include "formats/bigtpu/format.h"
#include "formats/bigtpu/summary.h"
#include "reference/bigtpu/original.h"
#include "timeline/timeline.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  (void)bigtpu::sniff({bytes});
  bigtpu::ProfileFolder folder{.name = "fuzz", .global = bigtpu::read_global_file(bytes), .cores = {}, .ports = {}};
  folder.chip = size % 2 == 0 ? &bigtpu::kAks : &bigtpu::kAksv;
  folder.global->lines.push_back({"arch", size % 2 == 0 ? "5" : "6", true});
  folder.cores.push_back({"cdmlib0_0.profile", 0, bigtpu::read_blocks(bytes)});
  folder.cores.push_back({"cdmlib0_1.profile", 1, bigtpu::read_blocks(bytes)});
  folder.ports.push_back({"cdma_2.profile", 2, bigtpu::read_blocks(bytes)});
  const auto ignore = [](std::string_view) {};
  for (const auto reader : {bigtpu::Reader::kOriginal030, bigtpu::Reader::kOriginal037}) {
    if (const auto original = bigtpu::read_as_original(folder, reader, std::nullopt))
      (void)bigtpu::write_original(*original, ignore);
  }
  bigtpu::Device device(folder);
  bigtpu::write_summary(device, 1000, folder.name, ignore);
  Capture capture;
  VIZD_ASSERT(bigtpu::read_folders({folder}, std::nullopt, capture).has_value());
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
