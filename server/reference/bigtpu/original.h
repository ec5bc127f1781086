// What bigTpuProfile itself makes of a profile, by the rules of its versions 0.3.0 and 0.3.7 with what is wrong in
// them: for those who compare with figures that they had from it. vizd's own reading is device.h. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/bigtpu/pmu_records.h"
#include "formats/bigtpu/profile_folder.h"
#include "formats/writer.h"

namespace vizd::bigtpu {

// The records that it shows, in its order; times in cycles (0.3.0) or nanoseconds (0.3.7).
struct OriginalProfile {
  Reader reader = Reader::kOriginal030;
  const Chip* chip = nullptr;
  std::size_t core_count = 0;
  double tiu_mhz = 0, dma_mhz = 0;
  // By the place of a core: of cores without that engine's records there may be none.
  std::vector<std::vector<PmuRecord>> tiu, gdma, sdma;
  std::vector<std::vector<PmuRecord>> ports;  // CDMA, by port
  std::vector<std::int64_t> port_core;        // -1: none
  std::vector<std::string> functions;         // names; tags refer to them

  // The tables that the records refer to.
  std::vector<CoreCommands> commands;
};

// tiu_mhz: the option --tiu_freq, which 0.3.7 takes. Errors: what bigTpuProfile ends with, as its message.
Result<OriginalProfile> read_as_original(const ProfileFolder& folder, Reader reader, std::optional<double> tiu_mhz);

// One JSON object a line: an event each, then a core each and all of them together, as summary.txt has them. Errors:
// what bigTpuProfile ends with where it writes an event down.
Result<void> write_original(const OriginalProfile& profile, const WriteText& write);

}  // namespace vizd::bigtpu
