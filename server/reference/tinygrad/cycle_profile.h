// Lanes whose times are cycles of a GPU, as tinygrad's viewer sends them: in the layout of its /get_profile, in the
// order of the first numbers in their names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace vizd {

struct CycleEvent {
  std::uint32_t name = 0;  // into CycleProfile::names
  std::int64_t start_cycle = 0, end_cycle = 0;
  std::string details = "{}";  // JSON
};

struct CycleLane {
  std::string name;
  std::vector<CycleEvent> events;  // by time or nearly: those that start together stay in order
};

struct CycleProfile {
  std::vector<std::string> names;
  std::vector<CycleLane> lanes;
  std::vector<std::pair<std::int64_t, std::uint64_t>> clock;  // cycle and Hz
  std::string index_fields;  // of the index, besides its own: "\"pcMap\": {…}", or none
};

// Events of no length are left out, and lanes without events. Errors: cycles beyond the layout's 32 bits.
Result<std::string> encode(const CycleProfile& profile);

}  // namespace vizd
