#include "reference/bigtpu/lane_sums.h"

#include <algorithm>

namespace vizd::bigtpu {

Memory memory_of(std::string_view direction) {
  if (direction.find("DDR") != std::string_view::npos) return Memory::kDdr;
  return direction.find("L2M") != std::string_view::npos ? Memory::kL2 : Memory::kNone;
}

LaneSums sums_of(const LaneCommands& commands) {
  LaneSums sums;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::int64_t start = commands.start_cycle(i), cycles = commands.cycles(i);
    sums.first = std::min(sums.first, start);
    sums.last = std::max(sums.last, start + cycles - 1);
    if (commands.is_wait(i)) sums.wait_cycles += cycles;
    if (!commands.is_working(i)) continue;
    ++sums.commands;
    sums.cycles += cycles;
    sums.stall_cycles += commands.integer(i, "GIF stall");
    sums.busy.push_back({start, start + cycles});
    const Memory memory = memory_of(commands.text(i, "direction"));
    if (memory == Memory::kNone) continue;
    Moved& moved = memory == Memory::kDdr ? sums.ddr : sums.l2;
    moved.bytes += commands.integer(i, "bytes");
    moved.cycles += cycles;
  }
  sums.busy = union_of(std::move(sums.busy));
  return sums;
}

void add(LaneSums& sum, const LaneSums& of) {
  sum.cycles += of.cycles;
  sum.wait_cycles += of.wait_cycles;
  sum.stall_cycles += of.stall_cycles;
  sum.commands += of.commands;
  for (const auto moved : {&LaneSums::ddr, &LaneSums::l2}) {
    (sum.*moved).bytes += (of.*moved).bytes;
    (sum.*moved).cycles += (of.*moved).cycles;
  }
}

}  // namespace vizd::bigtpu
