// All that an allocator's log says, as text: two that print alike are alike.
#pragma once

#include <fmt/format.h>

#include <string>

#include "model/allocator_log.h"
#include "model/capture.h"

namespace vizd {

inline std::string allocator_text(const Capture& capture, const Track& track) {
  if (track.allocator == nullptr) return "no log\n";
  const AllocatorLog& log = *track.allocator;
  const auto word = [&](StringId id) { return capture.strings.get(id); };
  std::string all = fmt::format("device {} times {} exact {} mismatched {}\n", log.device, log.has_times, log.is_exact,
                                log.mismatched);
  for (const StringId action : log.actions) all += fmt::format("action {}\n", word(action));
  for (const AllocatorPool& of : log.pools) {
    all += fmt::format("pool {} {} {} {} {}\n", of.stream, of.first, of.second, of.is_stream_negative, of.is_known);
  }
  for (const AllocationSite& of : log.sites) {
    all += fmt::format("site {} {} {} {} {} {} {} {} {}\n", of.depth, word(of.frame), word(of.file),
                       word(of.forward_frame), word(of.operation), word(of.phase), word(of.compile_context),
                       word(of.metadata), word(of.category));
    for (const StackId stack : {of.stack, of.forward}) {
      for (const Frame& frame : frames_of(capture.stacks, stack))
        all += fmt::format("  {} {} {} {}\n", word(frame.function), word(frame.file), frame.line, word(frame.code));
    }
  }
  for (std::size_t i = 0; i < log.entries.size(); ++i) {
    all += fmt::format("entry {} {} {} {}\n", static_cast<int>(log.entries.action[i]), log.entries.at_ns[i],
                       log.entries.address[i], log.entries.size_bytes[i]);
  }
  const AllocatorLives& lives = log.lives;
  for (std::size_t i = 0; i < lives.size(); ++i) {
    all += fmt::format("life {} {} {} {} {} {} {}\n", lives.requested_bytes[i], lives.born[i], lives.freed[i],
                       lives.completed[i], lives.pool[i], lives.site[i], lives.flags[i]);
  }
  for (const AllocatorSegment& of : log.segments.span()) {
    all += fmt::format("segment {} {} {} {} {} {} {}\n", of.address, of.size_bytes, of.from, of.to, of.pool,
                       of.is_expandable, of.has_large_pages);
  }
  return all;
}

}  // namespace vizd
