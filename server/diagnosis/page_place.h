// Ids of things in a capture, and where the page shows them. An id is a word and a number or name, "slice:17", and
// means the same in the answers of commands, in SQL (slice.id, match.id, …) and in `vizd open`:
//
//   slice:N      an event, by its number among all events, track after track     pass:N, match:N   by theirs
//   time:A..B    a stretch of time, in nanoseconds from the profile's start      context:N         likewise
//   kernel:NAME  all launches of that name       memory:N          the memory of a track
//   track:N      a track, at its first event
//   rule:FILE:LINE   a rule of the compiler
//   view:ID      a view of the page
//
// Numbers of events are those of a prepared timeline. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "model/capture.h"

namespace vizd {

// As keys of the page's URL.
struct PagePlace {
  std::string view;
  std::vector<std::pair<std::string, std::string>> keys;

  // {"view": …, "keys": {…}}: the page's Link.
  void write(JsonWriter& json) const;
  // "view=timeline&capture=NAME&time=1..2", without '#'; of the first capture where that has no name.
  std::string fragment(std::string_view capture_name) const;
};

std::string slice_id(const Profile& profile, std::uint32_t track, std::uint32_t event);
// The id of a time range on the capture's clock.
std::string time_id(const Profile& profile, std::int64_t from_ns, std::int64_t to_ns);
inline std::string kernel_id(std::string_view name) { return "kernel:" + std::string(name); }
inline std::string match_id(std::uint32_t match) { return "match:" + std::to_string(match); }
inline std::string pass_id(std::uint32_t pass) { return "pass:" + std::to_string(pass); }

// Whether the word begins as an id does.
bool is_id(std::string_view word);
// An error says what is wrong with the id, or that the capture has no such thing.
Result<PagePlace> page_place(const Capture& capture, std::string_view id);

}  // namespace vizd
