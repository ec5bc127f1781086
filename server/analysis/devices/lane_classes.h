// LaneClasses: of which class the work of each lane is (computing, communication, memory), by the name of the event,
// and which lanes launched work of others: by what the timeline orders and colours lanes. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/capture.h"
#include "timeline/timeline.h"

namespace vizd {

struct LaneClasses {
  // By Timeline::names, of the first of them: 'c' computing, 'x' communication, 'm' memory, '-' no work of a device.
  std::string of_names;
  struct Lane {
    std::int64_t compute_ns = 0, communication_ns = 0, memory_ns = 0;  // sums of the work in it
    std::int64_t busy_ns = 0;                                          // in which any of it runs
    std::uint64_t launches = 0;                                        // flows from its events to work in other lanes

    bool has_work = false;
  };
  std::vector<Lane> lanes;  // as Profile::tracks

  std::size_t memory_bytes() const { return of_names.size() + lanes.size() * sizeof(Lane); }
};

// Names beyond so many, which have the least time, have no class.
inline constexpr std::size_t kMostClassedNames = 65'536;

LaneClasses find_lane_classes(const Capture& capture, const Timeline& timeline);

}  // namespace vizd
