// Reads arbitrary bytes as a native capture, twice: as they are, and, since the checksums refuse most damage, with
// every chunk's checksum put right first. What opens is written in every format that there is.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/assert.h"
#include "formats/registry.h"
#include "reference/trace_file/trace_summary.h"
#include "rewrite/history.h"
#include "timeline/timeline.h"
#include "vizd/capture_format.h"

using namespace vizd;

namespace {

constexpr std::size_t kMostReplayedOps = 2000;

void check(const Capture& capture) {
  for (std::size_t i = 0; i < capture.ops.size(); ++i) {
    for (const OpId source : capture.ops.src(to_id<OpId>(i))) VIZD_ASSERT(index(source) < i);
  }
  for (std::size_t i = 0; i < capture.values.size(); ++i) {
    const auto id = to_id<ValueId>(i);
    for (const ValueId item : capture.values.items(id)) VIZD_ASSERT(index(item) < i);
    VIZD_ASSERT(index(capture.values.equality(id)) < capture.values.size());
    if (capture.values.kind(id) == ValueKind::kOp) {
      VIZD_ASSERT(index(capture.values.as_op(id)) < capture.ops.size());
    }
  }
  for (const Match& match : capture.rewrites.matches) {
    VIZD_ASSERT(index(match.before) < capture.ops.size() && index(match.after) < capture.ops.size());
    VIZD_ASSERT(index(match.rule) < capture.rewrites.locations.size());
  }
  for (const Pass& pass : capture.rewrites.passes) {
    VIZD_ASSERT(index(pass.sink) < capture.ops.size() && index(pass.location) < capture.rewrites.locations.size());
    // Only captures with texts of their own: another dialect's arguments may be anything here.
    if (capture.format == "vizd" && capture.ops.size() < kMostReplayedOps && pass.match_count < 100) {
      if (!build_history(capture, pass, {})) continue;
    }
  }
  for (const Flow flow : capture.profile.flows.span()) {
    VIZD_ASSERT(flow.from_event < capture.profile.tracks[flow.from_track].events.size());
    VIZD_ASSERT(flow.to_event < capture.profile.tracks[flow.to_track].events.size());
  }
}

void read(const std::uint8_t* data, std::size_t size) {
  Capture capture;
  if (!read_capture({"fuzz", {reinterpret_cast<const std::byte*>(data), size}}, capture)) return;
  check(capture);
  for (const Format* const format : formats()) {
    if (format->writer == nullptr || (format->writer->needs_profile && !capture.has_profile)) continue;
    format->writer->write(capture, {.level = 1}, [](std::string_view) {});
  }
  static_cast<void>(summarize_trace(capture));
  prepare_timeline(capture, 1);
}

void mend_checksums(std::vector<std::uint8_t>& bytes) {
  std::size_t at = capture::kFileHeaderBytes;
  while (at + capture::kChunkHeaderBytes <= bytes.size()) {
    capture::ChunkHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    if (header.stored_bytes > bytes.size() - at - sizeof header) return;
    header.marker = capture::kChunkMarker;
    header.checksum = capture::crc32(bytes.data() + at + 8, sizeof header - 8 + header.stored_bytes);
    std::memcpy(bytes.data() + at, &header, 8);
    at += (sizeof header + header.stored_bytes + 7) / 8 * 8;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(data, size);
  std::vector<std::uint8_t> bytes(data, data + size);
  mend_checksums(bytes);
  read(bytes.data(), bytes.size());
  return 0;
}

#ifdef VIZD_FUZZ
#include "fuzz/native_mutation.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return fuzz::change_input(data, size, max_size, seed, fuzz::change_native);
}
#endif
