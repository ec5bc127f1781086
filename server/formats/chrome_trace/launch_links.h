// What launched what in a trace, by the numbers that calls, work and operators have in common. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/huge_pages.h"
#include "model/capture.h"

namespace vizd::chrome_trace {

// The rank that each track hangs on, where a file holds several: numbers are each rank's own.
class RootOfTrack {
 public:
  // roots: the tracks of the ranks; none where there are none.
  RootOfTrack(const std::vector<Track>& tracks, std::uint32_t first_track, const std::vector<std::uint32_t>& roots);

  std::uint32_t of(std::uint32_t track) const { return roots_.empty() ? kNoId : roots_[track - first_track_]; }

 private:
  const std::uint32_t first_track_;
  std::vector<std::uint32_t> roots_;  // of the tracks from the first on
};

// Adds flows from calls to the work with their correlation, and from operators to work that names one and no call.
void link_launches(const Capture& capture, std::uint32_t first_track, const RootOfTrack& roots,
                   LargeVector<Flow>& flows);

}  // namespace vizd::chrome_trace
