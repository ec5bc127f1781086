#include "formats/bigtpu/device.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <unordered_map>

namespace vizd::bigtpu {
namespace {

BlockType monitor_of(Engine engine) {
  switch (engine) {
    case Engine::kTiu:
      return BlockType::kMonitorTiu;
    case Engine::kGdma:
      return BlockType::kMonitorGdma;
    case Engine::kSdma:
      return BlockType::kMonitorSdma;
    default:
      return BlockType::kMonitorCdma;
  }
}

// Calls visit(place, start, end) for each record of a monitor block.
template <typename Visit>
void for_each_time(Engine engine, std::span<const std::byte> block, Visit&& visit) {
  const std::size_t size = record_bytes(engine);
  Clock clock;
  for (std::size_t i = 0; (i + 1) * size <= block.size(); ++i) {
    const std::byte* words = block.data() + i * size;
    std::int64_t start = word_at(words, 0), end = word_at(words, 1);
    clock.take(start, end);
    visit(i, start, end);
  }
}

void shift(std::vector<PmuRecord>& records, std::int64_t by) {
  for (PmuRecord& record : records) {
    record.start += by;
    record.end += by;
  }
}

const std::vector<Command>* no_list(const Command&) { return nullptr; }

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// Records of monitors that are all zeros, and not the last of their block.
std::size_t count_holes(const Blocks& blocks) {
  std::size_t holes = 0;
  for (const Engine engine : {Engine::kTiu, Engine::kGdma, Engine::kSdma, Engine::kCdma}) {
    for (const Block& block : blocks.blocks) {
      if (block.type != monitor_of(engine)) continue;
      const std::size_t size = record_bytes(engine);
      std::size_t zeros = 0;
      for (std::size_t at = 0; at + size <= block.content.size(); at += size) {
        const bool is_zero =
            std::ranges::all_of(block.content.subspan(at, size), [](std::byte b) { return b == std::byte{0}; });
        if (is_zero) ++zeros;
        if (!is_zero) holes += std::exchange(zeros, 0);
      }
    }
  }
  return holes;
}

}  // namespace

void Clock::take(std::int64_t& start, std::int64_t& end) {
  constexpr std::int64_t kClockEnd = std::int64_t{1} << 32, kHalf = kClockEnd / 2;
  const std::int64_t dur = (end - start + kClockEnd) % kClockEnd;
  if (last_ >= 0) {
    if (start - last_ < -kHalf) {
      wrapped_ += kClockEnd;
    } else if (start - last_ > kHalf && wrapped_ > 0) {
      wrapped_ -= kClockEnd;  // written after one that started later
    }
  }
  last_ = start;
  start += wrapped_;
  end = start + dur;
}

Device::Device(const ProfileFolder& folder)
    : folder_(folder), chip_(folder.chip != nullptr ? *folder.chip : kAks), port_commands_(folder.cores.size()) {
  if (!folder.global) {
    warnings_.push_back(
        fmt::format("{} has no global.profile: its chip is assumed to be {}", folder.name, chip_.product));
  } else if (folder.chip == nullptr) {
    warnings_.push_back(
        fmt::format("{} names no arch that vizd knows: its chip is assumed to be {}", folder.name, chip_.product));
  }
  for (const CoreFile& core : folder.cores) {
    check(core.blocks, core.path);
    std::optional<std::int64_t> sync;
    for_each_time(Engine::kTiu, core.blocks.first(BlockType::kMonitorTiu),
                  [&](std::size_t i, std::int64_t, std::int64_t end) {
                    if (i == kInitRecords - 1) sync = end;
                  });
    sync_.push_back(sync);
  }
  for (const PortFile& port : folder.ports) check(port.blocks, port.path);
  check_records();
  check_ports();
  check_files();
  const auto first = std::ranges::find_if(sync_, [](const auto& sync) { return sync.has_value(); });
  if (first != sync_.end()) first_sync_ = **first;
  zero_ = std::numeric_limits<std::int64_t>::max();
  for (std::size_t core = 0; core < core_count(); ++core) {
    const std::int64_t delta = sync_[core].value_or(first_sync_) - first_sync_;
    for (const Engine engine : kEnginesOfCore) {
      for_each_time(engine, folder.cores[core].blocks.first(monitor_of(engine)),
                    [&](std::size_t i, std::int64_t start, std::int64_t) {
                      if (i >= kInitRecords) zero_ = std::min(zero_, start - delta);
                    });
    }
  }
  if (zero_ == std::numeric_limits<std::int64_t>::max()) zero_ = first_sync_;
}

void Device::check(const Blocks& blocks, const std::string& path) {
  for (const Block& block : blocks.blocks) {
    if (!is_known(block.type)) ++skipped_["blocks of unknown type"];
    for (const Engine engine : {Engine::kTiu, Engine::kGdma, Engine::kSdma, Engine::kCdma}) {
      if (block.type == monitor_of(engine) && block.content.size() % record_bytes(engine) != 0)
        ++skipped_["records that are cut"];
    }
  }
  if (const std::size_t holes = count_holes(blocks); holes > 0)
    warnings_.push_back(
        fmt::format("{} has {} records of zeros among the others; is the file damaged?", file_name(path), holes));
  if (blocks.missing_bytes > 0) {
    warnings_.push_back(fmt::format("{} ends {} bytes before the end of its last block; was it cut?", file_name(path),
                                    blocks.missing_bytes));
  }
  if (blocks.short_header_bytes > 0) ++skipped_["beginnings of a block at the end of a file"];
}

// Against global.profile, which says how many records each engine of each core left.
void Device::check_records() {
  if (!folder_.global) return;
  const GlobalFile& global = *folder_.global;
  if (!global.is_text) warnings_.push_back("global.profile has zero bytes in its text; is it damaged?");
  if (global.is_cut) warnings_.push_back("global.profile ends in the middle of its last line; was it cut?");
  if (const std::string key = global.repeated_key(); !key.empty())
    warnings_.push_back(
        fmt::format("global.profile has {} more than once, and the last line is used; was it written twice?", key));
  bool tells_any = false;
  std::vector<std::string> untold;
  for (const CoreFile& core : folder_.cores) {
    constexpr std::pair<Engine, std::string_view> kNames[] = {
        {Engine::kTiu, "tiu"}, {Engine::kGdma, "gdma"}, {Engine::kSdma, "sdma"}};
    std::int64_t missing = 0;
    bool is_told = false, has_records = false;
    for (const auto& [engine, name] : kNames) {
      const auto there = static_cast<std::int64_t>(core.blocks.first(monitor_of(engine)).size() / record_bytes(engine));
      const auto told = global.number(fmt::format("core{}_{}_record", core.number, name));
      missing += std::max<std::int64_t>(told.value_or(there) - there, 0);
      is_told = is_told || told;
      has_records = has_records || there > 0;
    }
    tells_any = tells_any || is_told;
    if (missing > 0) {
      warnings_.push_back(fmt::format("{} lacks {} of the records that global.profile lists; was it cut?",
                                      file_name(core.path), missing));
    }
    if (!is_told && has_records) untold.push_back(file_name(core.path));
  }
  if (!tells_any) {
    if (!untold.empty()) warnings_.push_back("global.profile lists no core's records; was it cut?");
    return;
  }
  for (const std::string& name : untold)
    warnings_.push_back(fmt::format("global.profile does not list {}, which has records; was it cut?", name));
}

void Device::check_ports() {
  if (!folder_.global) return;
  for (const PortFile& port : folder_.ports) {
    const auto told = folder_.global->number(fmt::format("cdma_port{}_record", port.number));
    if (!told) continue;
    std::int64_t there = 0;
    for (const Block& block : port.blocks.blocks) {
      if (block.type == BlockType::kMonitorCdma) there += std::ssize(read_records(Engine::kCdma, block.content));
    }
    if (there != *told) {
      warnings_.push_back(fmt::format("{} has {} records, and global.profile counts {}; was it {}?",
                                      file_name(port.path), there, *told, there < *told ? "cut" : "written twice"));
    }
  }
}

// Which files are not there whose records global.profile counts: coreN_ENGINE_record, cdma_portN_record.
void Device::check_files() {
  if (!folder_.global) return;
  std::set<std::string> missing;
  for (const GlobalFile::Line& line : folder_.global->lines) {
    const bool is_core = line.key.starts_with("core"), is_port = line.key.starts_with("cdma_port");
    if (!line.key.ends_with("_record") || (!is_core && !is_port) || parse_number(line.value).value_or(0) <= 0) continue;
    const std::string_view rest = std::string_view(line.key).substr(is_core ? 4 : 9);
    const auto number = parse_number(rest.substr(0, rest.find('_')));
    if (!number || (is_core && !folder_.has_all_cores)) continue;
    const bool is_there = is_core ? std::ranges::find(folder_.cores, *number, &CoreFile::number) != folder_.cores.end()
                                  : std::ranges::find(folder_.ports, *number, &PortFile::number) != folder_.ports.end();
    if (!is_there) missing.insert(is_core ? fmt::format("core {}", *number) : fmt::format("CDMA port {}", *number));
  }
  for (const std::string& name : missing)
    warnings_.push_back(fmt::format("global.profile counts records of {}, but its file is missing", name));
}

std::vector<PmuRecord> Device::read_engine(std::size_t core, Engine engine) {
  std::vector<PmuRecord> records = read_records(engine, folder_.cores[core].blocks.first(monitor_of(engine)));
  const std::int64_t delta = sync_[core].value_or(first_sync_) - first_sync_;
  Clock clock;
  for (PmuRecord& record : records) {
    clock.take(record.start, record.end);
    record.cycles = record.end - record.start + 1;
    record.start -= delta + zero_;
    record.end -= delta + zero_;
  }
  records.erase(records.begin(), records.begin() + std::min<std::ptrdiff_t>(kInitRecords, std::ssize(records)));
  continue_ids(records, false);
  return records;
}

CoreCommands Device::read_commands(std::size_t core, bool counts_skipped) {
  const Blocks& blocks = folder_.cores[core].blocks;
  std::vector<std::span<const std::byte>> details;
  for (const Block& block : blocks.blocks) {
    if (block.type == BlockType::kDynamicExtra) read_details(block.content, details);
  }
  DynamicDataReader reader(chip_, Reader::kVizd, details, 0, false);
  for (const Block& block : blocks.blocks) {
    if (block.type == BlockType::kDynamicData) (void)reader.read(block.content);
  }
  if (counts_skipped) {
    for (const auto& [reason, count] : reader.skipped()) skipped_[reason] += count;
  }
  return std::move(reader.commands());
}

// Records are paired in the order in which their engine ran them, which is not always that in which they were written.
void Device::pair(std::vector<PmuRecord>& records, std::span<const Command> commands, Engine engine) {
  const auto pair_in_order = [&](std::vector<PmuRecord>& ordered) {
    (void)pair_commands(ordered, commands, no_list, Reader::kVizd);
    mark_system_records(engine, ordered);
  };
  if (engine != Engine::kSdma && engine != Engine::kCdma) return pair_in_order(records);
  std::vector<PmuRecord> ordered = records;
  order_by_ids(ordered);
  pair_in_order(ordered);
  std::unordered_map<const std::byte*, PmuRecord*> by_words;
  for (PmuRecord& record : ordered) by_words.emplace(record.words, &record);
  for (PmuRecord& record : records) record = *by_words.at(record.words);
}

CoreRun Device::read_core(std::size_t core) {
  CoreRun run;
  run.given = read_commands(core, true);
  const auto drop_init = [](std::vector<Command>& list) {
    list.erase(list.begin(), list.begin() + std::min<std::ptrdiff_t>(kInitRecords, std::ssize(list)));
  };
  for (const Engine engine : kEnginesOfCore) {
    std::vector<PmuRecord>& records = run.of_engine[static_cast<std::size_t>(engine)];
    records = read_engine(core, engine);
    std::vector<Command>& commands = run.given[engine];
    drop_init(commands);
    pair(records, commands, engine);
    const auto paired = static_cast<std::size_t>(
        std::ranges::count_if(records, [](const PmuRecord& record) { return record.command != nullptr; }));
    if (!commands.empty()) run.unpaired_commands += commands.size() - std::min(paired, commands.size());
  }
  return run;
}

// A port counts by a clock of its own. Its first wait ended when the core's first send on SDMA did.
std::int64_t Device::port_offset(const std::vector<PmuRecord>& all, std::size_t core) const {
  std::int64_t offset = 0;
  const std::int64_t delta = sync_[core].value_or(first_sync_) - first_sync_;
  for_each_time(Engine::kSdma, folder_.cores[core].blocks.first(BlockType::kMonitorSdma),
                [&](std::size_t i, std::int64_t, std::int64_t end) {
                  if (i == kInitRecords) offset = all[0].end - (end - delta - zero_);
                });
  return offset;
}

std::vector<PortRun> Device::read_ports() {
  std::vector<PortRun> ports;
  if (folder_.ports.empty() || folder_.cores.empty()) return ports;
  for (std::size_t core = 0; core < core_count(); ++core) {
    port_commands_[core] = read_commands(core, false);
    port_commands_[core].of_engine = {};  // they are read core by core
  }
  for (const PortFile& file : folder_.ports) {
    PortRun port;
    port.number = file.number;
    for (const Block& block : file.blocks.blocks) {
      if (block.type != BlockType::kMonitorCdma) continue;
      const auto records = read_records(Engine::kCdma, block.content);
      port.records.insert(port.records.end(), records.begin(), records.end());
    }
    continue_ids(port.records, false);
    Clock clock;
    for (PmuRecord& record : port.records) {
      clock.take(record.start, record.end);
      record.cycles = record.end - record.start + 1;
    }
    // The core that gave the port its commands: of several the last; where none is known, the device's last.
    const auto number = static_cast<std::size_t>(file.number);
    std::size_t owner = core_count() - 1;
    for (std::size_t core = 0; core < core_count(); ++core) {
      if (number < chip_.port_count && !port_commands_[core].of_port[number].empty()) owner = core;
    }
    port.is_aligned =
        port.records.size() > kInitRecords &&
        folder_.cores[owner].blocks.first(BlockType::kMonitorSdma).size() > kInitRecords * kDmaRecordBytes;
    if (port.is_aligned) {
      shift(port.records, -port_offset(port.records, owner));
    } else if (!port.records.empty()) {
      const std::int64_t first = std::ranges::min_element(port.records, {}, &PmuRecord::start)->start;
      shift(port.records, -first);
      notes_.push_back(fmt::format(
          "CDMA port {} sent nothing that ties it to the cores' clocks: its times count from its own first command",
          file.number));
    }
    port.records.erase(port.records.begin(),
                       port.records.begin() + std::min<std::ptrdiff_t>(kInitRecords, std::ssize(port.records)));
    for (std::size_t core = 0; core < core_count() && number < chip_.port_count; ++core) {
      std::span<const Command> commands = port_commands_[core].of_port[number];
      if (core == owner) commands = commands.subspan(std::min(kInitRecords, commands.size()));
      pair(port.records, commands, Engine::kCdma);
      for (PmuRecord& record : port.records) {
        if (record.command != nullptr && record.core < 0) record.core = static_cast<std::int16_t>(core);
      }
    }
    ports.push_back(std::move(port));
  }
  return ports;
}

}  // namespace vizd::bigtpu
