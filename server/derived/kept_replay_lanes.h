// KeptReplayLanes: the steps and replays of a capture's graphs as a timeline of their own, which is drawn among the
// lanes of the capture. Made once; reading may be done by any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "derived/kept_replays.h"

namespace vizd {

struct KeptReplayLanes {
  std::shared_ptr<const LoadedCapture> lanes;  // unloaded with the capture that they are of
  std::vector<std::uint32_t> over;             // by track of it: the lane of the capture that it is drawn over; kNoId
  std::string key;                             // by which routes know it: that of the capture's timeline and its own

  std::size_t memory_bytes() const;  // about
};

std::shared_ptr<const KeptReplayLanes> make_replay_lanes(const KeptReplays& replays);

}  // namespace vizd
