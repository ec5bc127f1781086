// The allocations that an ETDump counts, as memory: by allocator, for as long as their run takes, since the file says
// of none when it was made or freed. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "formats/etdump/etdump_file.h"
#include "model/capture.h"

namespace vizd::etdump {

// From the first start to the last end of a run, by its place in the file, in nanoseconds.
using RunExtent = std::function<std::pair<std::int64_t, std::int64_t>(std::uint32_t run)>;

// Adds a track for each allocator below the process. Errors: the file's.
Result<void> add_allocations(const EtdumpFile& file, const RunExtent& extent, std::uint32_t process, Capture& capture);

}  // namespace vizd::etdump
