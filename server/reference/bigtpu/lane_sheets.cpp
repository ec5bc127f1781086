#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "formats/bigtpu/stretches.h"
#include "reference/bigtpu/sheet_columns.h"
#include "reference/bigtpu/workbook_sheets.h"

namespace vizd::bigtpu {
namespace {

using Look = Workbook::Look;
using Sheet = Workbook::Sheet;
using Lane = WorkbookLanes::Lane;

class LaneSheets {
 public:
  LaneSheets(const WorkbookLanes& of, Workbook& book) : of_(of), book_(book) {}

  void write(const Lane& lane) {
    const bool is_tiu = lane.of.engine == Engine::kTiu;
    const std::string name = fmt::format("{}{}_{}", of_.has_devices ? lane.of.device + " " : "",
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

 private:
  std::uint32_t put_tiu_head(Sheet& sheet, const Lane& lane) const {
    constexpr std::string_view kHead[] = {"Performance",   "totalTiuCycle", "totalAlgCycle",   "algTotalOps",
                                          "totalUArchOps", "uArchURate",    "waitMsgTotalTime"};
    std::uint16_t column = 0;
    put_headings(sheet, 0, kHead, column);
    put_specification(sheet, 0, lane);
    sheet.put(1, 0, "Summary", Look::kHeading);
    sheet.put(1, 1, lane.sums.cycles);
    sheet.put(1, 6, lane.sums.wait_cycles);
    put_specification(sheet, 1, lane);
    for (const std::uint32_t row : {3u, 4u}) put_glossary(sheet, row);
    return put_functions(sheet, lane) + 1;
  }

  // What the chip is able to, beside the head: the headings or the values. A sheet is written row by row.
  void put_specification(Sheet& sheet, std::uint32_t row, const Lane& lane) const {
    const std::string_view name = of_.platform();
    const Chip* const chip = find_chip(name.substr(0, name.find(' ')));
    if (chip == nullptr) return;
    const double mhz = of_.cycles_per_second(lane) / 1e6;
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
      put_headings(sheet, row, kWords, column);
    } else {
      sheet.put(row, ++column, "ASIC");
      sheet.put(row, ++column, chip->name);
      ++column;
    }
    for (const auto& [heading, value] : numbers)
      is_head ? sheet.put(row, column++, heading, Look::kHeading) : sheet.put(row, column++, value);
  }

  // What of a row stands in the glossary of the columns, beside the sums.
  static void put_glossary(Sheet& sheet, std::uint32_t row) {
    constexpr std::uint32_t kHead = 3;
    constexpr std::uint16_t kField = 15;
    constexpr std::string_view kFields[][2] = {
        {"uArch Rate",
         "Alg Ops / uArch Ops: shapes are rounded up to what the hardware works on, so that it does more operations "
         "than "
         "the algorithm has; the nearer to 100 % the better. Empty where the operations are not known."},
        {"Data Type", "The type of the command's data."},
        {"Avg Cycle Last 200",
         "How long each of the last 200 commands took on the average, gaps and all. Many short commands one after "
         "another "
         "keep the monitor busy, and slow the chip down."}};
    if (row == kHead) {
      sheet.put(row, kField - 1, "Description", Look::kHeading);
      sheet.put(row, kField, "Field", Look::kHeading);
      sheet.put(row, kField + 1, "Description", Look::kHeading);
    } else if (row > kHead && row <= kHead + std::size(kFields)) {
      sheet.put(row, kField, kFields[row - kHead - 1][0]);
      sheet.put(row, kField + 1, kFields[row - kHead - 1][1]);
    }
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
    put_headings(sheet, row, kHead, column);
    put_glossary(sheet, row);
    Sum all{"Overall"};
    for (const Sum& sum : sums) all.commands += sum.commands, all.cycles += sum.cycles;
    sums.push_back(all);
    for (const Sum& sum : sums) {
      ++row;
      put_glossary(sheet, row);
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
    put_headings(sheet, 0, kHead, column);
    const LaneSums& sums = lane.sums;
    const double hertz = of_.cycles_per_second(lane);
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
    put_headings(sheet, row, kCommandColumns, column);
    if (is_tiu) {
      put_headings(sheet, row, kTiuOwnColumns, column);
      for (const SheetColumn& of : kTiuColumns) sheet.put(row, column++, of.name, Look::kHeading);
    } else {
      put_headings(sheet, row, kDmaOwnColumns, column);
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
    if (const auto* const text = std::get_if<StringId>(&*value)) sheet.put(row, column, of_.capture.strings.get(*text));
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
    sheet.put(row, column++, commands.start_ns(i));
    sheet.put(row, column++, commands.last_ns(i));
    sheet.put(row, column++, (start + cycles - commands.start_cycle(first)) / static_cast<std::int64_t>(i + 1 - first));
    column = static_cast<std::uint16_t>(column + 3);
    for (const SheetColumn& of : kTiuColumns) {
      if (!of.argument.empty()) put_value(sheet, row, column, commands.value(i, of.argument));
      ++column;
    }
  }

  void put_dma(Sheet& sheet, std::uint32_t row, std::uint16_t& column, const Lane& lane, std::size_t i) const {
    const LaneCommands& commands = lane.commands;
    const std::int64_t cycles = commands.cycles(i);
    constexpr std::int64_t kFew = 1000;  // cycles, in which a transfer reaches no bandwidth
    const Memory memory = memory_of(commands.text(i, "direction"));
    const double peak = peak_of(lane, memory), rate = bandwidth_of(commands, i);
    const Look look = peak == 0 || memory == Memory::kNone ? Look::kPlain
                      : rate < peak / 2                    ? Look::kBad
                      : rate < peak * 3 / 4                ? Look::kPoor
                                                           : Look::kPlain;
    sheet.put(row, column++, commands.integer(i, "bytes"));
    sheet.put(row, column++, commands.start_ns(i));
    sheet.put(row, column++, commands.last_ns(i));
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

  const WorkbookLanes& of_;
  Workbook& book_;
};

}  // namespace

void add_lane_sheets(const WorkbookLanes& of, Workbook& book) {
  // Core by core, whatever order its engines were recorded in, and the ports last.
  std::vector<const Lane*> lanes;
  for (const Lane& lane : of.lanes) lanes.push_back(&lane);
  std::ranges::stable_sort(lanes, {}, [&](const Lane* lane) {
    const bool is_port = lane->of.engine == Engine::kCdma;
    const std::uint32_t core = of.capture.profile.tracks[lane->of.track].parent;
    return std::tuple(is_port, is_port ? 0 : core, lane->of.engine);
  });
  for (const Lane* lane : lanes) LaneSheets(of, book).write(*lane);
}

}  // namespace vizd::bigtpu
