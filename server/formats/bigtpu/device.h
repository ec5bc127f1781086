// Device: what a profile folder tells of one device, by rules that hold whatever was lost, wrapped or disordered: the
// clock has 32 bits and goes on where it wraps, cores are laid beside each other by the wait that the profiler itself
// puts before everything, and time counts from the first command that is not the profiler's. Cores are read one at a
// time, as there may be very many records. Refers to the folder's bytes. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/bigtpu/pairing.h"
#include "formats/bigtpu/profile_folder.h"

namespace vizd::bigtpu {

// One core's commands as they ran, by engine; without the profiler's own. Times in cycles from the device's zero; what
// a record's tags name is in `given`.
struct CoreRun {
  std::array<std::vector<PmuRecord>, kCoreEngines> of_engine;
  CoreCommands given;
  std::uint64_t unpaired_commands = 0;  // that no record was found of

  const std::vector<PmuRecord>& operator[](Engine engine) const { return of_engine[static_cast<std::size_t>(engine)]; }
};

// One CDMA port's commands. A command's core is in its record.
struct PortRun {
  std::int64_t number = 0;
  std::vector<PmuRecord> records;
  bool is_aligned = false;  // its clock was laid beside the cores'
};

class Device {
 public:
  explicit Device(const ProfileFolder& folder);

  const Chip& chip() const { return chip_; }
  std::size_t core_count() const { return folder_.cores.size(); }
  std::int64_t core_number(std::size_t core) const { return folder_.cores[core].number; }

  CoreRun read_core(std::size_t core);
  // All ports. The records refer to commands that the device keeps.
  std::vector<PortRun> read_ports();
  // The functions that a port's tags name, by the core that gave the command.
  const std::vector<std::string>& port_functions(std::size_t core) const { return port_commands_[core].functions; }

  // Records and items that were left out, by reason.
  const std::map<std::string, std::uint64_t>& skipped() const { return skipped_; }
  // What people should know of how the folder was read.
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<PmuRecord> read_engine(std::size_t core, Engine engine);
  CoreCommands read_commands(std::size_t core, bool counts_skipped);
  void pair(std::vector<PmuRecord>& records, std::span<const Command> commands, Engine engine);
  std::int64_t port_offset(const std::vector<PmuRecord>& all, std::size_t core) const;
  void check(const Blocks& blocks, const std::string& path);
  void check_records();
  void check_files();
  void check_ports();

  const ProfileFolder& folder_;
  const Chip& chip_;
  std::vector<std::optional<std::int64_t>> sync_;  // by core: when it waited for the others
  std::int64_t first_sync_ = 0, zero_ = 0;
  std::vector<CoreCommands> port_commands_;  // by core; CDMA's alone
  std::map<std::string, std::uint64_t> skipped_;
  std::vector<std::string> warnings_, notes_;
};

// The clock of one engine's records in the order in which they were written: it goes on where the counter wraps, and is
// not disturbed by records that are out of order.
class Clock {
 public:
  // Sets start and end of what the counter said.
  void take(std::int64_t& start, std::int64_t& end);

 private:
  std::int64_t wrapped_ = 0, last_ = -1;
};

}  // namespace vizd::bigtpu
