#include "reference/bigtpu/workbook_sheets.h"

namespace vizd::bigtpu {

void add_sheets(const Capture& capture, std::span<const EngineLane> lanes, Workbook& book) {
  const WorkbookLanes of(capture, lanes);
  add_engine_summary(of, book);
  add_lane_sheets(of, book);
}

}  // namespace vizd::bigtpu
