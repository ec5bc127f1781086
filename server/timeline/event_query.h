// EventQuery: what a person types to find events, and the events that it finds. Words are looked for in names,
// categories and texts of arguments; NAME:VALUE, NAME=VALUE, NAME<VALUE and so on ask for an argument, or for dur and
// category. Any thread; the capture is only read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/capture.h"
#include "timeline/picks.h"
#include "timeline/timeline.h"

namespace vizd {

enum class Comparison : std::uint8_t { kHolds, kEqual, kUnequal, kLess, kAtMost, kMore, kAtLeast };

// A condition on an event's argument, its duration ("dur", in nanoseconds) or its category.
struct EventCondition {
  std::string name;  // in lower case
  Comparison comparison = Comparison::kHolds;
  std::string text;              // in lower case
  std::optional<double> number;  // where the text is one: "1.5e6", "4k", "16KiB", "20us"
};

struct EventQuery {
  std::string text;  // plain, in lower case
  bool in_names_only = false;
  std::vector<EventCondition> conditions;
};

// A word is a condition only where what stands before its sign is the name of an argument of the profile, dur or
// category: names of C++ functions have signs too. With quotation picks around it, the text is looked for as it is, in
// names alone.
EventQuery parse_event_query(const Capture& capture, std::string_view text);

// Events for which all of the query holds; none where it asks for nothing. Letters of ASCII in any case, without colour
// codes. kEqual of a text is the whole text, kHolds a part of it; of a number both are the same value. An event without
// the argument fits none of its conditions, not even kUnequal.
Picks find_by_query(const Capture& capture, const Timeline& timeline, const EventQuery& query, unsigned threads,
                    const Budget& budget = {});
Picks find_by_text(const Capture& capture, const Timeline& timeline, std::string_view text, unsigned threads,
                   const Budget& budget = {});

// The number that begins a text like "1.5e6", "4k", "16KiB" or "20us", times in nanoseconds; none where it is no
// number.
std::optional<double> parse_quantity(std::string_view text);

}  // namespace vizd
