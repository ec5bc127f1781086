// Marked events by what they are rather than when: the longest first, by name, by an argument. Any thread; the capture
// is only read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "model/capture.h"
#include "timeline/event_json.h"
#include "timeline/picks.h"

namespace vizd {

struct EventOrder {
  enum class By : std::uint8_t { kStart, kDuration, kName, kArgument };
  By by = By::kStart;
  std::string argument = {};  // its name
  bool descending = false;
};

// "start", "dur", "name" or "argument:NAME", with a '-' before it for the last first.
std::optional<EventOrder> parse_event_order(std::string_view text);

// The first of the picked events of those lanes; equal ones by start. Events without the argument come last, whichever
// way; texts come after numbers. Costs a look at each picked event, and keeps `limit` of them.
std::vector<EventPlace> marked_in_order(const Capture& capture, const Picks& picks,
                                        const std::vector<std::uint32_t>& lanes, const EventOrder& order,
                                        std::size_t limit, const Budget& budget = {});

}  // namespace vizd
