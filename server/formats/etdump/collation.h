// Collation: which profile and debug events of a run are of one another, as the Inspector tells it or so that each
// stays. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/etdump/etdump_file.h"

namespace vizd::etdump {

struct CollatedEvent {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t profile = kNone;     // place in Run::profile_events; kNone: it only logged values
  std::vector<std::uint32_t> debug;  // places in Run::debug_events
  std::uint32_t occurrence = 0;      // how many equal events come before it
  std::string signature;             // what makes it the same event in another run

  bool is_timed() const { return profile != kNone; }
};

// In the order in which they ended, each profile event. A debug event is of the execution of its instruction during
// which it was logged.
std::vector<CollatedEvent> collate(const Run& run);

// As the Inspector does: all debug events of an instruction belong to each of its profile events, and of equal ones the
// last stays, in the place of the first.
std::vector<CollatedEvent> collate_as_inspector(const Run& run);

}  // namespace vizd::etdump
