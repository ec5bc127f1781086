#include "reference/bigtpu/workbook_sheets.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>

#include "formats/bigtpu/stretches.h"
#include "reference/bigtpu/lane_sums.h"
#include "reference/bigtpu/sheet_columns.h"

namespace vizd::bigtpu {
namespace {

using Look = Workbook::Look;
using Sheet = Workbook::Sheet;

double ratio(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  return fmt::format("{:.2f}%", 100 * ratio(part, whole));
}

class SheetWriter {
 public:
  SheetWriter(const Capture& capture, std::span<const EngineLane> lanes, Workbook& book)
      : capture_(capture), book_(book) {
    for (const EngineLane& lane : lanes) {
      lanes_.push_back({lane, {capture, lane}, {}});
      lanes_.back().sums = sums_of(lanes_.back().commands);
      has_devices_ = has_devices_ || lane.device != lanes[0].device;
    }
  }

  void write_all() {
    write_engine_summary();
    for (const Engine engine : {Engine::kTiu, Engine::kGdma, Engine::kSdma, Engine::kCdma}) {
      for (const Lane& lane : lanes_) {
        if (lane.of.engine == engine) write_lane(lane);
      }
    }
  }

 private:
  struct Lane {
    EngineLane of;
    LaneCommands commands;
    LaneSums sums;
  };

  // What the lanes of one core, or those of a device's ports, say together.
  struct Core {
    std::string device;
    std::int64_t number = 0;
    const Lane* engines[4] = {};
  };

  double cycles_per_second(const Lane& lane) const {
    const double known = capture_.profile.tracks[lane.of.track].cycles_per_second;
    return known > 0 ? known : 1e9;
  }

  double gigabytes_per_second(const Moved& moved, double hertz) const {
    constexpr double kGiga = 1e9;
    return ratio(moved.bytes, moved.cycles) * hertz / kGiga;
  }

  // The chip as the capture's facts name it.
  std::string_view platform() const {
    for (const Fact& fact : capture_.facts) {
      const auto* const text = std::get_if<StringId>(&fact.value);
      if (capture_.strings.get(fact.name) == "chip" && text != nullptr) return capture_.strings.get(*text);
    }
    return "";
  }

  void put_row(Sheet& sheet, std::uint32_t row, std::span<const std::string_view> texts, std::uint16_t& column) const {
    for (const std::string_view text : texts) sheet.put(row, column++, text, Look::kHeading);
  }

  std::vector<Core> cores() const {
    std::vector<Core> cores;
    for (const Lane& lane : lanes_) {
      if (lane.of.core < 0) continue;
      auto found = std::ranges::find_if(
          cores, [&](const Core& core) { return core.device == lane.of.device && core.number == lane.of.core; });
      if (found == cores.end()) {
        cores.push_back({lane.of.device, lane.of.core, {}});
        found = cores.end() - 1;
      }
      found->engines[static_cast<std::size_t>(lane.of.engine)] = &lane;
    }
    return cores;
  }

  void write_engine_summary() {
    constexpr std::string_view kHead[] = {"CoreId",           "TiuWorkingRatio", "Parallelism",    "Concurrency",
                                          "totalTime(us)",    "totalTiuCycle",   "totalAlgCycle",  "totalAlgOps",
                                          "totalUArchOps",    "uArchURate",      "totalGdmaCycle", "totalDdrDataSize",
                                          "totalL2DataSize",  "ddrAvgBandwidth", "l2AvgBandwidth", "totalSdmaCycle",
                                          "totalDdrDataSize", "ddrAvgBandwidth", "totalcdmaCycle", "totalDdrDataSize",
                                          "totalL2DataSize",  "ddrAvgBandwidth", "l2AvgBandwidth", "tiuWaitCycle",
                                          "gdmaWaitCycle",    "sdmaWaitCycle",   "overlapCycle",   "overlapRatio"};
    constexpr std::string_view kNotes[][2] = {
        {"Tiu Working Ratio", "totalTiuCycle / totalTime: the share of the time in which TIU worked."},
        {"Parallelism(%)",
         "(totalTiuCycle + totalGdmaCycle + totalSdmaCycle) / totalTime: a sum, which may be over 100 %."},
        {"Concurrency(%)", "(totalTiuCycle + totalGdmaCycle - totalTime) / min(totalTiuCycle, totalGdmaCycle)."},
        {"Overlap ratio",
         "overlapCycle / the cycles in which TIU worked: how much of the computing went on beside a "
         "transfer, by when each command ran."},
        {"Wait cycles", "How long the engine waited for messages of others."},
        {"Overall",
         "All cores together: cycles and bytes are added up, times are the longest, and a share is one of all cores' "
         "times, so that it never exceeds the largest core's."},
        {"Alg and uArch columns", "Empty: operations are not known of commands that are not decoded."}};
    Sheet sheet = book_.add_sheet("Engine Summary");
    sheet.put(0, 0, fmt::format("Platform: {}", platform()), Look::kHeading);
    std::uint32_t row = 4;
    std::uint16_t column = 0;
    put_row(sheet, row, kHead, column);
    const std::vector<Core> all = cores();
    std::vector<CoreSums> sums;
    for (const Core& core : all) sums.push_back(sums_of_core(core));
    for (std::size_t i = 0; i < all.size(); ++i) put_core(sheet, ++row, name_of(all[i]), sums[i]);
    if (!sums.empty()) put_core(sheet, ++row, "Overall", together(sums));
    row += 3;
    for (const auto& [name, text] : kNotes) {
      ++row;
      sheet.put(row, 0, name, Look::kHeading);
      sheet.put(row, 1, text);
    }
    sheet.set_width(0, 27, 16);
  }

  // What the cores' rows are made of. total_cycles: of all the time of a core, or of several added up.
  struct CoreSums {
    LaneSums tiu, gdma, sdma, ports;
    std::int64_t total_cycles = 0, both_cycles = 0, tiu_busy_cycles = 0;
    double total_us = 0, hertz = 1e9;
  };

  std::string name_of(const Core& core) const {
    return has_devices_ ? fmt::format("{} core {}", core.device, core.number) : fmt::format("{}", core.number);
  }

  CoreSums sums_of_core(const Core& core) const {
    const auto sums_of_engine = [&](Engine engine) {
      const Lane* const lane = core.engines[static_cast<std::size_t>(engine)];
      return lane != nullptr ? lane->sums : LaneSums{};
    };
    CoreSums sums{.tiu = sums_of_engine(Engine::kTiu),
                  .gdma = sums_of_engine(Engine::kGdma),
                  .sdma = sums_of_engine(Engine::kSdma),
                  .ports = ports_of(core)};
    for (const Lane& lane : lanes_) {
      if (lane.of.device != core.device) continue;
      sums.total_cycles = std::max(sums.total_cycles, lane.sums.last);
      sums.hertz = cycles_per_second(lane);
    }
    sums.total_us = static_cast<double>(sums.total_cycles) / sums.hertz * 1e6;
    Stretches moving = sums.gdma.busy;
    moving.insert(moving.end(), sums.sdma.busy.begin(), sums.sdma.busy.end());
    sums.both_cycles = overlap(sums.tiu.busy, union_of(std::move(moving)));
    sums.tiu_busy_cycles = length(sums.tiu.busy);
    return sums;
  }

  static CoreSums together(std::span<const CoreSums> cores) {
    CoreSums all;
    for (const CoreSums& core : cores) {
      for (const auto engine : {&CoreSums::tiu, &CoreSums::gdma, &CoreSums::sdma, &CoreSums::ports})
        add(all.*engine, core.*engine);
      all.total_cycles += core.total_cycles;
      all.both_cycles += core.both_cycles;
      all.tiu_busy_cycles += core.tiu_busy_cycles;
      all.total_us = std::max(all.total_us, core.total_us);
      all.hertz = core.hertz;
    }
    return all;
  }

  void put_core(Sheet& sheet, std::uint32_t row, std::string_view name, const CoreSums& sums) const {
    const std::int64_t tiu = sums.tiu.cycles, gdma = sums.gdma.cycles, total = sums.total_cycles;
    std::uint16_t column = 0;
    sheet.put(row, column++, name);
    sheet.put(row, column++, share_text(tiu, total));
    sheet.put(row, column++, share_text(tiu + gdma + sums.sdma.cycles, total));
    sheet.put(row, column++, share_text(tiu + gdma - total, std::min(tiu, gdma)));
    sheet.put(row, column++, sums.total_us);
    sheet.put(row, column++, tiu);
    column = static_cast<std::uint16_t>(column + 4);  // of operations nothing is known
    const auto put_moved = [&](const LaneSums& of, bool has_l2) {
      sheet.put(row, column++, of.cycles);
      sheet.put(row, column++, of.ddr.bytes);
      if (has_l2) sheet.put(row, column++, of.l2.bytes);
      sheet.put(row, column++, gigabytes_per_second(of.ddr, sums.hertz));
      if (has_l2) sheet.put(row, column++, gigabytes_per_second(of.l2, sums.hertz));
    };
    put_moved(sums.gdma, true);
    put_moved(sums.sdma, false);
    put_moved(sums.ports, true);
    for (const LaneSums* const of : {&sums.tiu, &sums.gdma, &sums.sdma}) sheet.put(row, column++, of->wait_cycles);
    sheet.put(row, column++, sums.both_cycles);
    sheet.put(row, column++, share_text(sums.both_cycles, sums.tiu_busy_cycles));
  }

  // What the core gave the device's ports to do.
  LaneSums ports_of(const Core& core) const {
    LaneSums sums;
    for (const Lane& lane : lanes_) {
      if (lane.of.core >= 0 || lane.of.device != core.device) continue;
      for (std::size_t i = 0; i < lane.commands.size(); ++i) {
        const auto giver = lane.commands.value(i, "core");
        if (!giver || std::get<std::int64_t>(*giver) != core.number || !lane.commands.is_working(i)) continue;
        sums.cycles += lane.commands.cycles(i);
        sums.ddr.bytes += lane.commands.integer(i, "bytes");
        sums.ddr.cycles += lane.commands.cycles(i);
      }
    }
    return sums;
  }

  void write_lane(const Lane& lane) {
    const bool is_tiu = lane.of.engine == Engine::kTiu;
    const std::string name = fmt::format("{}{}_{}", has_devices_ ? lane.of.device + " " : "",
                                         engine_name(lane.of.engine), lane.of.core >= 0 ? lane.of.core : lane.of.port);
    for (std::size_t begin = 0; begin == 0 || begin < lane.commands.size();) {
      Sheet sheet = book_.add_sheet(name);
      std::uint32_t row = is_tiu ? put_tiu_head(sheet, lane) : put_dma_head(sheet, lane);
      put_columns(sheet, row++, is_tiu);
      sheet.freeze(row, 4);
      for (; begin < lane.commands.size() && row < Workbook::kMostRows; ++begin) put_command(sheet, row++, lane, begin);
      if (lane.commands.size() == 0) break;
    }
  }

  std::uint32_t put_tiu_head(Sheet& sheet, const Lane& lane) const {
    constexpr std::string_view kHead[] = {"Performance",   "totalTiuCycle", "totalAlgCycle",   "algTotalOps",
                                          "totalUArchOps", "uArchURate",    "waitMsgTotalTime"};
    std::uint16_t column = 0;
    put_row(sheet, 0, kHead, column);
    put_specification(sheet, 0, lane);
    sheet.put(1, 0, "Summary", Look::kHeading);
    sheet.put(1, 1, lane.sums.cycles);
    sheet.put(1, 6, lane.sums.wait_cycles);
    put_specification(sheet, 1, lane);
    return put_functions(sheet, lane) + 1;
  }

  // What the chip is able to, beside the head: the headings or the values. A sheet is written row by row.
  void put_specification(Sheet& sheet, std::uint32_t row, const Lane& lane) const {
    const std::string_view name = platform();
    const Chip* const chip = find_chip(name.substr(0, name.find(' ')));
    if (chip == nullptr) return;
    const double mhz = cycles_per_second(lane) / 1e6;
    const std::pair<std::string_view, double> numbers[] = {{"Core Num", chip->core_count},
                                                           {"NPU Num", chip->lane_count},
                                                           {"Cube IC Align(8bits)", chip->cube_channel_alignment},
                                                           {"Cube OHOW Align", chip->cube_pixel_alignment},
                                                           {"Vector OHOW Align(8bits)", chip->vector_pixel_alignment},
                                                           {"TIU Frequency(MHz)", mhz},
                                                           {"DMA Frequency(MHz)", mhz},
                                                           {"DDR Frequency(MHz)", chip->ddr_mhz},
                                                           {"TPU Lmem Size(MiB)", chip->local_memory_mib}};
    std::uint16_t column = 14;
    constexpr std::string_view kWords[] = {"Detail Spec", "Platform", "CHIP ARCH"};
    const bool is_head = row == 0;
    if (is_head) {
      put_row(sheet, row, kWords, column);
    } else {
      sheet.put(row, ++column, "ASIC");
      sheet.put(row, ++column, chip->name);
      ++column;
    }
    for (const auto& [heading, value] : numbers)
      is_head ? sheet.put(row, column++, heading, Look::kHeading) : sheet.put(row, column++, value);
  }

  // By type of command how many and how long; returns the row behind them.
  std::uint32_t put_functions(Sheet& sheet, const Lane& lane) const {
    struct Sum {
      std::string_view type;
      std::int64_t commands = 0, cycles = 0;
    };
    std::vector<Sum> sums;
    for (std::size_t i = 0; i < lane.commands.size(); ++i) {
      const std::string_view type = lane.commands.type(i);
      auto found = std::ranges::find(sums, type, &Sum::type);
      if (found == sums.end()) found = sums.insert(sums.end(), {type});
      ++found->commands;
      found->cycles += lane.commands.cycles(i);
    }
    constexpr std::string_view kHead[] = {"Statistics",    "Function Name",   "Instr Num",       "Alg Ops",
                                          "Alg Ops Ratio", "Alg Cycle",       "Alg Cycle Ratio", "uArch Ops",
                                          "uArch URate",   "uArch Ops Ratio", "Asic Cycle",      "Asic Cycle Ratio"};
    std::uint32_t row = 5;
    std::uint16_t column = 0;
    put_row(sheet, row, kHead, column);
    Sum all{"Overall"};
    for (const Sum& sum : sums) all.commands += sum.commands, all.cycles += sum.cycles;
    sums.push_back(all);
    for (const Sum& sum : sums) {
      ++row;
      sheet.put(row, 1, sum.type.empty() ? "(not known)" : sum.type);
      sheet.put(row, 2, sum.commands);
      sheet.put(row, 10, sum.cycles);
      sheet.put(row, 11, share_text(sum.cycles, all.cycles));
    }
    return row + 1;
  }

  std::uint32_t put_dma_head(Sheet& sheet, const Lane& lane) const {
    constexpr std::string_view kHead[] = {"Performance",           "",
                                          "totalDmaCycle",         "workingCycle",
                                          "totalStallCycle",       "stallCycleRatio",
                                          "totalDdrDataSize(B)",   "totalL2DataSize(B)",
                                          "ddrAvgBandwidth(GB/s)", "l2AvgBandwidth(GB/s)",
                                          "waitMsgTotalTime"};
    std::uint16_t column = 0;
    put_row(sheet, 0, kHead, column);
    const LaneSums& sums = lane.sums;
    const double hertz = cycles_per_second(lane);
    sheet.put(1, 0, "Summary", Look::kHeading);
    sheet.put(1, 2, sums.cycles);
    sheet.put(1, 3, length(sums.busy));
    sheet.put(1, 4, sums.stall_cycles);
    sheet.put(1, 5, share_text(sums.stall_cycles, sums.cycles));
    sheet.put(1, 6, sums.ddr.bytes);
    sheet.put(1, 7, sums.l2.bytes);
    sheet.put(1, 8, gigabytes_per_second(sums.ddr, hertz));
    sheet.put(1, 9, gigabytes_per_second(sums.l2, hertz));
    sheet.put(1, 10, sums.wait_cycles);
    sheet.put(4, 0, "Stall Cycle: how long TIU and DMA waited for each other at a bank.");
    return 5;
  }

  void put_columns(Sheet& sheet, std::uint32_t row, bool is_tiu) const {
    std::uint16_t column = 0;
    put_row(sheet, row, kCommandColumns, column);
    if (is_tiu) {
      put_row(sheet, row, kTiuOwnColumns, column);
      for (const SheetColumn& of : kTiuColumns) sheet.put(row, column++, of.name, Look::kHeading);
    } else {
      put_row(sheet, row, kDmaOwnColumns, column);
      for (const SheetColumn& of : kDmaColumns) sheet.put(row, column++, of.name, Look::kHeading);
    }
    for (const SheetColumn& of : kFurtherColumns) sheet.put(row, column++, of.name, Look::kHeading);
    sheet.set_width(0, column, 12);
  }

  void put_value(Sheet& sheet, std::uint32_t row, std::uint16_t column,
                 const std::optional<ArgumentValue>& value) const {
    if (!value) return;
    if (const auto* const integer = std::get_if<std::int64_t>(&*value)) sheet.put(row, column, *integer);
    if (const auto* const real = std::get_if<double>(&*value)) sheet.put(row, column, *real);
    if (const auto* const text = std::get_if<StringId>(&*value)) sheet.put(row, column, capture_.strings.get(*text));
  }

  void put_command(Sheet& sheet, std::uint32_t row, const Lane& lane, std::size_t i) const {
    const LaneCommands& commands = lane.commands;
    const bool is_tiu = lane.of.engine == Engine::kTiu;
    std::uint16_t column = 0;
    sheet.put(row, column++, std::int64_t{lane.of.number()});
    if (lane.of.core >= 0) {
      sheet.put(row, column++, lane.of.core);
    } else {
      put_value(sheet, row, column++, commands.value(i, "core"));
    }
    sheet.put(row, column++, static_cast<std::int64_t>(i));
    if (const auto id = commands.id(i)) sheet.put(row, column, *id);
    ++column;
    sheet.put(row, column++, "-");
    sheet.put(row, column++, "-");
    sheet.put(row, column++, commands.type(i));
    sheet.put(row, column++, commands.name(i));
    is_tiu ? put_tiu(sheet, row, column, commands, i) : put_dma(sheet, row, column, lane, i);
    for (const SheetColumn& of : kFurtherColumns) put_value(sheet, row, column++, commands.value(i, of.argument));
  }

  void put_tiu(Sheet& sheet, std::uint32_t row, std::uint16_t& column, const LaneCommands& commands,
               std::size_t i) const {
    constexpr std::size_t kAveraged = 200;
    const std::int64_t start = commands.start_cycle(i), cycles = commands.cycles(i);
    const std::size_t first = i + 1 < kAveraged ? 0 : i + 1 - kAveraged;
    ++column;  // the cycles that it would take by its operations
    sheet.put(row, column++, cycles);
    sheet.put(row, column++, start);
    sheet.put(row, column++, start + cycles - 1);
    sheet.put(row, column++, (start + cycles - commands.start_cycle(first)) / static_cast<std::int64_t>(i + 1 - first));
    column = static_cast<std::uint16_t>(column + 3);
    for (const SheetColumn& of : kTiuColumns) {
      if (!of.argument.empty()) put_value(sheet, row, column, commands.value(i, of.argument));
      ++column;
    }
  }

  void put_dma(Sheet& sheet, std::uint32_t row, std::uint16_t& column, const Lane& lane, std::size_t i) const {
    const LaneCommands& commands = lane.commands;
    const std::int64_t start = commands.start_cycle(i), cycles = commands.cycles(i);
    constexpr std::int64_t kFew = 1000;  // cycles, in which a transfer reaches no bandwidth
    const Memory memory = memory_of(commands.text(i, "direction"));
    const double peak = peak_of(lane, memory), rate = bandwidth_of(commands, i);
    const Look look = peak == 0 || memory == Memory::kNone ? Look::kPlain
                      : rate < peak / 2                    ? Look::kBad
                      : rate < peak * 3 / 4                ? Look::kPoor
                                                           : Look::kPlain;
    sheet.put(row, column++, commands.integer(i, "bytes"));
    sheet.put(row, column++, start);
    sheet.put(row, column++, start + cycles - 1);
    sheet.put(row, column++, cycles, look != Look::kPlain && cycles < kFew ? Look::kBad : Look::kPlain);
    sheet.put(row, column++, commands.integer(i, "GIF stall"));
    sheet.put(row, column++, memory == Memory::kDdr ? rate : 0.0, memory == Memory::kDdr ? look : Look::kPlain);
    sheet.put(row, column++, memory == Memory::kL2 ? rate : 0.0, memory == Memory::kL2 ? look : Look::kPlain);
    for (const SheetColumn& of : kDmaColumns) {
      if (!of.argument.empty()) put_value(sheet, row, column, commands.value(i, of.argument));
      ++column;
    }
  }

  // In GB/s.
  static double bandwidth_of(const LaneCommands& commands, std::size_t i) {
    const auto bandwidth = commands.value(i, "bandwidth");
    const auto* const bytes_per_s = bandwidth ? std::get_if<double>(&*bandwidth) : nullptr;
    return bytes_per_s == nullptr ? 0 : *bytes_per_s / 1e9;
  }

  double peak_of(const Lane& lane, Memory memory) const {
    if (lane.of.engine == Engine::kCdma) return 0;
    return memory == Memory::kL2 ? kAks.l2_gb_per_s : kAks.ddr_gb_per_s;  // both chips' are the same
  }

  const Capture& capture_;
  Workbook& book_;
  std::deque<Lane> lanes_;
  bool has_devices_ = false;
};

}  // namespace

void add_sheets(const Capture& capture, std::span<const EngineLane> lanes, Workbook& book) {
  SheetWriter(capture, lanes, book).write_all();
}

}  // namespace vizd::bigtpu
