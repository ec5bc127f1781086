// Reads arbitrary bytes as a Chrome trace, prepares the timeline of what comes out, and writes it again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.h"
#include "formats/chrome_trace/format.h"
#include "reference/trace_file/trace_summary.h"
#include "timeline/timeline.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Capture capture;
  OpenSet set({"fuzz", {reinterpret_cast<const std::byte*>(data), size}});
  if (!chrome_trace::read(set, 1, capture)) return 0;
  VIZD_ASSERT(capture.profile.start_ns <= capture.profile.end_ns);
  const auto summaries = summarize_trace(capture);
  VIZD_ASSERT(!summaries.empty());
  std::string text;
  chrome_trace::write(capture, {}, [&](std::string_view part) { text += part; });
  prepare_timeline(capture, 1);
  Capture again;
  OpenSet written({"written", std::as_bytes(std::span(text))});
  VIZD_ASSERT(chrome_trace::read(written, 1, again).has_value());
  return 0;
}
