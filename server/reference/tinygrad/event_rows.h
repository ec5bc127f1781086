// The rows that `vizd events` prints: of all lanes or of one, all of the time or between two markers, by time or summed
// up by name; as tinygrad's own command line makes them (viz/cli.py). Pure.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "reference/tinygrad/event_words.h"
#include "reference/tinygrad/lanes.h"

namespace vizd {

struct EventSelection {
  const ReferenceLane* lane = nullptr;                                     // null: all
  std::optional<std::pair<std::uint32_t, std::uint32_t>> between_us = {};  // both inclusive
};

// The names that took the longest, at most so many and then all others as one; all where it is negative.
std::vector<TopRow> top_rows(const ReferenceProfile& profile, const EventSelection& selection, std::int64_t most);

// Markers and events by time; before them the lanes without events, where all are meant.
std::vector<EventRow> event_rows(const ReferenceProfile& profile, const EventSelection& selection);

}  // namespace vizd
