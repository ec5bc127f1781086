// How bigTpuProfile mends one engine's records, in its versions 0.3.0 and 0.3.7: clocks that wrapped, disorder,
// messages at the ends. Its faults are kept. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/bigtpu/pmu_records.h"

namespace vizd::bigtpu {

using Records = std::vector<PmuRecord>;

// Continues ids and clock of an engine's records, and puts those of SDMA and CDMA in order. mhz: 0.3.7 makes
// nanoseconds of cycles at once.
void mend_as_original(Records& records, Engine engine, Reader reader, double mhz);

// Drops the pairs of messages at either end, and of lists of two records or less all of them, unless keeps_short.
void drop_system_ends(Records& records, Engine engine, Reader reader, bool keeps_short);

// 0.3.7: drops records at the ends that no command can be of: those before the first id that is among the commands',
// and at the end those whose id comes more often than among these.
void drop_ids_without_command(Records& records, std::span<const Command> commands);

// 0.3.7: drops records without a command at the ends.
void drop_unpaired_ends(Records& records);

// 0.3.7: a port's records from the profiler's own pair on, each launch's in the order of its ids, of each id the
// longest.
void mend_port(Records& records);

}  // namespace vizd::bigtpu
