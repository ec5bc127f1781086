// A made profile with its timeline, and all of its rows and lanes.
#pragma once

#include <memory>
#include <vector>

#include "support/made_profile.h"
#include "timeline/tiles.h"
#include "timeline/timeline.h"

namespace vizd {

struct MadeTimeline {
  std::unique_ptr<Capture> capture = std::make_unique<Capture>();
  Timeline timeline;
  std::vector<LaneRow> rows;
  std::vector<std::uint32_t> lanes;

  explicit MadeTimeline(const MadeProfile& made) {
    fill_profile(made, *capture);
    timeline = prepare_timeline(*capture, 2);
    for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane) {
      lanes.push_back(lane);
      for (std::uint32_t row = 0; row < timeline.lanes[lane].row_count(); ++row) rows.push_back({lane, row});
    }
  }
  const EventColumns& events(std::uint32_t lane) const { return capture->profile.tracks[lane].events; }
};

}  // namespace vizd
