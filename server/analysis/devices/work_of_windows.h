// WorkOfWindows: the work of a device that tells of windows of time, one window after another: what runs or waits in
// it, and the nearest before and after it, by which its gaps are known. Refers to the work. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/devices/device_work.h"

namespace vizd {

using WorkPlaces = std::vector<std::uint32_t>;  // places in DeviceWork::items

class WorkOfWindows {
 public:
  // items: in order of their starts.
  WorkOfWindows(const DeviceWork& work, const WorkPlaces& items);

  // In order of their starts; at least one where there are items. Each window begins where the one before ended, or
  // later.
  WorkPlaces next(const TimeSpan& window);

 private:
  std::int64_t start_of(std::uint32_t i) const { return work_.items[i].start_ns; }
  std::int64_t end_of(std::uint32_t i) const { return work_.items[i].end_ns; }
  // When it was launched, from when on it waited.
  std::int64_t begin_of(std::uint32_t i) const;

  const DeviceWork& work_;
  const WorkPlaces& by_start_;
  WorkPlaces by_begin_, open_;  // open: begun, and not known to have ended
  std::size_t next_ = 0;        // in by_begin_
  std::uint32_t last_ended_ = kNoId;
};

}  // namespace vizd
