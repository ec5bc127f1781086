// Finds the command that each record is of. The monitor may lose records and the firmware may note down more or fewer
// commands than ran, so both are cut into sections of rising ids; sections that span equally many ids are laid beside
// each other, as many as possible in order, and within two of them the ids tell. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/bigtpu/pmu_records.h"

namespace vizd::bigtpu {

// The commands of a list of descriptors; null where the profile does not have it, or nothing of it can be read.
using FindList = std::function<const std::vector<Command>*(const Command& list)>;

// Gives the records their commands and tags; those that have one keep it. reader: whose rules count. Errors: those of
// bigTpuProfile 0.3.0, which runs over the end of a section.
Result<void> pair_commands(std::vector<PmuRecord>& records, std::span<const Command> commands,
                           const FindList& find_list, Reader reader);

// Tells sends and waits apart among the system records that have no command, as bigTpuProfile 0.3.7 does: they take
// turns, and waiting is what takes longer.
void mark_system_records(Engine engine, std::vector<PmuRecord>& records);
// As 0.3.0 does: sends are the first, third and so on.
void mark_system_records_in_turn(Engine engine, std::vector<PmuRecord>& records);

// For each monitor section, by its number of ids, the command section it goes with; kNoId: none.
std::vector<std::uint32_t> align_sections(std::span<const std::int64_t> monitor,
                                          std::span<const std::int64_t> commands);

// What is taken over from a command: of its tags those that it has.
void copy_tags(const Tags& from, Tags& to);

}  // namespace vizd::bigtpu
