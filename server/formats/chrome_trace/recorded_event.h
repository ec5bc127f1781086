// RecordedEvent: what an event's arguments say of the record that it was read of. Refers to the capture. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/chrome_trace/trace_roots.h"
#include "formats/profile_part.h"
#include "model/capture.h"

namespace vizd::chrome_trace {

struct RecordedEvent {
  std::optional<std::string_view> phase = {};
  std::optional<ArgumentValue> end_category = {}, end_thread = {};
  std::optional<ArgumentValue> thread = {};  // where it is not the track's
  std::string_view name_end = {};            // what follows the event's name
  bool has_scope = false, has_id = false;
  std::vector<std::tuple<std::string_view, ArgumentValue, StringId>> members = {}, arguments = {};
  std::optional<std::pair<ArgumentValue, StringId>> category = {}, other_arguments = {};

  // Forgets the last event, and takes what is there of that one.
  void read(const ProfileSelection& selection, const StringTable& strings, const TraceRoots& roots, std::uint32_t track,
            std::uint32_t event);
};

}  // namespace vizd::chrome_trace
