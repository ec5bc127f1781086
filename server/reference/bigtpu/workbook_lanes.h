// WorkbookLanes: a capture's engines as the workbook's sheets count them, and the words that the sheets share. Refers
// to the capture. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/workbook.h"
#include "formats/bigtpu/engine_lanes.h"
#include "reference/bigtpu/lane_sums.h"

namespace vizd::bigtpu {

struct WorkbookLanes {
  struct Lane {
    EngineLane of;
    LaneCommands commands;
    LaneSums sums;
  };

  // What the lanes of one core, or those of a device's ports, say together.
  struct Core {
    std::string device;
    std::int64_t number = 0;
    const Lane* engines[4] = {};
  };

  WorkbookLanes(const Capture& of, std::span<const EngineLane> engines);

  double cycles_per_second(const Lane& lane) const;
  // The chip as the capture's facts name it.
  std::string_view platform() const;
  std::vector<Core> cores() const;

  const Capture& capture;
  std::deque<Lane> lanes;
  bool has_devices = false;  // more than one
};

double ratio(std::int64_t part, std::int64_t whole);
std::string share_text(std::int64_t part, std::int64_t whole);
double gigabytes_per_second(const Moved& moved, double hertz);
// Headings from column on, which is moved behind them.
void put_headings(Workbook::Sheet& sheet, std::uint32_t row, std::span<const std::string_view> texts,
                  std::uint16_t& column);

}  // namespace vizd::bigtpu
