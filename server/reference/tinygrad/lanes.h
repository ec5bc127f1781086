// A profile as tinygrad's viewer lays it out, read back from the body that its /get_profile has: what tinygrad's own
// command line prints. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/capture.h"

namespace vizd {

struct ReferenceEvent {
  std::string name;  // with its colours
  std::optional<std::uint32_t> context;
  std::uint32_t at_us = 0;
  float dur_us = 0;
  std::string details;  // JSON; of an older capture a text
};

struct ReferenceUser {
  std::uint32_t run = 0;
  std::string name;
  std::uint32_t argument = 0;
  std::uint8_t mode = 0;  // 0 reads, 1 writes, 2 both
};

struct ReferenceChange {
  bool is_alloc = false;
  std::uint32_t at_us = 0;
  std::uint64_t key = 0;  // of the buffer
  std::string dtype;
  std::uint64_t count = 0;
  std::vector<ReferenceUser> users;  // of what is freed
};

struct ReferenceLane {
  enum class Kind { kEvents, kMemory, kLine } kind = Kind::kEvents;
  std::string name;
  std::vector<ReferenceEvent> events;
  std::vector<ReferenceChange> changes;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> points;  // us, value
  std::uint64_t peak = 0;
};

struct ReferenceMarker {
  std::string name;
  std::uint32_t at_us = 0;
};

struct ReferenceProfile {
  std::uint32_t dur_us = 0;
  std::vector<ReferenceLane> lanes;
  std::vector<ReferenceMarker> markers;
};

// Errors: those of reference_profile().
Result<ReferenceProfile> reference_lanes(const Capture& capture);

}  // namespace vizd
