// Reads arbitrary bytes as a Perfetto trace, prepares the timeline of what comes out, and writes it again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.h"
#include "formats/perfetto/format.h"
#include "timeline/timeline.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Capture capture;
  OpenSet set({"fuzz", {reinterpret_cast<const std::byte*>(data), size}});
  if (!perfetto::read(set, 1, capture)) return 0;
  VIZD_ASSERT(capture.profile.start_ns <= capture.profile.end_ns);
  std::string bytes;
  perfetto::write(capture, {}, [&](std::string_view part) { bytes += part; });
  prepare_timeline(capture, 1);
  Capture again;
  OpenSet written({"written", std::as_bytes(std::span(bytes))});
  VIZD_ASSERT(perfetto::read(written, 1, again).has_value());
  return 0;
}

#ifdef VIZD_FUZZ
#include "fuzz/protobuf_mutation.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return fuzz::change_input(data, size, max_size, seed, fuzz::change_protobuf);
}
#endif
