// CollatedEvent: the profile and debug events of a run that are of one call. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
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

// For other ways to collate: an instruction, or a delegate's part of one, and what makes the event the same one in
// another run.
using InstructionKey = std::tuple<std::int32_t, std::int64_t, std::int32_t, std::string_view>;
struct InstructionHash {
  std::size_t operator()(const InstructionKey& key) const;
};
InstructionKey instruction_key(const EventIdentity& of);
void sign(const Run& run, CollatedEvent& event);

}  // namespace vizd::etdump
