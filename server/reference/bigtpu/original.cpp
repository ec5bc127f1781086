#include "reference/bigtpu/original.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "formats/bigtpu/pairing.h"
#include "reference/bigtpu/original_global.h"
#include "reference/bigtpu/original_records.h"

namespace vizd::bigtpu {
namespace {

Error index_error() { return ends_with("list index out of range"); }

const std::vector<Command>* no_list(const Command&) { return nullptr; }

void shift(std::vector<Records>& lists, std::int64_t by) {
  for (Records& records : lists) {
    for (PmuRecord& record : records) {
      record.start += by;
      record.end += by;
    }
  }
}

void shift(Records& records, std::int64_t by) {
  for (PmuRecord& record : records) {
    record.start += by;
    record.end += by;
  }
}

class OriginalReader {
 public:
  OriginalReader(const ProfileFolder& folder, Reader reader)
      : folder_(folder), is_030_(reader == Reader::kOriginal030) {
    profile_.reader = reader;
  }

  Result<OriginalProfile> read(std::optional<double> tiu_mhz) {
    if (!folder_.global) return ends_with("global.profile");
    auto global = read_global(*folder_.global, profile_.reader, tiu_mhz);
    if (!global) return std::move(global).error();
    global_ = *global;
    profile_.chip = global_.chip;
    profile_.tiu_mhz = global_.tiu_mhz;
    profile_.dma_mhz = global_.chip->clock_mhz;
    VIZD_TRY(read_ports());
    // Tables that records refer to stay where they are.
    profile_.commands.reserve(folder_.cores.size());
    for (std::size_t core = 0; core < folder_.cores.size(); ++core) VIZD_TRY(read_core(core));
    if (is_030_) drop_system();
    if (!is_030_ && !global_.is_bmodel) VIZD_TRY(pair_ports());
    VIZD_TRY(align());
    VIZD_TRY(shift_to_zero());
    if (!is_030_) drop_system();
    profile_.core_count =
        std::max({profile_.tiu.size(), profile_.gdma.size(), profile_.sdma.size(), global_.core_count});
    return std::move(profile_);
  }

 private:
  static bool is_undecoded(BlockType type) {
    return type == BlockType::kDynamicExtra || type == BlockType::kTiuDescriptors ||
           type == BlockType::kGdmaDescriptors || type == BlockType::kSdmaDescriptors ||
           type == BlockType::kDescriptorMap;
  }

  Result<void> check_blocks(const Blocks& read) const {
    for (const Block& block : read.blocks) {
      if (is_undecoded(block.type))
        return ends_with("(it decodes whole commands and descriptors, which vizd does not)");
      if (!is_known(block.type) || (is_030_ && block.type == BlockType::kSubnetAnchor))
        return ends_with(fmt::format("{} is not a valid BlockType", static_cast<std::uint32_t>(block.type)));
    }
    if (read.missing_bytes > 0) return ends_with("a block is cut");
    if (!is_030_ && read.short_header_bytes > 0)
      return ends_with(fmt::format("incomplete block header ({} bytes)", read.short_header_bytes));
    return {};
  }

  Records mended(Engine engine, std::span<const std::byte> block) const {
    Records records = read_records(engine, block);
    mend_as_original(records, engine, profile_.reader, engine == Engine::kTiu ? profile_.tiu_mhz : profile_.dma_mhz);
    return records;
  }

  Result<void> read_ports() {
    if (folder_.ports.empty()) return {};
    profile_.ports.resize(global_.chip->port_count);
    profile_.port_core.assign(global_.chip->port_count, -1);
    for (const PortFile& file : folder_.ports) {
      if (static_cast<std::uint64_t>(file.number) >= profile_.ports.size()) return index_error();
      VIZD_TRY(check_blocks(file.blocks));
      for (const Block& block : file.blocks.blocks) {
        if (!is_030_ && block.type == BlockType::kDynamicData) return ends_with("5");
        if (block.type != BlockType::kMonitorCdma) continue;
        const Records records = mended(Engine::kCdma, block.content);
        Records& port = profile_.ports[static_cast<std::size_t>(file.number)];
        port.insert(port.end(), records.begin(), records.end());
      }
    }
    return {};
  }

  // For each engine, the records of its first block.
  struct CoreRecords {
    Records tiu, gdma, sdma;
  };

  Result<CoreRecords> read_monitors(const Blocks& blocks) {
    CoreRecords core;
    const auto read = [&](BlockType type, Engine engine, Records& records) -> Result<void> {
      if (!blocks.has(type)) return is_030_ ? Result<void>(index_error()) : Result<void>();
      records = mended(engine, blocks.first(type));
      // 0.3.0 learns from TIU's and GDMA's records that ids wrapped, and minds it from then on.
      if (engine != Engine::kSdma && global_.chip->tiu_id_wrap) watch_wrap(engine, blocks.first(type));
      return {};
    };
    VIZD_TRY(read(BlockType::kMonitorTiu, Engine::kTiu, core.tiu));
    VIZD_TRY(read(BlockType::kMonitorGdma, Engine::kGdma, core.gdma));
    VIZD_TRY(read(BlockType::kMonitorSdma, Engine::kSdma, core.sdma));
    return core;
  }

  void watch_wrap(Engine engine, std::span<const std::byte> block) {
    std::int64_t last = 0;
    for (const PmuRecord& record : read_records(engine, block)) {
      if (last == *global_.chip->tiu_id_wrap && record.id == 0) has_wrapped_ = true;
      last = record.id;
    }
  }

  Result<void> read_commands(const Blocks& blocks) {
    std::vector<std::span<const std::byte>> details;
    // 0.3.0 goes by the order of the blocks, 0.3.7 leaves the commands for last.
    for (const Block& block : blocks.blocks) {
      if (block.type == BlockType::kDynamicExtra && !is_030_) read_details(block.content, details);
    }
    DynamicDataReader reader(*global_.chip, profile_.reader, details, scope_count_, has_wrapped_);
    for (const Block& block : blocks.blocks) {
      if (block.type == BlockType::kDynamicExtra && is_030_) {
        read_details(block.content, details);
        reader.set_details(details);
      }
      if (block.type == BlockType::kDynamicData) VIZD_TRY(reader.read(block.content));
    }
    scope_count_ = reader.scopes();
    CoreCommands& commands = reader.commands();
    const auto first_function = static_cast<std::int32_t>(profile_.functions.size());
    profile_.functions.insert(profile_.functions.end(), commands.functions.begin(), commands.functions.end());
    const auto number = [&](std::vector<Command>& of) {
      for (Command& command : of) {
        if (command.tags.function >= 0) command.tags.function += first_function;
      }
    };
    std::ranges::for_each(commands.of_engine, number);
    std::ranges::for_each(commands.of_port, number);
    profile_.commands.push_back(std::move(commands));
    return {};
  }

  Result<void> read_core(std::size_t core) {
    const Blocks& blocks = folder_.cores[core].blocks;
    VIZD_TRY(check_blocks(blocks));
    auto records = read_monitors(blocks);
    if (!records) return std::move(records).error();
    VIZD_TRY(read_commands(blocks));
    auto& [tiu, gdma, sdma] = *records;
    if (tiu.empty()) {
      if (is_030_) return ends_with("profile synchronization points do not match TIU core records");
      sync_.push_back(std::nullopt);
    } else {
      if (tiu.size() < kInitRecords) return index_error();
      sync_.push_back(tiu[kInitRecords - 1].end);
    }
    const auto drop_init = [](auto& list) {
      list.erase(list.begin(), list.begin() + std::min<std::ptrdiff_t>(kInitRecords, std::ssize(list)));
    };
    for (Records* list : {&tiu, &gdma, &sdma}) drop_init(*list);
    CoreCommands& commands = profile_.commands.back();
    for (std::vector<Command>& list : commands.of_engine) drop_init(list);
    if (global_.is_bmodel) return pair_bmodel(*records, commands);
    VIZD_TRY(anchor_ports(core, sdma, commands));
    if (!is_030_ && !commands[Engine::kTiu].empty()) drop_ids_without_command(tiu, commands[Engine::kTiu]);
    VIZD_TRY(pair(tiu, Engine::kTiu, commands[Engine::kTiu], no_list));
    if (!is_030_ && !commands[Engine::kTiu].empty()) drop_unpaired_ends(tiu);
    VIZD_TRY(pair(gdma, Engine::kGdma, commands[Engine::kGdma], no_list));
    VIZD_TRY(pair(sdma, Engine::kSdma, commands[Engine::kSdma], no_list));
    add(std::move(*records), true);
    return {};
  }

  void add(CoreRecords records, bool with_sdma) {
    profile_.tiu.push_back(std::move(records.tiu));
    profile_.gdma.push_back(std::move(records.gdma));
    if (with_sdma) profile_.sdma.push_back(std::move(records.sdma));
  }

  Result<void> pair(Records& records, Engine engine, std::span<const Command> commands, const FindList& find_list) {
    if (is_030_) {
      mark_system_records_in_turn(engine, records);
    } else {
      mark_system_records(engine, records);
    }
    return pair_commands(records, commands, find_list, profile_.reader);
  }

  // A model's commands come as lists for each engine.
  Result<void> pair_bmodel(CoreRecords& records, CoreCommands& commands) {
    if (is_030_) {  // records without a command are dropped
      add({}, true);
      return {};
    }
    const auto pair_dynamic = [&](Records& list, Engine engine) -> Result<void> {
      return commands[engine].empty() ? Result<void>() : pair(list, engine, commands[engine], {});
    };
    VIZD_TRY(pair_dynamic(records.tiu, Engine::kTiu));
    VIZD_TRY(pair_dynamic(records.gdma, Engine::kGdma));
    VIZD_TRY(pair_dynamic(records.sdma, Engine::kSdma));
    const bool has_sdma = !records.sdma.empty() || !commands[Engine::kSdma].empty();
    add(std::move(records), has_sdma);
    return {};
  }

  // Lays the ports' clocks beside the core's that gave them their commands: a port's first wait ends with the send on
  // SDMA that it waited for.
  Result<void> anchor_ports(std::size_t core, Records& sdma, CoreCommands& commands) {
    const bool has_commands = std::ranges::any_of(commands.of_port, [](const auto& port) { return !port.empty(); });
    const bool is_last = core + 1 == global_.chip->core_count;
    if (is_030_ ? !has_commands && !is_last : !is_last) return {};
    anchor_core_ = is_030_ ? anchor_core_ : static_cast<std::int64_t>(core);
    std::vector<Command>& sdma_commands = commands[Engine::kSdma];
    for (std::size_t port = 0; port < profile_.ports.size(); ++port) {
      Records& records = profile_.ports[port];
      if (!is_030_ && records.size() > 1) mend_port(records);
      if (records.size() <= 1) continue;
      if (sdma.empty()) return index_error();
      const std::int64_t offset = records[0].end - sdma[0].end;
      records.erase(records.begin(), records.begin() + kInitRecords);
      shift(records, -offset);
      sdma.erase(sdma.begin());
      if (!sdma_commands.empty()) sdma_commands.erase(sdma_commands.begin());
      profile_.port_core[port] = static_cast<std::int64_t>(core);
      if (!is_030_) continue;
      const std::span<const Command> of_port = commands.of_port[port];
      VIZD_TRY(pair(records, Engine::kCdma, of_port.subspan(std::min(kInitRecords, of_port.size())), no_list));
      anchor_core_ = static_cast<std::int64_t>(core);
    }
    return {};
  }

  // 0.3.7 tries each core's commands on all of a port's records, and takes those that one core alone can explain.
  Result<void> pair_ports() {
    for (std::size_t port = 0; port < profile_.ports.size(); ++port) {
      Records& records = profile_.ports[port];
      if (records.empty()) continue;
      struct Candidate {
        const Command* command = nullptr;
        std::int16_t core = -1;
        bool is_ambiguous = false;
      };
      std::vector<Candidate> candidates(records.size());
      for (std::size_t core = 0; core < profile_.commands.size(); ++core) {
        std::span<const Command> commands = profile_.commands[core].of_port[port];
        if (static_cast<std::int64_t>(core) == anchor_core_)
          commands = commands.subspan(std::min(kInitRecords, commands.size()));
        if (commands.empty()) continue;
        VIZD_TRY(pair(records, Engine::kCdma, commands, no_list));
        for (std::size_t i = 0; i < records.size(); ++i) {
          if (records[i].command == nullptr) continue;
          if (candidates[i].core >= 0) {
            candidates[i].is_ambiguous = true;
          } else {
            candidates[i] = {records[i].command, static_cast<std::int16_t>(core)};
          }
          records[i].command = nullptr;
          records[i].tags = {};
        }
      }
      for (std::size_t i = 0; i < records.size(); ++i) {
        if (candidates[i].command == nullptr || candidates[i].is_ambiguous) continue;
        records[i].command = candidates[i].command;
        copy_tags(candidates[i].command->tags, records[i].tags);
        records[i].core = candidates[i].core;
        records[i].role = SystemRole::kNone;
      }
      mark_system_records(Engine::kCdma, records);
    }
    return {};
  }

  Result<void> align() {
    const auto first = std::ranges::find_if(sync_, [](const auto& sync) { return sync.has_value(); });
    if (first == sync_.end() && !is_030_) return {};
    const auto delta = [&](std::size_t core) {
      return core < sync_.size() && sync_[core] ? *sync_[core] - **first : 0;
    };
    for (auto* lists : {&profile_.tiu, &profile_.gdma, &profile_.sdma}) {
      for (std::size_t i = 0; i < lists->size(); ++i) shift((*lists)[i], -delta(i));
    }
    for (std::size_t port = 0; port < profile_.ports.size(); ++port) {
      const std::int64_t core = is_030_ ? anchor_core_ : profile_.port_core[port];
      if (is_030_ && core < 0) return ends_with("list indices must be integers or slices, not NoneType");
      if (core >= 0) shift(profile_.ports[port], -delta(static_cast<std::size_t>(core)));
      if (is_030_) profile_.port_core[port] = core;
    }
    return {};
  }

  Result<void> shift_to_zero() {
    constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::max();
    std::int64_t first = kNothing;
    for (auto* lists : {&profile_.tiu, &profile_.gdma, &profile_.sdma, &profile_.ports}) {
      if (is_030_ && lists == &profile_.ports) continue;
      for (const Records& records : *lists) {
        if (!records.empty()) first = std::min(first, records[0].start);
      }
    }
    if (first == kNothing) return {};
    for (auto* lists : {&profile_.tiu, &profile_.gdma, &profile_.sdma, &profile_.ports}) {
      shift(*lists, -first);
      if (is_030_ && lists == &profile_.ports) continue;
      for (const Records& records : *lists) {
        for (const PmuRecord& record : records) {
          if (record.start < 0 || record.end < 0) return ends_with("profile timestamp normalization became negative");
        }
      }
    }
    return {};
  }

  void drop_system() {
    const auto drop = [&](std::vector<Records>& lists, Engine engine, bool keeps_short) {
      for (Records& records : lists) drop_system_ends(records, engine, profile_.reader, keeps_short);
    };
    drop(profile_.ports, Engine::kCdma, false);
    const bool keeps_short = std::ranges::any_of(profile_.ports, [](const Records& port) { return !port.empty(); });
    drop(profile_.tiu, Engine::kTiu, keeps_short);
    drop(profile_.gdma, Engine::kGdma, keeps_short);
    drop(profile_.sdma, Engine::kSdma, keeps_short);
  }

  const ProfileFolder& folder_;
  const bool is_030_;
  GlobalFigures global_;
  OriginalProfile profile_;
  std::vector<std::optional<std::int64_t>> sync_;
  std::int64_t anchor_core_ = -1;
  std::int64_t scope_count_ = 0;
  bool has_wrapped_ = false;
};

}  // namespace

Result<OriginalProfile> read_as_original(const ProfileFolder& folder, Reader reader, std::optional<double> tiu_mhz) {
  return OriginalReader(folder, reader).read(tiu_mhz);
}

}  // namespace vizd::bigtpu
