#include "cli/memory/holder_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/answers/device_answers.h"
#include "base/amount_text.h"
#include "base/clean_text.h"
#include "base/standard_streams.h"
#include "cli/devices/answer_records.h"
#include "cli/memory/memory_inputs.h"

namespace vizd {
namespace {

void print_group(const LoadedCapture& loaded, std::uint32_t lane, const AllocationOrigins& origins, HolderGroup group,
                 std::size_t limit, bool json) {
  const Capture& capture = loaded.capture;
  const Track& track = capture.profile.tracks[lane];
  const LaneMemory& memory = loaded.timeline.lanes[lane].memory;
  const std::string_view by = kHolderGroupNames[static_cast<std::size_t>(group)];
  const MemoryHolders holders(capture, loaded.timeline, lane, origins, group);
  const std::size_t peak = peak_moment(memory);
  const std::uint64_t bytes = live_bytes(memory, peak);
  const std::int64_t at_ns = memory.layout.peak_ns - capture.profile.start_ns;
  const std::vector<MemoryHolder> rows = holders.list(peak, 0);
  std::vector<HolderLine> lines;
  for (const MemoryHolder& row : first_rows(rows, limit)) lines.push_back({capture, track, holders, row, bytes});
  if (!json) {
    print_answer("{}: {} at the peak, {} after the start, by {}\n", one_line(capture.strings.get(track.name), false),
                 bytes_text(bytes), duration_text(static_cast<double>(at_ns)), by);
    shown_records(choose_fields(holder_fields(), "bytes share_pct allocations largest_bytes name modules"), lines)
        .print(stdout, false);
    return print_answer("\n");
  }
  std::string text;
  for (const HolderLine& line : lines) {
    JsonWriter writer(text);
    write_row(writer, holder_fields(), line, [&](JsonWriter& more) {
      more.key("record").text("holder").key("memory").text(capture.strings.get(track.name));
      more.key("by").text(by).key("at_ns").number(at_ns);
    });
    text += '\n';
  }
  print_answer("{}", text);
}

}  // namespace

bool has_allocations(const Capture& capture) {
  return std::ranges::any_of(capture.profile.tracks, [](const Track& track) { return !track.allocations.empty(); });
}

void print_holders(const LoadedCapture& loaded, std::span<const std::string> groups, std::size_t limit, bool json) {
  const auto& tracks = loaded.capture.profile.tracks;
  for (std::uint32_t lane = 0; lane < tracks.size(); ++lane) {
    if (tracks[lane].allocations.empty()) continue;
    const AllocationOrigins origins = find_allocation_origins(loaded.capture, loaded.timeline, lane);
    for (const std::string& group : groups) print_group(loaded, lane, origins, *holder_group(group), limit, json);
  }
}

}  // namespace vizd
