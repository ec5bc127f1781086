// Dynamic data: what a core's firmware noted down while it ran: the commands that it gave to the engines, in order, and
// the functions and batches that it gave them for. Items of one word each, as bigTpuProfile reads them, or of three
// words, as older firmware writes them. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/bigtpu/chip.h"

namespace vizd::bigtpu {

// How a command was given: one by one (TDI), by the runtime's own generator (RVT), or as a list of descriptors (DES).
enum class Mode : std::uint8_t { kNone, kTdi, kRvt, kDes };
// "TDI", "RVT", "DES"; "" for kNone.
std::string_view mode_name(Mode mode);

// What a command was given for. -1: the profile does not say.
struct Tags {
  Mode mode = Mode::kNone;
  std::int32_t function = -1;  // a place among the functions' names
  std::int64_t scope = -1;     // one call of a function
  std::int64_t batch = -1;
};

struct Command {
  std::int64_t id = 0;  // as the engine counts; of a list of descriptors of no meaning
  std::int16_t type = 0, special = 0;
  std::uint16_t extra = 0;  // data type and memories, by engine
  bool is_list = false;     // stands for `count` descriptors, which the profile may have under `offset`
  std::uint32_t offset = 0, count = 0;
  Tags tags = {};
  std::span<const std::byte> detail = {};  // the whole command as the engine got it, where it was noted down
  bool is_detailed = false;                // type and the rest come from `detail`: a descriptor
};

struct CoreCommands {
  std::array<std::vector<Command>, kCoreEngines> of_engine;  // by Engine
  std::vector<std::vector<Command>> of_port;                 // of CDMA, as many as the chip has
  std::vector<std::string> functions;                        // names; scopes refer to them

  std::vector<Command>& operator[](Engine engine) { return of_engine[static_cast<std::size_t>(engine)]; }
  const std::vector<Command>& operator[](Engine engine) const { return of_engine[static_cast<std::size_t>(engine)]; }
};

// How the items are to be taken: as vizd does, or as a version of bigTpuProfile does, with the error that it ends with.
enum class Reader : std::uint8_t { kVizd, kOriginal030, kOriginal037 };

class DynamicDataReader {
 public:
  // details: the whole commands (dynamic extra records) in order. first_scope: calls of functions before.
  DynamicDataReader(const Chip& chip, Reader reader, std::span<const std::span<const std::byte>> details,
                    std::int64_t first_scope, bool starts_anew_at_wrap);

  // From the next block on.
  void set_details(std::span<const std::span<const std::byte>> details) { details_ = details; }

  // Adds what one block holds. Errors: only of an original; vizd counts what it leaves out.
  Result<void> read(std::span<const std::byte> block);

  CoreCommands& commands() { return commands_; }
  std::int64_t scopes() const { return scope_count_; }
  const std::map<std::string, std::uint64_t>& skipped() const { return skipped_; }

 private:
  struct Item;

  Result<void> read_items(std::vector<Item> items);
  Result<void> add_node(const Item& item, Mode mode);
  Result<void> reset_ids(const Item& item);
  Result<void> add_list(const Item& item, const Item* next);
  Result<void> read_function(const std::vector<Item>& items, std::size_t& i);
  void wrap_ids();
  Result<void> refuse(std::string original, const char* skip_reason);

  const Chip& chip_;
  const Reader reader_;
  std::span<const std::span<const std::byte>> details_;
  const bool starts_anew_at_wrap_;
  std::size_t next_detail_ = 0;
  std::array<std::int64_t, kCoreEngines> next_id_{};
  std::vector<std::int64_t> next_port_id_;
  std::int32_t function_ = -1;
  std::int64_t scope_ = -1, scope_count_ = 0, batch_ = -1;
  CoreCommands commands_;
  std::map<std::string, std::uint64_t> skipped_;
};

// The whole commands of a dynamic extra block, in order; a cut one at the end is left out.
void read_details(std::span<const std::byte> block, std::vector<std::span<const std::byte>>& details);

}  // namespace vizd::bigtpu
