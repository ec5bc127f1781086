// EventFlows: the flows of a profile as numbers beside the events, so that Perfetto's reader finds them. That reader
// goes through events by time, and at one time in the file's order: of a flow the event that it meets first begins it,
// and the other ends it. Arrows to stages of GPUs and from them are told by the stages' numbers. Refers to the profile.
// One thread.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "formats/perfetto/protozero.h"
#include "formats/perfetto/slice_lanes.h"
#include "formats/perfetto/stage_writer.h"
#include "model/profile.h"

namespace vizd::perfetto {

// When an event ends, as it is written.
inline std::int64_t written_end_ns(const EventColumns& events, std::uint32_t i) {
  return events.kind(i) == EventKind::kUnfinished ? SliceLanes::kNever_ns : events.end_ns(i);
}

// The order in which the events of a track are written.
bool is_written_before(const EventColumns& events, std::uint32_t a, std::uint32_t b);

class EventFlows {
 public:
  EventFlows(const Profile& profile, const StageNumbers& stages);

  // Into the packet of that event.
  void put(protozero::pbf_writer& event, std::uint32_t track, std::uint32_t i) const;
  // The same where the event is written as a stage of a GPU's.
  void put_waits(protozero::pbf_writer& stage, std::uint32_t track, std::uint32_t i) const;

  // Whether that is the number of a flow of vizd's that leads to what began before its source, as clocks that differ
  // make it: Perfetto has no words for these, and draws them from the earlier to the later.
  static bool is_turned(std::uint64_t number) { return number >> 32 == kOwn && (number & 1) != 0; }

 private:
  static constexpr std::uint64_t kOwn = 0x76697a64;  // "vizd": what the numbers of its flows begin with

  using Number = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;  // track, event, number
  // Calls put(number) for each that is of the event.
  template <typename Put>
  static void for_each(const std::vector<Number>& numbers, std::uint32_t track, std::uint32_t i, Put&& put);

  std::vector<Number> begun_, ended_;  // sorted
  // The numbers of the stages that the event launched, and of those that lead to it.
  std::vector<Number> launched_, awaited_;
};

}  // namespace vizd::perfetto
