// LaunchReader: the launches of a native capture and what they were given of memory. Belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "formats/native/columns.h"
#include "formats/native/tables.h"
#include "formats/native/track_table.h"
#include "model/memory.h"

namespace vizd::native {

class LaunchReader {
 public:
  void add_launches(const Columns& columns, Tables& tables);
  void add_uses(const Columns& columns);
  // Once all tracks and their allocations are there. Counts in tables what refers to what is missing.
  void finish(TrackTable& tracks, Tables& tables);

 private:
  struct LaunchRecord {
    std::uint64_t track;
    Launch launch;
  };
  struct UseRecord {
    std::uint64_t track, allocation, launch;
    std::uint32_t argument, flags;
  };

  std::vector<LaunchRecord> launches_;
  std::vector<UseRecord> uses_;
};

}  // namespace vizd::native
